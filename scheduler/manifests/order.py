"""The order in which objects enter a cluster, and the moment at which its virtual clock starts."""

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler.engine.simulation.clock import LATEST_US, from_rfc3339

Manifest = dict[str, Any]
_TIMES = ("lastTransitionTime", "lastHeartbeatTime", "lastProbeTime")


def entry_order(manifests: Iterable[Manifest]) -> list[Manifest]:
    """File order, except that waiting pods come last, oldest first: so they queue as they did in their cluster."""
    placed: list[Manifest] = []
    waiting: list[Manifest] = []
    for manifest in manifests:
        (waiting if _waits(manifest) else placed).append(manifest)
    return placed + sorted(waiting, key=_created)


def _waits(manifest: Manifest) -> bool:
    return manifest["kind"] == "Pod" and not (manifest.get("spec") or {}).get("nodeName")


def _created(manifest: Manifest) -> int:
    """Pods without a creation time were never in a cluster: they are the youngest."""
    at = _moment(manifest["metadata"].get("creationTimestamp"))
    return LATEST_US if at is None else at


def newest_us(manifests: Iterable[Manifest]) -> int | None:
    """The latest moment that any object speaks of, in µs since the epoch; None where none speaks of one."""
    seen = {text for manifest in manifests for text in _texts(manifest) if isinstance(text, str)}
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
