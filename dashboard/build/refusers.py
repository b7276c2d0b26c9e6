"""Who keeps a pod waiting: plugins by the number of nodes that each refused at the last attempt."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Max

from scheduler.models import Event

CHUNK = 500
Refusers = dict[str, Counter[str]]


def last_refusers(cluster_id: int, keys: Iterable[str], up_to: int) -> Refusers:
    """Nodes by plugin of each pod's newest cycle up to that event, by `namespace/name`; none: left out."""
    newest: list[int] = []
    for chunk in _chunks([f"Pod/{key}" for key in keys]):
        ended = Event.objects.filter(cluster_id=cluster_id, object_key__in=chunk, kind="CycleFinished", seq__lte=up_to)
        newest += ended.order_by().values_list("object_key").annotate(last=Max("seq")).values_list("last", flat=True)
    rows = Event.objects.filter(cluster_id=cluster_id, seq__in=newest)
    return {payload["pod"]: _counted(payload["decision"]) for payload in rows.values_list("payload", flat=True)}


def _counted(decision: dict[str, Any]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in decision.get("refusals", ()):
        found[one["plugin"]] += one["count"]
    return found


def by_nodes(plugins: list[str], refused: Counter[str]) -> list[str]:
    """Those that refused most nodes first; of equals the order stays."""
    return sorted(plugins, key=lambda plugin: -refused[plugin])


def _chunks(values: list[str]) -> Iterator[list[str]]:
    return (values[first : first + CHUNK] for first in range(0, len(values), CHUNK))
