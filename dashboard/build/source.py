"""Where the builders get a cycle from: the log says what was decided, the state of its Pop says everything else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from dashboard.build.attempt import Attempt, attempt
from dashboard.build.cycle import cycle_view
from dashboard.build.filters import tile_marks
from dashboard.build.kept import Kept
from dashboard.build.records import CycleRecord, cycle_record, last_cycle
from dashboard.build.tile_rows import Marks
from dashboard.payloads.cycle import CycleView
from scheduler import execution, store
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster

KEPT = 16


class Drawn(NamedTuple):
    """A cycle as it is drawn: its view, and what it writes on the nodes' tiles."""

    view: CycleView
    marks: Marks


_kept: Kept[tuple[Any, ...], Drawn] = Kept(KEPT)


@contextmanager
def attempt_of(cluster: Cluster, record: CycleRecord) -> Iterator[Attempt]:
    """The cycle computed again, its cluster's state lent meanwhile."""
    with store.reading(cluster.pk, record.popped_seq) as simulation:
        yield _attempt(simulation, cluster.pk, record)


def drawn(cluster: Cluster, record: CycleRecord) -> Drawn:
    """A cycle's view, from the cache if it was drawn before at the same phase. Shared: read only."""
    key = (cluster.pk, cluster.created, record.popped_seq, record.phase, record.finished_seq)
    if found := _kept.get(key):
        return found
    with attempt_of(cluster, record) as made:
        return _kept.put(key, Drawn(cycle_view(made), tile_marks(made)))


def newest(cluster: Cluster, seq: int) -> Drawn | None:
    """The open cycle at `seq`, else the last one before; None before the first."""
    number = last_cycle(cluster.pk, seq)
    record = cycle_record(cluster.pk, number, seq) if number is not None else None
    return drawn(cluster, record) if record else None


def _attempt(simulation: Simulation, cluster_id: int, record: CycleRecord) -> Attempt:
    report = execution.report_of(cluster_id, record.number)
    return attempt(simulation.cycle_for_open(), record, dict(report) if report else None)
