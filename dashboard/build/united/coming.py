"""What adaptive scheduling will do by itself: when waiting pods count as timed out, when a subset is back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scheduler.engine.controllers.united import planned_pass
from scheduler.engine.objects import ObjectKey
from scheduler.engine.objects import UnitedDeployment as UnitedDeploymentObject
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment.pending import timed_out
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.status import FALSE, SCHEDULABLE, condition
from scheduler.engine.words import count

TRIED = 4  # moments whose pass is planned: each costs a plan


class Ahead(NamedTuple):
    """`sign`: as of a moment that was."""

    at_us: int
    subset: str
    sign: str
    text: str


def ahead(ud: UnitedDeployment, done: Pass, now_us: int, *, is_due: bool) -> list[Ahead]:
    """Soonest first; if nothing else happens. Reservation mode asks pods, not the clock alone: it has none.

    `is_due`: whether a pass will come by itself. Pods are not watched: without one, nobody sees that they waited long.
    """
    if not ud.adaptive or ud.reserves:
        return []
    return sorted([*_back(ud, now_us), *_late(ud, done, now_us, is_due)])


class Turn(NamedTuple):
    """When the split will change by itself. `words`: what happens then; `done`: the pass that answers it."""

    at_us: int
    words: str
    done: Pass


def turn(simulation: Simulation, key: ObjectKey, done: Pass, later: Sequence[Ahead]) -> Turn | None:
    """The first moment of `later` whose pass splits otherwise than `done`; None if there is none that is due."""
    stored = simulation.cluster.get(*key)
    if not isinstance(stored, UnitedDeploymentObject) or simulation.work.reconciles.moment_of(key) is None:
        return None
    for one in later[:TRIED]:
        _, then = planned_pass(simulation, key, stored, one.at_us)
        if _split(then) != _split(done):
            words = "takes pods again" if one.sign == "back" else "counts as unschedulable"
            return Turn(one.at_us, f"`{one.subset}` {words}", then)
    return None


def _split(done: Pass) -> Mapping[str, int] | None:
    return done.allocation.replicas if done.allocation is not None else None


def _back(ud: UnitedDeployment, now_us: int) -> Iterator[Ahead]:
    for one in ud.status.subset_statuses:
        held = condition(one.conditions, SCHEDULABLE)
        if held is not None and held.status == FALSE:
            at_us = from_rfc3339(held.last_transition_time) + ud.unschedulable_seconds * SECOND_US
            if at_us > now_us:
                text = f"`{one.name}` takes pods again, {ud.unschedulable_seconds} s after it became unschedulable"
                yield Ahead(at_us, one.name, "back", text)


def _late(ud: UnitedDeployment, done: Pass, now_us: int, is_due: bool) -> Iterator[Ahead]:
    """The first pod of each subset that will have waited too long."""
    for name, held in done.existing.items():
        spans = [timed_out(pod, ud.critical_seconds * SECOND_US, now_us).after for pod in held.pods]
        waits = [span for span in spans if span is not None]
        if waits:
            who = f"{count(len(waits), 'pod')} of `{name}`"
            then = "the subset is unschedulable then" if is_due else "no pass is due that would see it"
            text = f"{who} will have waited {ud.critical_seconds} s for a node: {then}"
            yield Ahead(now_us + min(waits), name, "held", text)
