"""Which subsets cannot take more pods: found from pods that wait too long, remembered in the condition Schedulable."""

from __future__ import annotations

import msgspec

from scheduler.engine.simulation.clock import from_rfc3339, to_rfc3339
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.pending import reserved, timed_out
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability
from scheduler.engine.uniteddeployment.status import (
    FALSE,
    SCHEDULABLE,
    TRUE,
    Condition,
    condition,
    with_subset_condition,
)
from scheduler.engine.workloads.owned import OwnedPod


class Finding(msgspec.Struct, frozen=True):
    """`waits`: spans in µs after which to look again. `labels`: by pod, whether it is reserved, where that is news."""

    state: Schedulability
    conditions: list[Condition]
    waits: tuple[int, ...] = ()
    labels: dict[str, bool] = {}


def detect(
    ud: UnitedDeployment, subset: ExistingSubset, conditions: list[Condition], updating: tuple[str, int], now: int
) -> Finding:
    """`updating`: the expected revision, and since when it is expected. Moments in µs."""
    return _reserving(ud, subset, conditions, updating, now) if ud.reserves else _waiting(ud, subset, conditions, now)


def schedulable(status: str, reason: str, message: str, now: int) -> Condition:
    return Condition(SCHEDULABLE, status, reason, message, to_rfc3339(now // SECOND_US * SECOND_US))


def _waiting(ud: UnitedDeployment, subset: ExistingSubset, conditions: list[Condition], now: int) -> Finding:
    """The default mode: a subset with a pod that waited too long takes no more for a while."""
    pause, waits, unschedulable = ud.unschedulable_seconds * SECOND_US, [], False
    held = condition(conditions, SCHEDULABLE)
    marked = held is not None and held.status == FALSE
    if held is not None and marked:
        left = from_rfc3339(held.last_transition_time) + pause - now
        unschedulable = left > 0
        if unschedulable:
            waits.append(left)
        else:
            text = f"unschedulable subset recovered after {float(ud.unschedulable_seconds):f} seconds"
            conditions = with_subset_condition(conditions, schedulable(TRUE, "recover", text, now))
    if subset.ready_replicas < subset.status_replicas:
        looks = [timed_out(pod, ud.critical_seconds * SECOND_US, now) for pod in subset.pods]
        soon = [look.after for look in looks if look.after]
        waits += [min(soon)] if soon else []
        if any(look.met for look in looks):
            unschedulable = True
            text = "timeout pending pods found"
            conditions = with_subset_condition(conditions, schedulable(FALSE, "reschedule", text, now))
            waits.append(pause)
    return Finding(Schedulability(unschedulable, marked), conditions, tuple(waits))


def _reserving(
    ud: UnitedDeployment, subset: ExistingSubset, conditions: list[Condition], updating: tuple[str, int], now: int
) -> Finding:
    """Reservation mode: every pod that waits, or waited lately, is reserved."""
    held = condition(conditions, SCHEDULABLE)
    marked = held is not None and held.status == FALSE
    settle = ud.unschedulable_seconds * SECOND_US
    wait: int | None = None
    count, late, news = 0, 0, {}
    for pod in subset.pods:
        if marked and not pod.reserved:
            is_reserved = True
            wait = None if wait is None else max(wait, settle)
        else:
            look = reserved(pod, *updating, limit=ud.critical_seconds * SECOND_US, settle=settle, now=now)
            is_reserved, late = look.met, late + look.update_timeout
            after = look.after or 0
            wait = min(after, wait or after) if after > 0 else wait
        count += is_reserved
        if _is_news(pod, is_reserved):
            news[pod.name] = is_reserved
    text = "reserved pods found" if count else "no reserved pods"
    new = schedulable(FALSE if count else TRUE, "reschedule", text, now)
    state = Schedulability(count > 0, marked, count, late)
    return Finding(state, with_subset_condition(conditions, new), (wait,) if wait else (), news)


def _is_news(pod: OwnedPod, is_reserved: bool) -> bool:
    """A pod without the label gets one; any other word than "true" in it means what "false" does."""
    return not pod.reserved or (pod.reserved == "true") != is_reserved
