"""Answers kept from one pod to the next of the same shape; only rows that changed since are asked again.

What is kept is invisible in results: a test runs the same workload with and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.change_log import ChangeLog
from scheduler.engine.framework import Int64Array, Nodes, Reads, Status, Verdict

if TYPE_CHECKING:
    from scheduler.engine.columns import Columns

KEPT_BYTES = 64 * 2**20
_FEW_ROWS = 8
_MANY_ANSWERS = 4096

Compute: TypeAlias = Callable[[Nodes], NDArray[Any]]


@dataclass(slots=True)
class _Kept:
    """`read`: the columns that the answers follow from, where it is them alone; `answers`: by what stood in a row."""

    reads: Reads
    position: int
    values: NDArray[Any]
    read: Sequence[Any] = ()
    answers: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    numbers: dict[Status, int] = field(default_factory=dict)
    verdict: Verdict | None = None


class Memo:
    """At most `KEPT_BYTES` of arrays over all rows, the least recently used given up first.

    Threads that read one snapshot at the same time may do the same work twice, with the same result.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._kept: dict[Hashable, _Kept] = {}
        self._limit = max(64, KEPT_BYTES // (8 * max(1, columns.size)))

    def scores(self, key: Hashable, reads: Reads, compute: Compute) -> Int64Array:
        """int64 over all rows. Valid until the columns change."""
        kept = self._kept.pop(key, None)
        changed = self._changed(kept)
        if kept is None or changed is None:
            kept = self._anew(reads, compute)
        elif changed:
            self._renew(kept, changed, compute)
        self._keep(key, kept)
        return kept.values

    def verdict(self, key: Hashable, reads: Reads, compute: Callable[[Nodes], Verdict]) -> Verdict:
        """A filter's verdict over all rows. Valid until the columns change."""
        kept = self._kept.pop(key, None)
        changed = self._changed(kept)
        if kept is None or changed is None:
            kept = self._verdict_anew(reads, compute)
        elif changed:
            self._renew_verdict(kept, changed, compute)
        self._keep(key, kept)
        assert kept.verdict is not None
        return kept.verdict

    # --- the whole ----------------------------------------------------------------------------------------------------

    def _anew(self, reads: Reads, compute: Compute) -> _Kept:
        position = self._log(reads).position
        if reads != "columns":
            return _Kept(reads, position, compute(self._columns.all_nodes))
        recorder = self._columns.recorder()
        values = compute(recorder.all_nodes)
        return _Kept(reads, position, values, tuple(recorder.keys))

    def _verdict_anew(self, reads: Reads, compute: Callable[[Nodes], Verdict]) -> _Kept:
        statuses: tuple[Status, ...] = ()

        def index(nodes: Nodes) -> NDArray[Any]:
            nonlocal statuses
            verdict = compute(nodes)
            statuses = verdict.statuses
            return verdict.index

        kept = self._anew(reads, index)
        kept.numbers = {status: number for number, status in enumerate(statuses)}
        kept.verdict = Verdict.of(kept.values, statuses)
        return kept

    # --- some rows ----------------------------------------------------------------------------------------------------

    def _renew(self, kept: _Kept, rows: list[int], compute: Compute) -> None:
        """Ask some rows again; where a row stands as another did before, the answer is known already."""
        position = self._log(kept.reads).position
        if kept.reads != "columns" or len(rows) > _FEW_ROWS:
            asked = np.array(rows, np.int64)
            kept.values[asked] = compute(Nodes(self._columns, asked))
        else:
            vectors = [self._columns[key] for key in kept.read]
            for row in rows:
                kept.values[row] = self._known(kept, vectors, row, compute)
        kept.position = position

    def _known(self, kept: _Kept, vectors: list[NDArray[Any]], row: int, compute: Compute) -> Any:
        state = tuple([vector.item(row) for vector in vectors])
        answer = kept.answers.get(state)
        if answer is None:
            if len(kept.answers) >= _MANY_ANSWERS:
                kept.answers.clear()
            answer = kept.answers[state] = compute(Nodes(self._columns, np.array([row], np.int64))).item(0)
        return answer

    def _renew_verdict(self, kept: _Kept, rows: list[int], compute: Callable[[Nodes], Verdict]) -> None:
        """Write a verdict on some rows into the kept one, whose list of statuses may grow."""
        before = np.count_nonzero(kept.values[rows])

        def index(nodes: Nodes) -> NDArray[Any]:
            verdict = compute(nodes)
            numbers = [kept.numbers.setdefault(status, len(kept.numbers)) for status in verdict.statuses]
            return np.array(numbers, np.int16)[verdict.index]

        self._renew(kept, rows, index)
        assert kept.verdict is not None
        refused = kept.verdict.refused + int(np.count_nonzero(kept.values[rows]) - before)
        kept.verdict = Verdict(kept.values, tuple(kept.numbers), refused)

    # --- inner --------------------------------------------------------------------------------------------------------

    def _log(self, reads: Reads) -> ChangeLog:
        return self._columns.node_log if reads == "node" else self._columns.pod_log

    def _changed(self, kept: _Kept | None) -> list[int] | None:
        """The rows to ask again, each once; None means all of them."""
        if kept is None:
            return None
        log = self._log(kept.reads)
        if kept.position == log.position:
            return []
        changed = log.since(kept.position)
        if changed is None or len(changed) * 4 > self._columns.size:
            return None
        return list(dict.fromkeys(changed)) if len(changed) > 1 else changed

    def _keep(self, key: Hashable, kept: _Kept) -> None:
        self._kept[key] = kept
        if len(self._kept) > self._limit:
            self._kept.pop(next(iter(self._kept)), None)
