"""Which nodes pass the filters: all of them asked at once, the answers read in the order of the search.

Source: kube-scheduler v1.34.1 schedule_one.go and framework/runtime/framework.go, RunFilterPluginsWithNominatedPods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.unprepared import verdict
from scheduler.engine.framework import SUCCESS, BoolArray, Code, Int64Array, Nodes, Status, Verdict
from scheduler.engine.memo.answers import Memo
from scheduler.engine.memo.facts import Waiting, facts
from scheduler.engine.memo.filters import LocalFilters
from scheduler.engine.objects import Pod

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.line_up import Group


@dataclass(slots=True)
class Filtered:
    """Every filter's verdict on the candidates. `rows[i]` is candidate i; verdicts and `passed` are parallel to it.

    `verdicts`: by plugin in filter order, skipped ones left out. `with_nominated`: candidates that fail once the pods
    nominated to them are counted, with that first failure; it goes before the verdicts.
    """

    rows: Int64Array
    verdicts: dict[str, Verdict]
    passed: BoolArray
    with_nominated: dict[int, Status] = field(default_factory=dict)

    def first_failures(self, positions: Int64Array) -> Iterator[tuple[Status, Int64Array]]:
        """(status, candidates) for the candidates among `positions` that failed, grouped by their first failure.

        Statuses of one filter come in the order in which they are met: their numbers depend on what is kept.
        """
        remaining = positions
        if self.with_nominated:
            left = np.zeros(len(self.rows), np.bool_)
            left[remaining] = True
            yield from self._failures_with_nominated(remaining, left)
            remaining = np.flatnonzero(left)
        for plugin, said in self.verdicts.items():
            if not said.refused:
                continue
            index = said.index[remaining]
            numbers, firsts = np.unique(index[index != 0], return_index=True)
            for number in numbers[np.argsort(firsts)].tolist():
                yield replace(said.statuses[number], plugin=plugin), remaining[index == number]
            remaining = remaining[index == 0]

    def _failures_with_nominated(self, positions: Int64Array, left: BoolArray) -> Iterator[tuple[Status, Int64Array]]:
        """Those among `positions` that fail because of nominated pods; `left` loses them."""
        overruled = np.array(list(self.with_nominated), np.int64)
        overruled = overruled[left[overruled]]
        left[overruled] = False
        turn = np.zeros(len(self.rows), np.int64)
        turn[positions] = np.arange(len(positions))
        grouped: dict[Status, list[int]] = {}
        for place in overruled[turn[overruled].argsort()].tolist():
            grouped.setdefault(self.with_nominated[place], []).append(place)
        yield from ((status, np.array(places, np.int64)) for status, places in grouped.items())

    def failures_of(self, position: int) -> list[Status]:
        """Every filter that refuses one candidate by itself, in filter order, nominated pods not counted."""
        return [
            replace(said.statuses[said.index[position]], plugin=plugin)
            for plugin, said in self.verdicts.items()
            if said.index[position]
        ]

    def failure_of(self, position: int) -> Status:
        """The status of one candidate as the search would record it."""
        if position in self.with_nominated:
            return self.with_nominated[position]
        return next(iter(self.failures_of(position)), SUCCESS)


def run_filters(cycle: Cycle, rows: Int64Array) -> Filtered:
    """All active filters over the candidates, then the second pass where pods are nominated."""
    nodes = Nodes(cycle.snapshot.columns, rows)
    if nodes.is_all and nodes.columns.memo is not None:
        filtered = _on_all(cycle, nodes, nodes.columns.memo)
    else:
        filtered = _by_all_filters(cycle, nodes)
    if cycle.nominated:
        filtered.passed = filtered.passed.copy()
        _count_nominated(cycle, filtered)
    return filtered


def filter_group(cycle: Cycle) -> Group:
    """The filters that run for the pod."""
    return cycle.line_up.filters(cycle.pod, cycle.asked, tuple(cycle.skipped_filters))


def _by_all_filters(cycle: Cycle, nodes: Nodes) -> Filtered:
    verdicts = {plugin.name: verdict(cycle, plugin, nodes) for plugin in cycle.active_filters}
    return Filtered(nodes.rows, verdicts, _pass(np.ones(len(nodes), np.bool_), verdicts.values()))


def _on_all(cycle: Cycle, nodes: Nodes, memo: Memo) -> Filtered:
    """The same on all rows, with what is kept of filters that judge each node by itself."""
    group = filter_group(cycle)
    local: LocalFilters | None = memo.take(group.key)
    if local is None:
        local = LocalFilters(cycle, group.local)
    else:
        local.renew(cycle)
    memo.put(group.key, local, local.arrays)
    if not group.others:
        return Filtered(nodes.rows, local.verdicts, local.passed)
    others = {plugin.name: verdict(cycle, plugin, nodes) for plugin in group.others}
    verdicts = {name: others.get(name) or local.verdicts[name] for name in group.plugins}
    return Filtered(nodes.rows, verdicts, _pass(local.passed, others.values()))


def _pass(passed: BoolArray, verdicts: Iterable[Verdict]) -> BoolArray:
    for one in verdicts:
        if one.refused:
            passed = passed & (one.index == 0)
    return passed


def _count_nominated(cycle: Cycle, filtered: Filtered) -> None:
    """First pass of filterWithNominated: a node must also do with the pods that wait for it.

    Only pods of at least this pod's priority count; each node is asked with its own nominated pods alone.
    """
    row_of = cycle.snapshot.row_of
    rows = {row_of[name]: name for name in cycle.nominated if name in row_of}
    if filtered.rows is cycle.snapshot.columns.all_rows:
        place_of = {row: row for row in rows}
    else:
        place_of = {row: place for place, row in enumerate(filtered.rows.tolist()) if row in rows}
    waiting = {row: pods for row, name in rows.items() if row in place_of and (pods := nominated_to(cycle, name))}
    for row, status in _failures_with(cycle, waiting).items():
        if not status.is_success:
            filtered.with_nominated[place_of[row]] = status
            filtered.passed[place_of[row]] = False


def _failures_with(cycle: Cycle, waiting: dict[int, Waiting]) -> dict[int, Status]:
    """Row → the first filter that fails there if these pods were on it, or success."""
    group = filter_group(cycle)
    if not waiting or group.others:
        return {row: first_failure_with(cycle, row, added=_infos(pods)) for row, pods in waiting.items()}

    def find(rows: list[int]) -> dict[int, Status]:
        changed = cycle.fork({row: _infos(waiting[row]) for row in rows}, {})
        filtered = _by_all_filters(changed, Nodes(changed.snapshot.columns, np.array(rows, np.int64)))
        return {row: filtered.failure_of(place) for place, row in enumerate(rows)}

    return facts(cycle.snapshot.columns, ("nominated", group.key), waiting, find)


def nominated_to(cycle: Cycle, name: str) -> Waiting:
    """Pods nominated to a node that this pod must leave room for."""
    nominated = cycle.nominated.get(name)
    if not nominated:
        return ()
    uid, priority = cycle.pod.uid, cycle.pod.priority
    return tuple([one for one in nominated if (one.uid or one.key) != uid and one.priority >= priority])


def waiting_for(cycle: Cycle, name: str) -> list[PodInfo]:
    """The same as algorithms meet them."""
    return _infos(nominated_to(cycle, name))


def _infos(pods: Iterable[Pod]) -> list[PodInfo]:
    return [PodInfo(one) for one in pods]


def node_status(cycle: Cycle, row: int) -> Status:
    """What the search would record for one node of a cycle or of a fork of it: both passes of filterWithNominated."""
    if waiting := waiting_for(cycle, cycle.snapshot.names[row]):
        status = first_failure_with(cycle, row, added=waiting)
        if not status.is_success:
            return status
    return first_failure(cycle, Nodes(cycle.snapshot.columns, np.array([row], np.int64)))


def first_failure_with(cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo] | None = None) -> Status:
    """The first failing filter on one node if pods were added to it and others removed, nominated ones not counted."""
    changed = cycle.fork({row: added}, {row: removed or []})
    nodes = Nodes(changed.snapshot.columns, np.array([row], np.int64))
    return first_failure(changed, nodes)


def first_failure(cycle: Cycle, nodes: Nodes) -> Status:
    """Filters on a single node until one refuses."""
    for plugin in cycle.active_filters:
        found = verdict(cycle, plugin, nodes)
        if found.refused:
            status: Status = replace(found.statuses[found.index[0]], plugin=plugin.name)
            return status
    return SUCCESS


def error_among(filtered: Filtered, positions: Int64Array) -> Status | None:
    """The first internal error that the search meets, if any."""
    errors = {
        int(place): status
        for status, places in filtered.first_failures(positions)
        if status.code is Code.ERROR
        for place in places
    }
    return next((errors[place] for place in positions.tolist() if place in errors), None)
