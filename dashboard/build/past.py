"""The tables of nodes and pods as they were at an earlier event: made from the log, asked like the tables of now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from operator import attrgetter
from typing import Any

from django.db.models import Count, Model, Q, QuerySet

from dashboard.build.kept import Kept
from scheduler import store
from scheduler.manifests.export import cluster_objects
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services.past import objects_at
from scheduler.services.projection import Changes, prepare
from scheduler.services.projection.rebuild import history

KEPT = 4
_kept: Kept[tuple[Any, ...], dict[type[Model], list[Any]]] = Kept(KEPT)
_LOOKUPS: dict[str, Callable[[Any, Any], bool]] = {
    "exact": lambda value, wanted: bool(value == wanted),
    "iexact": lambda value, wanted: str(value).lower() == str(wanted).lower(),
    "icontains": lambda value, wanted: str(wanted).lower() in str(value).lower(),
    "contains": lambda value, wanted: str(wanted) in str(value),
    "startswith": lambda value, wanted: str(value).startswith(str(wanted)),
}


def as_of(cluster: Cluster, at: int) -> Cluster:
    """The cluster's row as it was at event `at`; `cluster.at` says that it is not the present one."""
    then = copy(cluster)
    at_us = Event.objects.filter(cluster=cluster, seq=at).values_list("at_us", flat=True).first()
    then.seq, then.now_us = at, cluster.start_us if at_us is None else at_us
    vars(then)["at"] = at
    return then


def is_past(cluster: Cluster) -> bool:
    """Whether it is a cluster as it was at an earlier event."""
    return getattr(cluster, "at", None) is not None


def rows_of(model: type[Model], cluster: Cluster) -> Any:
    """The nodes or pods of a cluster: a QuerySet of now, or of the past what views ask of one."""
    if not is_past(cluster):
        return model._default_manager.filter(cluster=cluster)
    return PastRows(model, _rows_at(cluster)[model])


def objects_of(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """The manifests of a cluster of now or of the past, in the order of `cluster_objects`."""
    return objects_at(cluster.pk, cluster.seq) if is_past(cluster) else cluster_objects(cluster)


def _rows_at(cluster: Cluster) -> dict[type[Model], list[Any]]:
    return _kept.of((cluster.pk, cluster.created, cluster.seq), lambda: _made(cluster))


def _made(cluster: Cluster) -> dict[type[Model], list[Any]]:
    changes = Changes.of(history(cluster.pk, cluster.seq))
    with store.reading(cluster.pk, cluster.seq) as simulation:
        made = prepare(cluster.pk, simulation, changes, (), everything=True).inserted
    found: dict[type[Model], list[Any]] = {Node: [], Pod: []}
    for row in made:
        if type(row) in found:
            found[type(row)].append(row)
    for node in found[Node]:
        node.cpu_share = node.requested_milli_cpu / node.milli_cpu if node.milli_cpu else 0.0
        node.memory_share = node.requested_memory / node.memory if node.memory else 0.0
    return found


class PastRows:
    """As much of a QuerySet as the pages use; every call gives a new one."""

    def __init__(self, model: type[Model], rows: list[Any]) -> None:
        self.model, self._rows = model, rows

    def filter(self, *conditions: Q, **exact: Any) -> PastRows:
        wanted = Q(*conditions, **exact)
        return PastRows(self.model, [row for row in self._rows if matches(row, wanted)])

    def annotate(self, **_: Any) -> PastRows:
        """The shares that nodes are sorted by are there already."""
        return self

    def order_by(self, *fields: str) -> PastRows:
        rows = list(self._rows)
        for name in reversed(fields):
            rows.sort(key=attrgetter(name.removeprefix("-")), reverse=name.startswith("-"))
        return PastRows(self.model, rows)

    def reverse(self) -> PastRows:
        return PastRows(self.model, self._rows[::-1])

    def first(self) -> Any:
        return self._rows[0] if self._rows else None

    def count(self) -> int:
        return len(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __getitem__(self, place: Any) -> Any:
        return self._rows[place]

    def counted(self, field: str) -> Counter[Any]:
        return Counter(getattr(row, field) for row in self._rows)

    def total(self, field: str) -> int:
        return sum(getattr(row, field) for row in self._rows)


def counted(rows: QuerySet[Any] | PastRows, field: str) -> Counter[Any]:
    """Values of a field with how many rows have each."""
    if isinstance(rows, PastRows):
        return rows.counted(field)
    return Counter(dict(rows.order_by().values_list(field).annotate(rows=Count("pk"))))


def matches(row: Any, wanted: Q) -> bool:
    """Whether a row fulfils a condition as the database would see it."""
    found = (matches(row, part) if isinstance(part, Q) else _holds(row, part) for part in wanted.children)
    answer = any(found) if wanted.connector == Q.OR and wanted.children else all(found)
    return answer != wanted.negated


def _holds(row: Any, condition: Any) -> bool:
    path, wanted = condition
    name, _, lookup = str(path).partition("__")
    return _LOOKUPS[lookup or "exact"](getattr(row, name), wanted)
