"""What people changed in clusters lately, from the logs: whichever page or command they did it by."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby, islice

from dashboard.build.acted import statuses_written
from dashboard.build.marks import DONE, OBJECT_KINDS, SCENARIO_KINDS, mark
from scheduler import store
from scheduler.engine.words import count
from scheduler.models import Cluster, Event

KINDS = (*OBJECT_KINDS, *SCENARIO_KINDS, "ProfileChanged", "Reset")
LOOKED = 50_000  # events of a cluster that are looked at
CLUSTERS = 100  # the youngest
SINGLY = 3  # more of one sort in a row are counted
CHUNK = 200


@dataclass(frozen=True, slots=True)
class Deed:
    """`seq`: the event, or the last of several. `order` grows over all clusters."""

    cluster: Cluster
    seq: int
    order: int
    actor: str
    text: str


def deeds(limit: int) -> list[Deed]:
    """The newest first, over all clusters. What a cluster was made with is not among them."""
    each = map(_of, Cluster.objects.order_by("-pk")[:CLUSTERS])
    return list(islice(merge(*each, key=lambda deed: deed.order, reverse=True), limit))


def _of(cluster: Cluster) -> Iterator[Deed]:
    first = max(store.born_seq(cluster.pk), cluster.seq - LOOKED)
    rows = Event.objects.filter(cluster=cluster, seq__gt=first, kind__in=KINDS).exclude(actor="")
    newest = rows.exclude(statuses_written()).order_by("-seq").defer("payload").iterator(CHUNK)
    for _, run in groupby(newest, lambda row: (row.actor, row.kind, row.object_key.partition("/")[0])):
        yield from _told(cluster, run)


def _told(cluster: Cluster, run: Iterator[Event]) -> Iterator[Deed]:
    rows = list(islice(run, SINGLY + 1))
    newest = rows[0]
    if len(rows) > SINGLY and newest.kind in DONE:
        kind = newest.object_key.partition("/")[0]
        many = count(len(rows) + sum(1 for _ in run), kind, kind + ("es" if kind.endswith("s") else "s"))
        yield _deed(cluster, newest, f"{many} {DONE[newest.kind]}")
        return
    for row in chain(rows, run):
        title = mark(row, {} if row.kind in DONE else row.payload)["title"]
        yield _deed(cluster, row, title.replace("Back to", "Went back to") if row.kind == "Reset" else title)


def _deed(cluster: Cluster, row: Event, text: str) -> Deed:
    return Deed(cluster, row.seq, row.pk, row.actor, text)
