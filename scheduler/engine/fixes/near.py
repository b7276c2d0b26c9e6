"""Which filters keep a pod off which nodes, all of them asked everywhere: near misses are refused by one alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.framework import BoolArray, Code, Int64Array, Plugin

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


OF_THE_NODE = frozenset(
    {"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "VolumeZone", "VolumeBinding"}
)
"""What refuses a node for what it is, whatever runs on it: one more of its sort would be refused as well."""


def is_open_by_nature(cycle: Cycle) -> BoolArray:
    """Over all rows: whether a node would take the pod if nothing ran on it, room and the like left aside."""
    open_rows = np.ones(len(cycle.snapshot), np.bool_)
    for name, verdict in cycle.trace.everywhere.verdicts.items():
        if name in OF_THE_NODE and verdict.refused:
            open_rows &= verdict.index == 0
    return open_rows


@dataclass(frozen=True)
class Near:
    """`refused`: by filter, bool over all rows; filters that refuse nobody are left out. `times`: by how many each row
    is refused. `nominated`: rows that would pass, were it not for pods that preemption made room for there.
    `is_asked`: whether any filter could be asked.
    """

    cycle: Cycle
    refused: dict[str, BoolArray]
    times: Int64Array
    nominated: BoolArray
    is_asked: bool = True

    @classmethod
    def of(cls, cycle: Cycle) -> Near:
        """Of an attempt after Filter. Where PreFilter refused the pod, no filter was asked and nothing is near."""
        size = len(cycle.snapshot)
        if not cycle.pre_filter_status.is_success or cycle.error or not size:
            return cls(cycle, {}, np.zeros(size, np.int64), np.zeros(size, np.bool_), is_asked=False)
        everywhere = cycle.trace.everywhere
        refused = {name: verdict.index != 0 for name, verdict in everywhere.verdicts.items() if verdict.refused}
        nominated = np.zeros(size, np.bool_)
        nominated[list(everywhere.with_nominated)] = True
        return cls(cycle, refused, sum(refused.values(), np.zeros(size, np.int64)), nominated)

    def plugin(self, name: str) -> Plugin:
        return self.cycle.line_up.plugins[name]

    def alone(self, name: str) -> Int64Array:
        """Rows that this filter alone refuses."""
        return np.flatnonzero(self.refused[name] & (self.times == 1))

    @property
    def may_preempt(self) -> bool:
        """Whether on some node pods that leave could settle all that refuses it."""
        for_good = np.zeros(len(self.times), np.bool_)
        for name, verdict in self.cycle.trace.everywhere.verdicts.items() if self.is_asked else ():
            if name in self.refused:
                unresolvable = [one.code == Code.UNSCHEDULABLE_AND_UNRESOLVABLE for one in verdict.statuses]
                for_good |= np.array(unresolvable)[verdict.index]
        return self.is_asked and not bool(for_good.all())

    @property
    def silent(self) -> list[str]:
        """Of those that refuse the pod or its nodes, who does not know of any change (no hook `fixes`)."""
        names = [*self.refused, self.cycle.pre_filter_status.plugin]
        plugins = {name: self.cycle.line_up.plugins.get(name) for name in names}
        return [name for name, one in plugins.items() if one is not None and type(one).fixes is Plugin.fixes]

    def signatures(self, most: int) -> Iterator[tuple[tuple[str, ...], Int64Array]]:
        """Sets of two and more filters, at most `most`, with the rows that exactly they refuse: small sets first, then
        those of most rows.
        """
        names = list(self.refused)
        several = np.flatnonzero((self.times > 1) & (self.times <= most))
        if not len(several):
            return
        bits = sum((self.refused[name][several].astype(np.int64) << at for at, name in enumerate(names)), 0 * several)
        found, counts = np.unique(bits, return_counts=True)
        for at in sorted(range(len(found)), key=lambda at: (int(found[at]).bit_count(), -int(counts[at]))):
            sets = tuple(name for place, name in enumerate(names) if int(found[at]) >> place & 1)
            yield sets, several[bits == found[at]]
