"""The last cycles as every node met them: computed again once, kept as columns, asked for one node at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.build.attempt import Attempt
from dashboard.build.kept import Kept
from dashboard.build.records import CycleRecord, counting, cycle_records
from dashboard.build.source import attempt_of
from scheduler.engine.framework import Int64Array
from scheduler.models import Cluster, Event

CYCLES = 40
KEPT = 2


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One ended cycle. `place`: by row, a node's place among the feasible, -1 for others; `why`: by row, a place in
    `reasons`, -1 for a node that was not refused. `totals` and `weighted` are over the feasible, None if not scored.
    """

    record: CycleRecord
    row_of: dict[str, int]
    place: NDArray[np.int32]
    why: NDArray[np.int32]
    reasons: list[str]
    totals: Int64Array | None
    weighted: dict[str, Int64Array]


_kept: Kept[tuple[Any, ...], list[Seen]] = Kept(KEPT)
_mutex = Lock()  # 40 attempts are computed once, not by everybody who asks meanwhile


def last_cycles(cluster: Cluster) -> list[Seen]:
    """Oldest first, 40 at most, as they stood at the cluster's seq. Lent states are taken one after the other."""
    ended = Event.objects.filter(counting(cluster.pk, cluster.seq), cluster=cluster, kind="CycleFinished")
    numbers = list(ended.order_by("-seq").values_list("cycle", flat=True)[:CYCLES])
    key = (cluster.pk, cluster.created, *numbers)
    with _mutex:
        if (found := _kept.get(key)) is not None:
            return found
        records = cycle_records(cluster.pk, numbers, cluster.seq)
        return _kept.put(key, list(_computed(cluster, records[::-1], set(numbers))))


def _computed(cluster: Cluster, records: list[CycleRecord], numbers: set[int | None]) -> Iterator[Seen]:
    for record in records:
        if record.decision is not None and record.number in numbers:
            with attempt_of(cluster, record) as made:
                if not made.lost:
                    yield _seen(made, record)


def _seen(made: Attempt, record: CycleRecord) -> Seen:
    cycle, size = made.cycle, len(made.trace.names)
    place, why = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    place[cycle.feasible] = np.arange(len(cycle.feasible))
    reasons: list[str] = []
    for status, rows in made.trace.diagnosis.all_groups():
        why[rows] = len(reasons)
        reasons.append(", ".join(status.reasons) or status.plugin)
    scores = made.scores
    weighted = {}
    if scores is not None:
        layer = made.layer(made.normalized, weighted=True)
        weighted = {name: row for name, row in zip(made.names, layer, strict=True) if row is not None}
    return Seen(record, cycle.snapshot.row_of, place, why, reasons, scores.totals if scores else None, weighted)
