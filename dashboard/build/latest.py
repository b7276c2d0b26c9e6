"""The newest event of a kind about each of some pods, read on from what an earlier picture of the cluster needed.

A board that is being watched asks for the same hundreds of pods several times a second, and their history grows.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet

from dashboard.build.kept import Kept
from dashboard.build.records import counting
from scheduler import store
from scheduler.models import Event

KEPT = 16  # clusters × kinds
READ_ON = 1_000  # events: over a longer way, asking for each pod is as cheap
MOST = 5_000  # pods that are remembered
CHUNK = 500  # parameters of a query


class Told(NamedTuple):
    """An event, as far as it is asked for."""

    seq: int
    at_us: int
    payload: dict[str, Any]


Newest = dict[str, Told | None]


class Known(NamedTuple):
    """What was found up to `seq`, by `namespace/name`; None: no such event."""

    seq: int
    newest: Newest


_known: Kept[tuple[int, datetime, str], Known] = Kept(KEPT)


def latest(cluster_id: int, kind: str, pods: Iterable[str], up_to: int) -> dict[str, Told]:
    """The newest event of that kind that counts at `up_to`, by `namespace/name` of `pods`. None: left out.

    Raises Cluster.DoesNotExist.
    """
    wanted = list(pods)
    if not wanted:
        return {}
    key = (*store.identity_of(cluster_id)[0], kind)
    known = _known.get(key)
    newest = _read_on(cluster_id, kind, known, up_to) if known and _leads(cluster_id, known.seq, up_to) else {}
    newest |= _asked(cluster_id, kind, [pod for pod in wanted if pod not in newest], up_to)
    if known is None or known.seq <= up_to:
        _known.put(key, Known(up_to, newest if len(newest) <= MOST else {pod: newest[pod] for pod in wanted}))
    return {pod: told for pod in wanted if (told := newest[pod])}


def _leads(cluster_id: int, after: int, up_to: int) -> bool:
    """Whether what counted at `after` counts at `up_to` too, not far on."""
    return after <= up_to <= after + READ_ON and not store.last_reset(cluster_id, after, up_to)


def _read_on(cluster_id: int, kind: str, known: Known, up_to: int) -> Newest:
    newest = dict(known.newest)
    if known.seq < up_to:
        rows = Event.objects.filter(cluster_id=cluster_id, kind=kind, seq__gt=known.seq, seq__lte=up_to)
        for told in _told(rows.order_by("seq")):
            if told.payload["pod"] in newest:
                newest[told.payload["pod"]] = told
    return newest


def _asked(cluster_id: int, kind: str, pods: list[str], up_to: int) -> Newest:
    if not pods:
        return {}
    # Within the aggregate, else SQLite goes through every event of the kind instead of those of the pods.
    last_seq = Max("seq", filter=Q(counting(cluster_id, up_to), kind=kind))
    last: list[int] = []
    for chunk in _chunks([f"Pod/{pod}" for pod in pods]):
        rows = Event.objects.filter(cluster_id=cluster_id, object_key__in=chunk).order_by().values_list("object_key")
        last += rows.annotate(last=last_seq).filter(last__isnull=False).values_list("last", flat=True)
    newest: Newest = dict.fromkeys(pods)
    for chunk in _chunks(last):
        for told in _told(Event.objects.filter(cluster_id=cluster_id, seq__in=chunk)):
            newest[told.payload["pod"]] = told
    return newest


def _told(rows: QuerySet[Event]) -> Iterator[Told]:
    return (Told(*row) for row in rows.values_list("seq", "at_us", "payload"))


def _chunks(values: list[Any]) -> Iterator[list[Any]]:
    return (values[first : first + CHUNK] for first in range(0, len(values), CHUNK))
