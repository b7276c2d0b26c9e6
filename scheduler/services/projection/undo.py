"""What an undo does to the tables: only what the undone events touched is made again, from its own part of the log."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.events import Event
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Event as EventRow
from scheduler.models import Node
from scheduler.services.projection.changes import Changes
from scheduler.services.projection.prepare import prepare, usage_of
from scheduler.services.projection.rebuild import whole
from scheduler.services.projection.tables import SUM_COLUMNS, Rows, chunks
from scheduler.store import Stretch

OF_THE_CONFIGURATION = ("ClusterCreated", "ProfileChanged")


def undone(cluster_id: int, simulation: Simulation, head: int, to_seq: int, later: Sequence[Event] = ()) -> Rows:
    """The rows that turn the tables of `head` into those of `to_seq` and `later` events; `simulation` is that state."""
    before, after = store.lineage(cluster_id, head), store.lineage(cluster_id, to_seq)
    apart = [*without(before, after), *without(after, before)]
    if _length(apart) > _length(after):
        return whole(cluster_id, simulation, to_seq, later)
    touched = Changes.of(chain(_events(cluster_id, apart), later))
    keys = _keys(touched)
    past = _history(cluster_id, keys, after, touched.configuration is not None)
    changes = Changes.of(chain(past, later))
    for key in touched.pods:
        changes.pods.setdefault(key, {})
    rows = prepare(cluster_id, simulation, changes, _nodes_to_sum(cluster_id, simulation), everything=True)
    rows.wipe, rows.deleted = False, keys
    return rows


def without(these: Sequence[Stretch], those: Sequence[Stretch]) -> Iterator[Stretch]:
    """What of `these` lies outside of `those`; both in order, none overlapping another of its own."""
    for stretch in these:
        after = stretch.after
        for other in those:
            if other.last > after and other.after < stretch.last:
                if other.after > after:
                    yield Stretch(after, other.after)
                after = other.last
        if after < stretch.last:
            yield Stretch(after, stretch.last)


def _length(stretches: Iterable[Stretch]) -> int:
    return sum(stretch.last - stretch.after for stretch in stretches)


def _events(cluster_id: int, stretches: Iterable[Stretch]) -> Iterator[Event]:
    for stretch in stretches:
        yield from store.events_between(cluster_id, stretch.after, stretch.last)


def _keys(touched: Changes) -> set[ObjectKey]:
    pods: set[ObjectKey] = {("Pod", *key) for key in chain(touched.pods, touched.patches)}
    return pods | touched.objects.keys() | touched.deleted | touched.merges.keys()


def _history(cluster_id: int, keys: set[ObjectKey], lineage: Sequence[Stretch], configured: bool) -> list[Event]:
    """The events about these objects, and if `configured` those about the profiles, that count in `lineage`."""
    rows = EventRow.objects.filter(cluster_id=cluster_id, seq__lte=lineage[-1].last)
    found = [rows.filter(object_key__in=chunk) for chunk in chunks(sorted("/".join(key) for key in keys))]
    if configured:
        found.append(rows.filter(kind__in=OF_THE_CONFIGURATION))
    columns = ("seq", "at_us", "version", "kind", "payload")
    told = chain.from_iterable(rows.order_by().values_list(*columns) for rows in found)
    counting = [row for row in told if any(part.after < row[0] <= part.last for part in lineage)]
    return [codec.event_from_row(*row) for row in sorted(counting, key=lambda row: row[0])]


def _nodes_to_sum(cluster_id: int, simulation: Simulation) -> list[str]:
    """Nodes that stand in the tables with other sums than they have."""
    stored = Node.objects.filter(cluster_id=cluster_id).values_list("name", *SUM_COLUMNS)
    return [name for name, *sums in stored if usage_of(simulation, name) != tuple(sums)]
