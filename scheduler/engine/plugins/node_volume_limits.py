"""A CSI driver can attach only so many volumes to a node. Source: v1.34.1 plugins/nodevolumelimits/csi.go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.explain.checks import said, with_verdict
from scheduler.engine.framework import (
    SKIP,
    SUCCESS,
    BoolArray,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    unschedulable,
)
from scheduler.engine.objects import Pod
from scheduler.engine.volumes import counting
from scheduler.engine.volumes.counting import Attached, Volumes
from scheduler.engine.volumes.csi import COUNTED
from scheduler.engine.volumes.csi_nodes import NO_LIMIT, CSINodes
from scheduler.engine.volumes.held import Held, attachments_of_rows

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

_EXCEEDED = unschedulable("node(s) exceed max volume count")


class _Demand(NamedTuple):
    """What a node gets to hold for one driver."""

    driver: str
    new: int
    held: int
    limit: int


class _State:
    """What the pod brings and what nodes allow: the same whatever pods are on the nodes."""

    def __init__(self, snapshot: Snapshot, pod: Pod) -> None:
        csi_nodes = CSINodes(snapshot)
        self.plugins, self.limited = csi_nodes.plugins(), csi_nodes.limited() > 0
        self.new = [counting.volumes_of(snapshot, pod, plugins, is_new=True) for plugins in COUNTED]
        drivers = {driver for one in self.new if not isinstance(one, Status) for driver in one.values()}
        self.limits: dict[str, Int64Array] = {driver: csi_nodes.limit(driver) for driver in sorted(drivers)}
        self.attachments = attachments_of_rows(snapshot)

    def held(self, snapshot: Snapshot) -> Held:
        """`snapshot`: the attempt's own, or one with other pods on some nodes."""
        return Held(snapshot, self.plugins, self.attachments)

    def demand(self, row: int, attached: Attached) -> Iterator[_Demand]:
        """By driver, for those that get new volumes on the node."""
        new = self.new[self.plugins[row]]
        if isinstance(new, Status) or not self.limited[row]:
            return
        fresh = Counter(driver for unique, driver in new.items() if unique not in attached.volumes)
        for driver, number in fresh.items():
            yield _Demand(driver, number, attached.held(driver), int(self.limits[driver][row]))


class NodeVolumeLimits(Plugin):
    name = "NodeVolumeLimits"

    def concerns(self, pod: PodInfo) -> bool:
        return bool(pod.pod.spec.volumes)

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        pod = cycle.pod.pod
        if not any(counting.is_counted(volume) for volume in pod.spec.volumes or ()):
            return PreFilterResult(SKIP)
        cycle.state[self.name] = _State(cycle.snapshot, pod)
        return PreFilterResult()

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return self.pre_filter(cycle).status

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _State = cycle.state[self.name]
        held = state.held(cycle.snapshot)
        index, statuses = np.zeros(len(nodes), np.int16), {SUCCESS: 0, _EXCEEDED: 1}
        for number, new in enumerate(state.new):
            here = nodes.take(state.plugins) == number
            if isinstance(new, Status):
                index[here] = statuses.setdefault(new, len(statuses))
            elif new:
                for place, status in _close(state, held, nodes, here, new):
                    index[place] = statuses.setdefault(status, len(statuses))
        return Verdict.of(index, tuple(statuses))

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Each driver's new volumes against its limit less what the node holds."""
        state: _State = cycle.state[self.name]
        new, alone = state.new[state.plugins[row]], Nodes(cycle.snapshot.columns, np.array([row], np.int64))
        attached = state.held(cycle.snapshot).on_nodes(alone)[0]
        if isinstance(new, Status):
            return said(new.reasons, "the volumes of the pod cannot be told")
        if new and state.limited[row] and not attached.fault.is_success:
            return said(attached.fault.reasons, "the volumes on the node cannot be told")
        steps = [
            Step(one.driver, "attachable", (one.new, one.limit, one.held), one.new <= one.limit - one.held)
            for one in state.demand(row, attached)
            if one.limit != NO_LIMIT
        ]
        return with_verdict(steps, [(step.name, _EXCEEDED.message) for step in steps])


def _close(state: _State, held: Held, nodes: Nodes, here: BoolArray, new: Volumes) -> Iterator[tuple[int, Status]]:
    """(place, status) for each node on which all `new` volumes would be too many: some may be in use there already."""
    is_close = held.faults(nodes) > 0
    for driver, number in Counter(new.values()).items():
        is_close |= held.counts(nodes, driver) > nodes.take(state.limits[driver]) - number
    places = np.flatnonzero(is_close & here & nodes.take(state.limited))
    if len(places):
        attached = held.on_nodes(nodes)
        for place in places.tolist():
            yield place, _status(state, int(nodes.rows[place]), attached[place])


def _status(state: _State, row: int, attached: Attached) -> Status:
    if not attached.fault.is_success:
        return attached.fault
    return _EXCEEDED if any(one.new + one.held > one.limit for one in state.demand(row, attached)) else SUCCESS
