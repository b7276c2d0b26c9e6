"""Where a placed pod would go now: the piece of its page that says so, at any moment, and writes nothing."""

import re

import pytest

from scheduler import services
from scheduler.models import Event
from tests.scheduler.builders import START_US, a_node, a_pod

pytestmark = pytest.mark.django_db

NODES = [a_node("small", cpu="4"), a_node("large", cpu="16")]


@pytest.fixture
def cluster():
    placed = [a_pod("came", nodeName="small"), a_pod("stranger", nodeName="small", schedulerName="other")]
    cluster = services.cluster_create("now", [*NODES, *placed, a_pod("waits")], start_us=START_US)
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("huge", cpu="64")])
    cluster.refresh_from_db()
    return cluster


def told(browser, pod, query=""):
    answer = browser.get(f"/c/now/pods/default/{pod}/again/{query}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())).strip()


def test_a_pod_that_came_with_its_node_is_told_where_it_would_go(browser, cluster):
    text = told(browser, "came")
    assert "It would go to huge , not to small , which is " in text
    assert re.search(r"margin −\d+", text)  # its own node stands first, as in the table above, and is behind
    assert re.search(r"points here small there huge weight", text)
    assert "small is here" in text
    assert f"One attempt at event {cluster.seq}," in text


def test_a_pod_of_this_scheduler_is_compared_with_the_next_best_where_it_stays(browser, cluster):
    text = told(browser, "waits", f"?at={cluster.seq - 1}")
    assert "It would go to large again with " in text
    assert "ahead of small" in text
    assert "huge" not in text


def test_what_cannot_be_told_says_why(browser, cluster):
    assert told(browser, "stranger") == (
        "It cannot be told. It asks for the scheduler other, and no profile here has that name."
    )
    assert browser.get("/c/now/pods/default/nobody/again/").status_code == 404


def test_nothing_is_written(browser, cluster):
    before = Event.objects.filter(cluster=cluster).count()
    told(browser, "came")
    cluster.refresh_from_db()
    assert (cluster.seq, Event.objects.filter(cluster=cluster).count()) == (before, before)


def test_the_page_asks_at_once_only_where_no_attempt_tells_why_it_is_there(browser, cluster):
    def page(pod):
        return browser.get(f"/c/now/pods/default/{pod}/").content.decode()

    assert "data-auto" in page("came")
    assert "Where would it go now?" in page("waits")
    assert "data-auto" not in page("waits")
