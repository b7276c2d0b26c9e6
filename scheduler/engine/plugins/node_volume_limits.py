"""A CSI driver can attach only so many volumes to a node. Source: v1.34.1 plugins/nodevolumelimits/csi.go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import (
    SKIP,
    SUCCESS,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    unschedulable,
)
from scheduler.engine.node_info import NodeInfo
from scheduler.engine.objects import Pod
from scheduler.engine.snapshot import Snapshot
from scheduler.engine.volumes import counting
from scheduler.engine.volumes.counting import Attached, Volumes
from scheduler.engine.volumes.csi import COUNTED
from scheduler.engine.volumes.csi_nodes import NO_LIMIT, CSINodes
from scheduler.engine.volumes.placed import on_nodes

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle

_EXCEEDED = unschedulable("node(s) exceed max volume count")
_NOTHING = Attached({})


class _Demand(NamedTuple):
    """What a node gets to hold for one driver."""

    driver: str
    new: int
    attached: int
    limit: int


class _State:
    """What the pod brings and what nodes allow: the same whatever pods are on the nodes."""

    def __init__(self, snapshot: Snapshot, pod: Pod) -> None:
        csi_nodes = CSINodes(snapshot)
        self.plugins, self.limited = csi_nodes.plugins(), csi_nodes.limited()
        self.new = [counting.volumes_of(snapshot, pod, plugins, is_new=True) for plugins in COUNTED]
        drivers = {driver for one in self.new if not isinstance(one, Status) for driver in one.values()}
        self.limits: dict[str, Int64Array] = {driver: csi_nodes.limit(driver) for driver in sorted(drivers)}
        rows = snapshot.row_of
        self.attachments = {rows[name]: one for name, one in counting.attachments(snapshot).items() if name in rows}

    @cached_property
    def if_empty(self) -> Verdict:
        """The answer of all rows if no volume were attached anywhere."""
        index = np.zeros(len(self.plugins), np.int16)
        statuses = {SUCCESS: 0, _EXCEEDED: 1}
        for number, new in enumerate(self.new):
            here = self.plugins == number
            if isinstance(new, Status):
                index[here] = statuses.setdefault(new, len(statuses))
            else:
                index[here & self._is_too_much(new)] = 1
        return Verdict.of(index, tuple(statuses))

    def _is_too_much(self, new: Volumes) -> NDArray[np.bool_]:
        is_over = np.zeros(len(self.plugins), np.bool_)
        for driver, number in Counter(new.values()).items():
            is_over |= number > self.limits[driver]
        return is_over

    def new_on(self, row: int) -> Volumes:
        """The pod's volumes that count on a node; none where nothing is counted."""
        new = self.new[self.plugins[row]]
        return new if self.limited[row] and not isinstance(new, Status) else {}

    def demand(self, row: int, attached: Attached) -> Iterator[_Demand]:
        """By driver, for those that get new volumes on the node. Ones that only an attachment knows count as well."""
        idle = Counter(
            driver for unique, driver in self.attachments.get(row, {}).items() if unique not in attached.volumes
        )
        new = Counter(driver for unique, driver in self.new_on(row).items() if unique not in attached.volumes)
        for driver, number in new.items():
            held = attached.counts[driver] + idle[driver]
            yield _Demand(driver, number, held, int(self.limits[driver][row]))


class NodeVolumeLimits(Plugin):
    name = "NodeVolumeLimits"

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        pod = cycle.pod.pod
        if not any(counting.is_counted(volume) for volume in pod.spec.volumes or ()):
            return PreFilterResult(SKIP)
        cycle.state[self.name] = _State(cycle.snapshot, pod)
        return PreFilterResult()

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _State = cycle.state[self.name]
        index = state.if_empty.index[nodes.rows]
        statuses = {status: number for number, status in enumerate(state.if_empty.statuses)}
        for place, attached in _attached(cycle.snapshot, state, nodes):
            row = int(nodes.rows[place])
            if state.new_on(row):
                status = attached.fault or _limit(state, row, attached)
                index[place] = statuses.setdefault(status, len(statuses))
        return Verdict.of(index, tuple(statuses))

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Each driver's new volumes against its limit less what is attached."""
        state: _State = cycle.state[self.name]
        nodes = Nodes(cycle.snapshot.columns, np.array([row], np.int64))
        attached = dict(_attached(cycle.snapshot, state, nodes)).get(0, _NOTHING)
        return [
            Step(one.driver, "fits", (one.new, one.limit, one.attached), one.new <= one.limit - one.attached)
            for one in state.demand(row, attached)
            if one.limit != NO_LIMIT
        ]


def _attached(snapshot: Snapshot, state: _State, nodes: Nodes) -> list[tuple[int, Attached]]:
    """(place in the range, volumes of the pods there) where there are any or something is attached."""

    def of_node(info: NodeInfo) -> Attached:
        return counting.attached(snapshot, info.pods, COUNTED[state.plugins[snapshot.row_of[info.name]]])

    used = dict(on_nodes(snapshot, nodes, ("attached", *snapshot.version(*counting.KINDS)), of_node))
    idle = np.flatnonzero(np.isin(nodes.rows, list(state.attachments))).tolist() if state.attachments else []
    return [*used.items(), *((place, _NOTHING) for place in idle if place not in used)]


def _limit(state: _State, row: int, attached: Attached) -> Status:
    is_over = any(one.new + one.attached > one.limit for one in state.demand(row, attached))
    return _EXCEEDED if is_over else SUCCESS
