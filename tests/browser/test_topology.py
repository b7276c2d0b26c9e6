"""What a person sees of refused nodes, spread constraints and pod affinity, on a cycle's and a pod's page."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from scheduler.services import cluster_create
from tests.browser.conftest import elsewhere
from tests.browser.looks import too_wide, violations_in_both
from tests.scheduler.builders import START_US, a_node, a_pod

ZONE = "topology.kubernetes.io/zone"
WEB = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE}
RULES = {
    "topologySpreadConstraints": [{**WEB, "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}],
    "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}},
}


@pytest.fixture
def refused(site: Any) -> None:
    nodes = [a_node(f"n-{place}", cpu="1", zone=f"z{place % 3}") for place in range(130)]
    placed = [a_pod(f"web-{place}", nodeName="n-0", cpu="400m") for place in range(2)]
    pod = a_pod("web-9", cpu="1300m", **RULES)
    cluster = elsewhere(lambda: cluster_create("demo", [*nodes, *placed, pod], start_us=START_US))
    elsewhere(services.cycle_step, cluster.pk)


def shown(page: Page) -> None:
    spread = page.get_by_role("region", name=f"Constraint 1: domains of {ZONE}").locator("tbody tr")
    expect(spread).to_have_count(3)
    expect(spread.last).to_contain_text("3 of 1")
    expect(spread.last).to_contain_text("too skewed")
    expect(page.get_by_role("region", name=f"Term 1: pods by {ZONE}").locator("tbody tr")).to_contain_text("conflict")
    rows = page.get_by_role("region", name="Table of refused nodes").locator("tbody tr")
    page.locator("refused-nodes").scroll_into_view_if_needed()
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show next").click()
    expect(rows).to_have_count(130)
    page.get_by_label("Filter refused nodes").fill("n-0")
    expect(rows).to_have_count(1)
    unfolded(page)
    for text in ("needs 1.1 more cpu, and has only 1 in all", "PodTopologySpread", "InterPodAffinity"):
        expect(rows).to_contain_text(text)


def unfolded(page: Page) -> None:
    """The steps behind the verdicts of one node, and away again."""
    fold = page.get_by_role("button", name="Steps of the filters on n-0")
    fold.click()
    ledger = page.get_by_role("group", name="Steps of NodeResourcesFit")
    expect(ledger.locator(".formula-step", has_text="cpu").first).to_contain_text("1300m ≤ 1000m − 800m")
    expect(ledger.locator(".formula-step").last).to_contain_text("refuses")
    assert violations_in_both(page) == []
    fold.click()
    expect(ledger).to_have_count(0)


def test_all_that_speaks_against_each_node_is_shown(visit, refused):
    page = visit().open("/c/demo/cycles/1/")
    shown(page)
    for width in (1440, 390):
        assert too_wide(page, (width,)) == []
        assert violations_in_both(page) == []
