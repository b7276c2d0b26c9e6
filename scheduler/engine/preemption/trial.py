"""A copy of an attempt in which pods leave some nodes and come back one by one, at the cost of the rows they touch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.filtering import node_status, run_filters
from scheduler.engine.framework import Code, Status

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


class Trial:
    """Several rows may be tried at once if no filter looks beyond its own row."""

    def __init__(self, cycle: Cycle, removed: Mapping[int, list[PodInfo]]) -> None:
        self.cycle = cycle.fork({}, removed)
        self._listening = [one for one in self.cycle.active_filters if one.implements("pods_changed")]

    def refusals(self, rows: Sequence[int]) -> dict[int, Status]:
        """Row → why the pod still does not fit there. Pods nominated to a node count as in any search."""
        if len(rows) == 1:
            status = node_status(self.cycle, rows[0])
            return {} if status.is_success else {rows[0]: _recorded(status)}
        filtered = run_filters(self.cycle, np.array(rows, np.int64))
        failures = filtered.first_failures(np.flatnonzero(~filtered.passed))
        return {rows[place]: _recorded(status) for status, places in failures for place in places.tolist()}

    def rows_that_fit(self, rows: Sequence[int]) -> list[int]:
        if len(rows) == 1:
            return [row for row in rows if node_status(self.cycle, row).is_success]
        passed = run_filters(self.cycle, np.array(rows, np.int64)).passed
        return [row for row, fits in zip(rows, passed.tolist(), strict=True) if fits]

    def leave_out(self, filters: Collection[str]) -> None:
        """Filters whose answers are known to stay the same."""
        self.cycle.skipped_filters = [*self.cycle.skipped_filters, *filters]

    def add(self, pods: Mapping[int, PodInfo]) -> None:
        """One pod a row."""
        infos = self.cycle.snapshot.infos
        for row, pod in pods.items():
            infos[row].add(pod)
        self._count(pods, 1)
        for plugin in self._listening:
            for row, pod in pods.items():
                plugin.pods_changed(self.cycle, row, [pod], [])

    def remove(self, pods: Mapping[int, PodInfo]) -> None:
        """One pod a row."""
        infos = self.cycle.snapshot.infos
        for row, pod in pods.items():
            infos[row].remove(pod)
        self._count(pods, -1)
        for plugin in self._listening:
            for row, pod in pods.items():
                plugin.pods_changed(self.cycle, row, [], [pod])

    def _count(self, pods: Mapping[int, PodInfo], sign: int) -> None:
        infos, columns = self.cycle.snapshot.infos, self.cycle.snapshot.columns
        columns.add_everywhere(list(pods), list(pods.values()), sign)
        for row, pod in pods.items():
            if pod.ports:
                columns.write_ports(row, len(infos[row].ports))


def _recorded(status: Status) -> Status:
    """An internal error of a filter carries its name."""
    if status.code is not Code.ERROR:
        return status
    return replace(status, reasons=(f'running "{status.plugin}" filter plugin: {status.message}',))
