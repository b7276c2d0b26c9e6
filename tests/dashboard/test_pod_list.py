"""The list of pods: what its sentence counts, which filters stay on, and an empty cluster."""

import re

import pytest

from scheduler import services
from tests.scheduler.builders import START_US, a_node, a_pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster():
    pods = [a_pod(f"web-{at}", nodeName="n-0") for at in range(3)]
    return services.cluster_create("list", [a_node("n-0"), *pods, a_pod("waits")], start_us=START_US)


def page(browser, query=""):
    return browser.get(f"/c/list/pods/{query}").content.decode()


def sentence(html):
    return re.sub(r"<[^>]+>", "", re.search(r"<h1[^>]*>(.*?)</h1>", html)[1])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        pytest.param("", "4 pods, 3 Running, 1 Pending.", id="all"),
        pytest.param("?q=web", "3 of 4 pods match the filters.", id="some"),
        pytest.param("?status=Pending", "1 of 4 pods matches the filters.", id="one"),
        pytest.param("?q=nobody", "0 of 4 pods match the filters.", id="none"),
    ],
)
def test_the_sentence_counts_what_the_filters_leave(browser, cluster, query, told):
    html = page(browser, query)
    assert sentence(html) == told
    assert ('href="?" aria-current="true"' in html) == (not query)


def test_a_queue_that_is_chosen_is_shown_and_kept_by_the_form(browser, cluster):
    html = page(browser, "?queue=active")
    assert sentence(html) == "1 of 4 pods matches the filters."
    assert '<input type="hidden" name="queue" value="active">' in html
    assert "<span>in active</span>" in html


def test_an_empty_cluster_offers_what_fills_it_and_nothing_to_filter(browser):
    services.cluster_create("list", [a_node("n-0")], start_us=START_US)
    html = page(browser)
    assert sentence(html) == "There are no pods yet."
    assert ('role="search"' in html, "<table" in html, "Import manifests" in html) == (False, False, True)


def test_waiting_pods_say_why_in_place_of_empty_columns(browser):
    pk = services.cluster_create("list", [a_node("n-0"), a_pod("big", cpu="64"), a_pod("small")], start_us=START_US).pk
    for _ in range(2):
        services.cycle_step(pk)
    waits, all_of_them = page(browser, "?status=Pending"), page(browser)
    assert '<td class="pod-why soft hide-s">insufficient cpu, asks for 64</td>' in waits
    assert ("readiness gates</th>" in waits, "nominated node</th>" in waits, "why it waits" in waits) == (
        False,
        False,
        True,
    )
    assert ("readiness gates</th>" in all_of_them, "why it waits" in all_of_them) == (True, False)
    assert all_of_them.count('only-m pod-on">insufficient cpu, asks for 64<') == 1


def test_what_is_older_than_the_clusters_clock_says_so(browser):
    old = a_node("n-0")
    old["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    services.cluster_create("list", [old, a_pod("young")], start_us=1767225600_000000 + 175_000_000)
    told = " ".join(re.sub(r"<[^>]+>", "", browser.get("/c/list/nodes/n-0/").content.decode()).split())
    assert "created 2m55s before the cluster's clock began" in told
    assert "clock began" not in browser.get("/c/list/pods/default/young/").content.decode()
