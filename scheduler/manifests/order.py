"""The order in which objects enter a cluster, and the moment at which its virtual clock starts."""

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler.engine.simulation.clock import LATEST_US, from_rfc3339

Manifest = dict[str, Any]
Order = tuple[int, int]
"""Sorts objects as they enter a cluster; equal ones stay in file order."""

_LENGTH = len("2026-01-31T12:00:00Z")
_TIMES = ("lastTransitionTime", "lastHeartbeatTime", "lastProbeTime")
FIRST_KINDS = {"Namespace": 0, "PriorityClass": 1, "StorageClass": 2, "Node": 3}
OTHER, POD, WAITING_POD = 4, 5, 6


def rank_of(kind: str) -> int:
    """What pods refer to comes first, pods last."""
    return POD if kind == "Pod" else FIRST_KINDS.get(kind, OTHER)


def order_of(manifest: Manifest) -> Order:
    """Waiting pods come last, oldest first: so they queue as they did in their cluster."""
    return (WAITING_POD, _created(manifest)) if _waits(manifest) else (rank_of(manifest["kind"]), 0)


def _waits(manifest: Manifest) -> bool:
    spec = manifest.get("spec") if manifest["kind"] == "Pod" else None
    return manifest["kind"] == "Pod" and not (isinstance(spec, dict) and spec.get("nodeName"))


def _created(manifest: Manifest) -> int:
    """Pods without a creation time were never in a cluster: they are the youngest."""
    at = _moment(manifest["metadata"].get("creationTimestamp"))
    return LATEST_US if at is None else at


def newest_us(manifests: Iterable[Manifest]) -> int | None:
    """The latest moment that any object speaks of, in µs since the epoch; None where none speaks of one."""
    seen = {text for manifest in manifests for text in _texts(manifest) if isinstance(text, str)}
    alike = [text for text in seen if len(text) == _LENGTH and text[-1] == "Z"]
    if len(alike) == len(seen) > 1 and (newest := _moment(max(alike))) is not None:
        return min(newest, LATEST_US)  # texts of one form sort as their moments do
    newest = max((at for at in map(_moment, seen) if at is not None), default=None)
    return None if newest is None else min(newest, LATEST_US)


def _texts(manifest: Manifest) -> Iterator[Any]:
    """When it was made, started, or last changed. Not the deletion time: that lies in the future."""
    yield manifest["metadata"].get("creationTimestamp")
    status = manifest.get("status")
    if not isinstance(status, dict):
        return
    yield status.get("startTime")
    conditions = status.get("conditions")
    for condition in conditions if isinstance(conditions, list) else ():
        if isinstance(condition, dict):
            yield from (condition.get(field) for field in _TIMES)


def _moment(text: Any) -> int | None:
    """µs since the epoch; None of what is no time."""
    try:
        return from_rfc3339(text)
    except (TypeError, ValueError):
        return None
