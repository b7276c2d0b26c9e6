"""A simulation driven until nothing can be popped: failed pods are retried as the queue and its hints say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from scheduler.engine.commands import FinishCycle, PopPod
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.outcome import bound
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, GATED, UNSCHEDULABLE
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation

START_US = 1_735_689_600_000_000
SETTINGS = Settings(backoff_flush_us=0, leftover_flush_us=0, fulfilled_nominations_wake=False)
"""No job runs: pods leave backoffQ when activeQ is empty, so that a run ends."""

_LEFT = {
    "active": (ACTIVE,),
    "backoff": (BACKOFF,),
    "error_backoff": (ERROR_BACKOFF,),
    "unschedulable": (UNSCHEDULABLE, GATED),
}

Data = dict[str, Any]
Told = TypeVar("Told")


class Attempt(NamedTuple, Generic[Told]):
    """One that has taken effect. `told`: what `look` made of its cycle."""

    pod: str
    told: Told
    decision: Decision


def until_idle(
    simulation: Simulation, look: Callable[[Cycle, OpenCycle], Told], *, smallest_name: bool
) -> Iterator[Attempt[Told]]:
    """Attempt after attempt. `look` sees the finished cycle before its decision takes effect.

    `smallest_name`: of the best nodes take the one whose name comes first, as the recordings do, instead of a draw.
    """
    while True:
        simulation.handle(PopPod())
        if simulation.open_cycle is None:
            return
        yield _attempt(simulation, look, smallest_name)


def _attempt(simulation: Simulation, look: Callable[[Cycle, OpenCycle], Told], smallest_name: bool) -> Attempt[Told]:
    assert simulation.open_cycle is not None
    cycle = simulation.cycle_for_open()
    decision = cycle.run()
    if smallest_name:
        decision = take_smallest_name(cycle)
    pod, told = cycle.pod.key, look(cycle, simulation.open_cycle)
    del cycle  # its snapshot would make the write below copy the cluster
    simulation.handle(FinishCycle(decision.to_data()))
    return Attempt(pod, told, decision)


def take_smallest_name(cycle: Cycle) -> Decision:
    """Changes the draw of a finished attempt: of the best nodes it takes the one whose name comes first."""
    decision, scores = cycle.decision, cycle.scores
    assert decision is not None
    if decision.node and scores is not None:
        names = cycle.trace.feasible
        drawn = min(range(len(scores.tied)), key=lambda place: names[int(scores.tied[place])])
        winner = int(scores.tied[drawn])
        cycle.scores = replace(scores, drawn=drawn, winner=winner)
        cycle.decision = decision = bound(cycle)
    return decision


def step_report(cycle: Cycle, opened: OpenCycle) -> Data:
    """An attempt in the shape of a step of a recording with retries; `now_ms` comes when it has taken effect."""
    decision = cycle.decision
    assert decision is not None
    step = {
        "pod": opened.pod.key,
        "attempts": opened.attempt,
        "feasible": sorted(cycle.trace.feasible),
        "best": best(cycle),
        "bound_to": decision.node or None,
    }
    return step | (_totals(cycle) if decision.node else _refusal(decision, bool(opened.pod.nominated_node_name)))


def best(cycle: Cycle) -> list[str]:
    """Names of the nodes with the highest total, sorted."""
    scores, names = cycle.trace.scores, cycle.trace.feasible
    return sorted(names[place] for place in scores.tied.tolist()) if scores else []


def left(simulation: Simulation) -> Data:
    """The pods that still wait, by queue."""
    return {
        name: sorted(one.key for place in places for one in simulation.queue.lane(place))
        for name, places in _LEFT.items()
    }


def _totals(cycle: Cycle) -> Data:
    """Also of a single feasible node, whose scoring was bypassed."""
    scores = cycle.trace.scores
    totals = scores.totals.tolist() if scores else []
    return {"totals": dict(zip(cycle.trace.feasible, totals, strict=True))}


def _refusal(decision: Decision, was_nominated: bool) -> Data:
    refusal: Data = {
        "fit_error": decision.message,
        "unschedulable_plugins": list(decision.unschedulable_plugins),
    }
    if decision.victims:
        refusal |= {"nominated_node": decision.nominated_node, "victims": list(decision.victims)}
    elif was_nominated and decision.nominated_node == "":
        refusal["nomination_cleared"] = True
    return refusal
