"""What a person sees of a preemption: candidates, victims, the rule that decided, nodes where nothing helps."""

from typing import Any

from playwright.sync_api import expect

from scheduler import services
from scheduler.services import cluster_create
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import START_US, a_node, a_pod

BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "kept", "namespace": "default"},
    "spec": {"selector": {"matchLabels": {"app": "kept"}}},
    "status": {"disruptionsAllowed": 0},
}


def preempting(*others: dict[str, Any]) -> None:
    manifests = [a_node("left"), a_node("right"), BUDGET, *others, a_pod("high", cpu="4", priority=100)]
    cluster = elsewhere(lambda: cluster_create("demo", manifests, start_us=START_US))
    elsewhere(services.cycle_step, cluster.pk)


def test_candidates_victims_and_the_deciding_rule_are_shown(visit):
    preempting(a_pod("kept-1", cpu="4", nodeName="left"), a_pod("run-1", cpu="4", nodeName="right"))
    page = visit().open("/c/demo/cycles/1/")
    section = page.get_by_role("region", name="Preemption")
    expect(section).to_contain_text("1 pod of lower priority must leave right, chosen over 1 other node")
    rows = section.get_by_role("table", name="Candidates").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("default/run-1")
    expect(rows.nth(1)).to_contain_text("breaks its budget")
    expect(section.locator("th[data-state=decides]")).to_contain_text("budgets broken")


def test_where_it_helps_nowhere_the_reasons_are_shown(visit):
    preempting(a_pod("a", cpu="4", priority=100, nodeName="left"), a_pod("b", cpu="4", priority=100, nodeName="right"))
    page = visit().open("/c/demo/cycles/1/")
    table = page.get_by_role("table", name="Nodes where preemption does not help")
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(table).to_contain_text("No preemption victims found for incoming pod")


def test_a_pod_that_fits_has_no_such_section(visit):
    preempting()
    page = visit().open("/c/demo/cycles/1/")
    expect(page.locator("cycle-verdict h1")).to_contain_text("went to")
    expect(page.locator("#preemption")).to_be_hidden()
