"""Map, reduce and sum of an attempt in this process, with what is kept of earlier ones. The result is `add_up`'s.

The layers that no algorithm needed to look at are made only if somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from scheduler.engine.framework import Int64Array, Nodes, Plugin
from scheduler.engine.local_scores import LocalScores, is_in_range
from scheduler.engine.scores import Scores, add_up, choose

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle
    from scheduler.engine.memo import Memo
    from scheduler.engine.prepared import Scoring

_WORTH_KEEPING = 8
"""Where less than the eighth part of the nodes is feasible, keeping answers for all of them would cost more."""


def total_up(cycle: Cycle) -> Scores:
    """Raises ScoreError for a score outside 0…100."""
    scoring = cycle.scoring
    memo = scoring.columns.memo if scoring is not None and not cycle.extra_scores else None
    if scoring is None or memo is None or len(scoring.rows) * _WORTH_KEEPING < scoring.columns.size:
        return add_up(cycle, *cycle.map_and_reduce())
    scores = _with_memo(cycle, scoring, memo)
    # Whoever scores out of range is to be named as without anything kept.
    return add_up(cycle, *cycle.map_and_reduce()) if scores is None else scores


def _with_memo(cycle: Cycle, scoring: Scoring, memo: Memo) -> Scores | None:
    """None if a score is out of range."""
    local, others = _local(cycle, scoring, memo)
    if not local.is_valid:
        return None
    nodes, weights = scoring.nodes, {name: cycle.profile.weight(name) or 1 for name in scoring.plugins}
    totals = local.total if nodes.is_all else local.total[nodes.rows]
    raw: dict[str, Int64Array] = {}
    normalized: dict[str, Int64Array] = {}
    for name, plugin in scoring.plugins.items():
        if name in local.summed:
            continue
        raw[name] = plugin.score(scoring, nodes) if plugin in others else nodes.take(local.raw[name])
        row = normalized[name] = _reduced(scoring, nodes, local, plugin, raw[name])
        if not is_in_range(row):
            return None
        totals = totals + (row if weights[name] == 1 else row * weights[name])
    lazy = lambda name: nodes.take(local.raw[name])  # noqa: E731
    names = list(scoring.plugins)
    return choose(cycle, _Layer(names, raw, lazy), _Layer(names, normalized, lazy), weights, totals)


def _local(cycle: Cycle, scoring: Scoring, memo: Memo) -> tuple[LocalScores, tuple[Plugin, ...]]:
    """What is kept of algorithms that score each node by itself, up to date; and the other algorithms."""
    group = cycle.line_up.scorers(cycle.pod, cycle.asked, tuple(cycle.skipped_scores))
    local: LocalScores | None = memo.take(group.key)
    if local is None:
        local = LocalScores(scoring, group.local, lambda name: cycle.profile.weight(name) or 1)
    else:
        local.renew(scoring)
    memo.put(group.key, local, local.arrays)
    return local, group.others


def _reduced(scoring: Scoring, nodes: Nodes, local: LocalScores, plugin: Plugin, raw: Int64Array) -> Int64Array:
    if not plugin.implements("normalize"):
        return raw
    return local.normalized(scoring, plugin, raw) if nodes.is_all else plugin.normalize(scoring, raw)


class _Layer(Mapping[str, Int64Array]):
    """A row for each algorithm, in order; those that are not there yet are made when asked for."""

    def __init__(self, names: list[str], rows: dict[str, Int64Array], make: Callable[[str], Int64Array]) -> None:
        self._names = names
        self._rows = rows
        self._make = make

    def __getitem__(self, name: str) -> Int64Array:
        if name not in self._rows and name in self._names:
            self._rows[name] = self._make(name)
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
