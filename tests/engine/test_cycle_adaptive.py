"""Searches that stop early, against recordings: order of nodes, start index, who is visited, what is dropped."""

from typing import Any

import msgspec
import pytest

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance import cluster_of, nominated_pods
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.outcome import refusal_message
from scheduler.engine.cycle.search import feasible_nodes_to_find
from scheduler.engine.objects import decode
from scheduler.engine.profile import Profiles
from tests.engine.vectors import Vector, params, rows


class Replay:
    """Executes the ops of a vector one by one."""

    def __init__(self, vector: Vector) -> None:
        self.cluster: ClusterState = cluster_of(vector.objects)
        self.profiles = Profiles.from_configuration(vector.config or {})
        self.context = Context.of(vector.objects)
        self.start_index = 0

    def do(self, op: dict[str, Any], bound_to: str | None) -> Cycle | None:
        match op["op"]:
            case "schedule":
                return self.schedule(op["pod"], bound_to)
            case "add_node":
                self.cluster.add("Node", decode("Node", admit("Node", op["node"], self.context)))
            case "update_node":
                self.cluster.update("Node", decode("Node", admit("Node", op["node"], self.context)))
            case "delete_node":
                self.cluster.delete("Node", "", op["name"])
            case "delete_pod":
                self.cluster.delete("Pod", *op["key"].split("/"))
        return None

    def schedule(self, manifest: dict[str, Any], bound_to: str | None) -> Cycle:
        pod = decode("Pod", admit("Pod", manifest, self.context))
        profile = self.profiles.get(pod.spec.scheduler_name) or self.profiles.first
        nominated = nominated_pods(self.cluster)
        cycle = Cycle(self.cluster.snapshot(), profile, pod, start_index=self.start_index, nominated=nominated)
        self.start_index = cycle.run().next_start_index
        if bound_to:
            bound = msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=bound_to))
            self.cluster.add("Pod", bound)
        return cycle


def step_of(cycle: Cycle, expected: dict[str, Any]) -> dict[str, Any]:
    """What the attempt did, in the keys of a recorded step."""
    trace, decision, snapshot = cycle.trace, cycle.decision, cycle.snapshot
    visited = cycle.filtered.rows[cycle.found.visited].tolist() if cycle.filtered is not None else []
    rejected = [snapshot.names[row] for row in visited if row in trace.first_failures]
    is_narrowed = "narrowed_to" in expected
    step = {
        "nodes": len(snapshot),
        "start_index": cycle.start_index,
        "next_start_index": decision.next_start_index,
        "processed": decision.evaluated,
        "find_by_percentage": feasible_nodes_to_find(cycle.percentage, len(snapshot)),
        "feasible": sorted(trace.feasible) if is_narrowed else trace.feasible,
        "rejected": sorted(rejected) if is_narrowed else rejected,
        "rejected_by": {one.plugin: one.lost for one in trace.funnel if one.lost and one.plugin != "PreFilter"},
        "best": sorted(trace.feasible[place] for place in trace.scores.tied) if trace.scores else [],
        "scoring_bypassed": trace.scoring_bypassed,
    }
    if cycle.found.dropped >= 0:
        step["dropped"] = snapshot.names[cycle.filtered.rows[cycle.found.dropped]]
    if len(trace.feasible) > 1:
        step["totals"] = dict(zip(trace.feasible, trace.scores.totals.tolist(), strict=True))
    if decision.outcome == "unschedulable":
        message = refusal_message(cycle, trace.diagnosis, post_filter=False)
        step["fit_error_without_postfilter"] = message
    return step


@pytest.mark.parametrize("vector", params("adaptive"))
def test_a_search_visits_the_nodes_that_the_real_one_visits(vector: Vector):
    replay, order = Replay(vector), []
    for op, expected in zip(vector.data["ops"], vector.expected["steps"], strict=True):
        cycle = replay.do(op, expected.get("bound_to"))
        if cycle is None:
            continue
        order = expected.get("node_order", order)
        assert cycle.snapshot.names == order
        step = step_of(cycle, expected)
        assert step == DEFAULTS | {key: _comparable(expected, key) for key in step if key in expected}


DEFAULTS = {"rejected": [], "rejected_by": {}, "best": [], "scoring_bypassed": False, "feasible": []}
"""What it means where a recording leaves these keys out."""


def _comparable(step: dict[str, Any], key: str) -> Any:
    """Among nodes that PreFilter named, the real order is random."""
    return sorted(step[key]) if key == "rejected" and "narrowed_to" in step else step[key]


@pytest.mark.parametrize("row", rows("tables", "num_feasible_nodes"))
def test_how_many_nodes_are_enough(row: dict[str, int]):
    assert feasible_nodes_to_find(row["percentage"], row["nodes"]) == row["find"]
