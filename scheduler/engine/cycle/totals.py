"""Map, reduce and sum of an attempt in this process, with what is kept of earlier ones. The result is `add_up`'s.

The layers that no algorithm needed to look at are made only if somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from scheduler.engine.cycle.scores import Scores, add_up, choose
from scheduler.engine.cycle.unprepared import raw as raw_of
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Int64Array
from scheduler.engine.memo.scores import LocalScores, reduced

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.line_up import Group
    from scheduler.engine.cycle.prepared import Scoring
    from scheduler.engine.memo.answers import Memo

_WORTH_KEEPING = 64
"""Where a smaller part of the nodes than this is feasible, keeping answers for all of them would cost more."""


def total_up(cycle: Cycle) -> Scores:
    """Raises ScoreError for a score outside 0…100, ScoreError or PluginError for an algorithm that fails."""
    scoring = cycle.scoring
    memo = scoring.columns.memo if scoring is not None and not cycle.extra_scores else None
    if scoring is None or memo is None or len(scoring.rows) * _WORTH_KEEPING < scoring.columns.size:
        return add_up(cycle, *cycle.map_and_reduce())
    try:
        scores = _with_memo(cycle, scoring, memo)
    except PluginError:  # perhaps on a node that is not feasible, which is asked only to be kept
        scores = None
    # Whoever fails or scores out of range is to be named as without anything kept.
    return add_up(cycle, *cycle.map_and_reduce()) if scores is None else scores


def _with_memo(cycle: Cycle, scoring: Scoring, memo: Memo) -> Scores | None:
    """None if a score is out of range."""
    group = cycle.line_up.scorers(cycle.pod, cycle.asked, tuple(cycle.skipped_scores))
    local, nodes, weights = _local(scoring, group, memo), scoring.nodes, group.weights
    if not local.is_valid:
        return None
    whole, raw, normalized = nodes.is_all, dict[str, Int64Array](), dict[str, Int64Array]()
    totals = local.whole(scoring) if whole else local.total[nodes.rows]
    if totals is None:
        return None
    for plugin, is_local in group.rest:
        if whole and is_local and plugin.score_reads == "node":
            continue
        name = plugin.name
        raw[name] = nodes.take(local.raw[name]) if is_local else raw_of(scoring, plugin, nodes)
        row = reduced(scoring, plugin, raw[name])
        if row is None:
            return None
        normalized[name] = row
        totals = totals + (row if weights[name] == 1 else row * weights[name])

    def make(name: str) -> Int64Array:
        return nodes.take(local.raw[name])

    def make_normalized(name: str) -> Int64Array:
        return make(name) if name not in local.fixed else local.fixed[name]

    return choose(cycle, _Layer(group, raw, make), _Layer(group, normalized, make_normalized), weights, totals)


def _local(scoring: Scoring, group: Group, memo: Memo) -> LocalScores:
    """What is kept of algorithms that score each node by itself, brought up to date."""
    local: LocalScores | None = memo.take(group.key)
    if local is None:
        local = LocalScores(scoring, group)
    else:
        local.renew(scoring)
    memo.put(group.key, local, local.arrays)
    return local


class _Layer(Mapping[str, Int64Array]):
    """A row for each algorithm, in order; those that are not there yet are made when asked for."""

    def __init__(self, group: Group, rows: dict[str, Int64Array], make: Callable[[str], Int64Array]) -> None:
        self._names = group.plugins
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
