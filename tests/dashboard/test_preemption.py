"""What a page is told of a preemption."""

from typing import Any

import pytest
from django.test import Client

from dashboard.build.attempt import Attempt
from dashboard.build.preemption import LISTED_CANDIDATES, LISTED_VICTIMS, preemption
from dashboard.build.records import cycle_record
from dashboard.build.source import drawn
from dashboard.payloads.cycle import CycleView
from dashboard.payloads.preemption import PreemptionView
from scheduler import services
from scheduler.engine.cycle.phases import PHASES
from scheduler.services import cluster_create
from tests.dashboard.shapes import faults
from tests.engine.builders import a_cycle
from tests.scheduler.builders import START_US, a_node, a_pod

BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "kept", "namespace": "default"},
    "spec": {"selector": {"matchLabels": {"app": "kept"}}},
    "status": {"disruptionsAllowed": 0},
}


def low(name: str, node: str, cpu: str = "4", **more: Any) -> dict[str, Any]:
    pod = a_pod(name, cpu=cpu, nodeName=node, **more)
    pod["status"] = {"startTime": "2025-12-31T23:00:00Z"}
    return pod


def high(**spec: Any) -> dict[str, Any]:
    return a_pod("high", cpu="4", priority=100, **spec)


def told(*others: dict[str, Any], pod: dict[str, Any] | None = None) -> PreemptionView:
    cycle = a_cycle(pod or high(), *others)
    cycle.run()
    view = preemption(Attempt(cycle, record=None, reached=len(PHASES) - 1))  # type: ignore[arg-type]
    assert view is not None
    assert faults(view, PreemptionView) == []
    return view


def test_candidates_come_with_victims_and_the_rule_that_decided():
    budget = [a_node("a"), a_node("b"), a_node("c"), low("kept-1", "a"), low("x-1", "b", priority=7), low("y-1", "c")]
    view = told(*budget, BUDGET)
    assert [(one["node"], one["out_by"], one["measures"][:2]) for one in view["candidates"]] == [
        ("c", -1, [0, 0]),
        ("b", 1, [0, 7]),
        ("a", 0, [1, 0]),
    ]
    assert (view["nominated"], view["rules"][view["deciding"]]) == ("c", "lowest priority of the first victim")
    assert view["candidates"][2]["victims"] == [
        {"pod": "default/kept-1", "priority": 0, "started_us": START_US - 3_600_000_000, "breaks_budget": True}
    ]


def test_a_pod_that_has_not_started_has_no_start():
    view = told(a_node("a"), {**low("x", "a"), "status": {}})
    assert view["candidates"][0]["victims"][0]["started_us"] is None
    assert view["candidates"][0]["measures"][-1] is None


def test_a_tie_is_not_decided_by_a_rule():
    view = told(a_node("a"), a_node("b"), low("x", "a"), low("y", "b"))
    assert (view["deciding"], view["tied"], view["nominated"]) == (-1, 2, "a")


def test_nodes_where_it_does_not_help_are_told_by_reason():
    nodes = [a_node("a"), a_node("b"), a_node("c", cpu="2")]
    kept = [low("x", "a", cpu="2"), low("y", "a", cpu="2", priority=100), low("z", "b", priority=100)]
    view = told(*nodes, *kept)
    assert (view["potential"], view["candidate_count"], view["nominated"]) == (2, 0, "")
    assert [(one["reason"], one["nodes"]) for one in view["rejected"]] == [
        ("No preemption victims found for incoming pod", ["b"]),
        ("Insufficient cpu", ["a"]),
    ]


def test_who_may_not_preempt_is_told_why():
    view = told(a_node("a"), low("x", "a"), pod=high(preemptionPolicy="Never"))
    assert view["ineligible"] == "not eligible due to preemptionPolicy=Never."
    assert view["candidates"] == []


def test_long_lists_are_cut_and_counted():
    nodes = [a_node(f"n{place:02}") for place in range(LISTED_CANDIDATES + 3)]
    pods = [low(f"p{place}-{one}", f"n{place:02}", cpu="100m") for place in range(len(nodes)) for one in range(40)]
    view = told(*nodes, *pods)
    assert (len(view["candidates"]), view["candidate_count"]) == (LISTED_CANDIDATES, len(nodes))
    assert (len(view["candidates"][0]["victims"]), view["candidates"][0]["victim_count"]) == (LISTED_VICTIMS, 40)


def test_there_is_nothing_to_tell_of_a_pod_that_fits():
    cycle = a_cycle(high(), a_node("a"))
    cycle.run()
    assert preemption(Attempt(cycle, record=None, reached=len(PHASES) - 1)) is None  # type: ignore[arg-type]


@pytest.mark.django_db
def test_the_cycle_of_a_real_cluster_tells_it_and_its_page_shows_it():
    cluster = cluster_create("crowded", [a_node("a"), low("x", "a"), high()], start_us=START_US)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    record = cycle_record(cluster.pk, 1, cluster.seq)
    assert record is not None
    view = drawn(cluster, record).view
    assert faults(view, CycleView) == []
    assert view["preemption"]["nominated"] == "a"
    assert view["sentence"].endswith(" 1 pod of lower priority leaves `a` for it.")
    assert "1 victim on a" in [phase["note"] for phase in view["phases"]]
    page = Client(SERVER_NAME="localhost").get("/c/crowded/cycles/1/").content.decode()
    assert '<section class="sheet" id="preemption" aria-labelledby="h-preemption">' in page
