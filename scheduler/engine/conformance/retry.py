"""The whole loop until nothing can be popped: attempts, PostFilter, failure handler, queue and hints."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.admission import Context, admit
from scheduler.engine.commands import AddObject, AdvanceClock, FinishCycle, PopPod
from scheduler.engine.cycle import Cycle
from scheduler.engine.decision import Decision
from scheduler.engine.objects import key_of
from scheduler.engine.queue_entry import ACTIVE, BACKOFF, ERROR_BACKOFF, GATED, UNSCHEDULABLE
from scheduler.engine.settings import SECOND_US, Settings
from scheduler.engine.simulation import Simulation

START_US = 1_735_689_600_000_000
SETTINGS = Settings(backoff_flush_us=0, leftover_flush_us=0, fulfilled_nominations_wake=False)
MOST_STEPS = 100_000
_LEFT = {
    "active": (ACTIVE,),
    "backoff": (BACKOFF,),
    "error_backoff": (ERROR_BACKOFF,),
    "unschedulable": (UNSCHEDULABLE, GATED),
}

Manifest = dict[str, Any]


def run_retry_vector(vector: Manifest) -> Manifest:
    """What this engine says to a `sequence` vector with retries, in the shape of its `expected`."""
    simulation, steps, evicted = _started(vector), list[Manifest](), list[str]()
    for _ in range(MOST_STEPS):
        simulation.handle(PopPod())
        if simulation.open_cycle is None:
            break
        steps.append(_step(simulation))
        evicted += steps[-1].get("victims", [])
    pods = [simulation.pod(key) for key in vector["pods"]]
    return {
        "steps": steps,
        "bindings": {pod.key: pod.node_name for pod in pods if pod is not None and pod.node_name},
        "evicted": evicted,
        "left": {name: _keys(simulation, places) for name, places in _LEFT.items()},
    }


def _started(vector: Manifest) -> Simulation:
    """Everything is there; the pending pods came one second apart."""
    simulation, _ = Simulation.create("vector", 1, START_US, vector["config"], SETTINGS)
    context = Context.of(vector["objects"])
    admitted = [(one["kind"], admit(one["kind"], one, context)) for one in vector["objects"]]
    waiting = {f"{namespace}/{name}": manifest for namespace, name, manifest in _pods(admitted)}
    pending = [waiting[key] for key in vector["pods"]]
    for kind, manifest in admitted:
        if not any(manifest is one for one in pending):
            simulation.handle(AddObject(kind, manifest))
    for seconds, manifest in enumerate(pending, 1):
        simulation.handle(AdvanceClock(START_US + seconds * SECOND_US))
        simulation.handle(AddObject("Pod", manifest))
    simulation.handle(AdvanceClock(simulation.now_us + SECOND_US))
    return simulation


def _pods(admitted: list[tuple[str, Manifest]]) -> list[tuple[str, str, Manifest]]:
    return [(*key_of(kind, manifest)[1:], manifest) for kind, manifest in admitted if kind == "Pod"]


def _step(simulation: Simulation) -> Manifest:
    opened = simulation.open_cycle
    assert opened is not None
    was_nominated = bool(opened.pod.nominated_node_name)
    cycle = simulation.cycle_for_open()
    decision = _with_smallest_names(cycle, cycle.run())
    simulation.handle(FinishCycle(decision.to_data()))
    step = {
        "pod": opened.pod.key,
        "attempts": opened.attempt,
        "now_ms": (simulation.now_us - START_US) // 1000,
        "feasible": sorted(cycle.trace.feasible),
        "best": _best(cycle),
        "bound_to": decision.node or None,
    }
    return step | (_totals(cycle) if decision.node else _refusal(decision, was_nominated))


def _with_smallest_names(cycle: Cycle, decision: Decision) -> Decision:
    """The recordings take the smallest name among tied nodes."""
    return msgspec.structs.replace(decision, node=_best(cycle)[0]) if decision.node else decision


def _best(cycle: Cycle) -> list[str]:
    scores = cycle.trace.scores
    return sorted(cycle.trace.feasible[place] for place in scores.tied.tolist()) if scores else []


def _totals(cycle: Cycle) -> Manifest:
    """Also of a single feasible node, whose scoring was bypassed."""
    scores = cycle.trace.scores
    totals = scores.totals.tolist() if scores else []
    return {"totals": dict(zip(cycle.trace.feasible, totals, strict=True))}


def _refusal(decision: Decision, was_nominated: bool) -> Manifest:
    refusal: Manifest = {
        "fit_error": decision.message,
        "unschedulable_plugins": list(decision.unschedulable_plugins),
    }
    if decision.victims:
        refusal |= {"nominated_node": decision.nominated_node, "victims": list(decision.victims)}
    elif was_nominated and decision.nominated_node == "":
        refusal["nomination_cleared"] = True
    return refusal


def _keys(simulation: Simulation, places: tuple[str, ...]) -> list[str]:
    return sorted(one.key for place in places for one in simulation.queue.lane(place))
