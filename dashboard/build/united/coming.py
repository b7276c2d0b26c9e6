"""What adaptive scheduling will do by itself: when waiting pods count as timed out, when a subset is back."""

from collections.abc import Iterator
from typing import NamedTuple

from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.pending import timed_out
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.status import FALSE, SCHEDULABLE, condition
from scheduler.engine.words import count


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
