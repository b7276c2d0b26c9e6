"""What people changed in clusters lately, from the logs: whichever page or command they did it by."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from dashboard.build.acted import statuses_written
from dashboard.build.marks import DONE, OBJECT_KINDS, SCENARIO_KINDS, mark
from scheduler import store
from scheduler.engine.words import count
from scheduler.models import Cluster, Event

KINDS = (*OBJECT_KINDS, *SCENARIO_KINDS, "ProfileChanged", "Reset")
LOOKED = 20_000  # events of a cluster that are looked at
CLUSTERS = 20  # the youngest
SINGLY = 3  # more of one sort in a row are counted
NEWEST = 200


@dataclass(frozen=True, slots=True)
class Deed:
    """`seq`: the event, or the last of several."""

    cluster: Cluster
    seq: int
    actor: str
    text: str


def deeds(limit: int) -> list[Deed]:
    """The newest first, over all clusters. What a cluster was made with is not among them."""
    rows = [row for cluster in Cluster.objects.order_by("-pk")[:CLUSTERS] for row in _of(cluster)]
    rows.sort(key=lambda row: row.pk, reverse=True)
    made = (deed for _, run in groupby(rows, _sort) for deed in _told(list(run)))
    return [deed for deed, _ in zip(made, range(limit), strict=False)]


def _of(cluster: Cluster) -> Iterator[Event]:
    first = max(store.born_seq(cluster.pk), cluster.seq - LOOKED)
    rows = Event.objects.filter(cluster=cluster, seq__gt=first, kind__in=KINDS).exclude(actor="")
    for row in rows.exclude(statuses_written()).order_by("-seq").defer("payload")[:NEWEST]:
        row.cluster = cluster
        yield row


def _sort(row: Event) -> tuple[int, str, str, str]:
    return row.cluster_id, row.actor, row.kind, row.object_key.partition("/")[0]


def _told(run: list[Event]) -> Iterator[Deed]:
    newest = run[0]
    if len(run) > SINGLY and newest.kind in DONE:
        kind = newest.object_key.partition("/")[0]
        several = kind + ("es" if kind.endswith("s") else "s")
        many = f"{'at least ' * (len(run) == NEWEST)}{count(len(run), kind, several)} {DONE[newest.kind]}"
        yield Deed(newest.cluster, newest.seq, newest.actor, many)
        return
    for row in run:
        title = mark(row, {} if row.kind in DONE else row.payload)["title"]
        title = title.replace("Back to", "Went back to") if row.kind == "Reset" else title
        yield Deed(row.cluster, row.seq, row.actor, title)
