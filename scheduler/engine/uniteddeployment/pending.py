"""When a pod has waited too long for a node, and when reservation mode counts it as reserved. Spans are µs."""

from __future__ import annotations

import msgspec

from scheduler.engine.workloads.owned import OwnedPod


class Wait(msgspec.Struct, frozen=True):
    """`met`: the condition holds. `after`: how long until the next look; None: time alone changes nothing."""

    met: bool
    after: int | None = None
    update_timeout: bool = False


def timed_out(pod: OwnedPod, limit: int, now: int) -> Wait:
    """Whether a pod that no node would take has waited strictly longer than `limit`, by its own age.

    One that does not say when it was created has waited for ever.
    """
    stuck = pod.phase == "Pending" and not pod.node_name and pod.unschedulable and not pod.deleting
    if not stuck:
        return Wait(False)
    left = -1 if pod.created_us is None else pod.created_us + limit - now
    return Wait(True) if left < 0 else Wait(False, left)


def reserved(pod: OwnedPod, revision: str, updating_since: int, *, limit: int, settle: int, now: int) -> Wait:
    """Whether a pod is reserved: it has timed out, or not been ready for more than `settle` since it was.

    `revision`: the expected one. `updating_since`: when the update to it began.
    """
    if pod.reserved == "true":
        return _still_reserved(pod, revision, settle, now)
    if pod.revision == revision:
        waits = timed_out(pod, limit, now)
        return Wait(True, settle) if waits.met else waits
    if pod.deleting:
        return Wait(False)
    left = updating_since + limit - now
    return Wait(True, settle, update_timeout=True) if left < 0 else Wait(False, left)


def _still_reserved(pod: OwnedPod, revision: str, settle: int, now: int) -> Wait:
    if pod.phase != "Running" or pod.revision != revision or not pod.ready:
        return Wait(True, settle)
    left = pod.ready_since_us + settle - now
    return Wait(False) if left < 0 else Wait(True, left)
