"""Some volumes are for one pod alone: disks that a pod names itself, and ReadWriteOncePod claims.

Source: v1.34.1 plugins/volumerestrictions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.claims import provide
from scheduler.engine.fixes.shared_claims import shared
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
    error,
    unresolvable,
    unschedulable,
)
from scheduler.engine.objects import Pod, Volume
from scheduler.engine.volumes.claims import claim_name, claim_not_found, claims_of, namespace_of
from scheduler.engine.volumes.disks import conflict, is_disk, plain
from scheduler.engine.volumes.placed import on_nodes

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

ONE_POD = "ReadWriteOncePod"
_DISK = unschedulable("node(s) had no available disk")
_IN_USE = unschedulable(
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)


@dataclass(slots=True)
class _State:
    """`alone`: names of the pod's ReadWriteOncePod claims; `users`: how many of them are in use."""

    disks: list[Volume]
    alone: frozenset[str]
    users: int

    def clone(self) -> _State:
        return replace(self)


class VolumeRestrictions(Plugin):
    name = "VolumeRestrictions"

    def concerns(self, pod: PodInfo) -> bool:
        return bool(pod.pod.spec.volumes)

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        pod, alone = cycle.pod.pod, set[str]()
        for claim in claims_of(pod, cycle.snapshot, ephemeral=False):
            if claim.found is None:
                return PreFilterResult(unresolvable(claim_not_found(claim.name)))
            if ONE_POD in (claim.found.spec.access_modes or ()):
                alone.add(claim.name)
        disks = [volume for volume in pod.spec.volumes or () if is_disk(volume)]
        users = _in_use(cycle, {f"{namespace_of(pod)}/{name}" for name in alone}) if alone else 0
        if not disks and not users:
            return PreFilterResult(SKIP)
        cycle.state[self.name] = _State(disks, frozenset(alone), users)
        return PreFilterResult()

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error('cannot read "PreFilterVolumeRestrictions" from cycleState')

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _State = cycle.state[self.name]
        others = np.full(len(nodes), 2 if state.users > 0 else 0, np.int16)
        index = np.where(_disk_conflicts(cycle, state.disks, nodes), 1, others).astype(np.int16)
        return Verdict.of(index, (SUCCESS, _DISK, _IN_USE))

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """The claims that it needs; a claim for one pod that several may share, where one of them has it."""
        state: _State | None = cycle.state.get(self.name)
        if cycle.pre_filter_status.is_rejected:
            return provide(cycle)
        return shared(cycle, state.alone) if state is not None and state.users > 0 else []

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Each disk of the pod against those of the pods there; then whether anybody uses its claims for one pod."""
        state: _State = cycle.state[self.name]
        others = _disks(cycle.snapshot.infos[row])
        steps = [
            Step(
                f"disk {number}",
                "disk_free",
                (plain(disk), tuple(map(plain, others))),
                not any(conflict(disk, other) for other in others),
                disk.name,
            )
            for number, disk in enumerate(state.disks, 1)
        ]
        users = Step("claims in use", "none", (state.users,), state.users <= 0, "ReadWriteOncePod claims of the pod")
        reasons = [(step.name, _DISK.message) for step in steps]
        return with_verdict([*steps, users], [*reasons, (users.name, _IN_USE.message)])

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        """As the original does, claims are told by their names alone here, whatever their namespaces."""
        state: _State = cycle.state[self.name]
        for pods, sign in ((added, 1), (removed, -1)):
            state.users += sign * sum(name in state.alone for pod in pods for name in _claim_names(pod.pod))


def _claim_names(pod: Pod) -> list[str]:
    volumes = [volume for volume in pod.spec.volumes or () if volume.persistent_volume_claim]
    return [name for volume in volumes if (name := claim_name(pod, volume)) is not None]


def _claims_in_use(info: NodeInfo) -> frozenset[str]:
    return frozenset(
        f"{pod.namespace}/{name}" for pod in info.pods if pod.has_volumes for name in _claim_names(pod.pod)
    )


def _disks(info: NodeInfo) -> list[Volume]:
    return [volume for pod in info.pods if pod.has_volumes for volume in pod.pod.spec.volumes or () if is_disk(volume)]


def _in_use(cycle: Cycle, claims: set[str]) -> int:
    """How many of these claims a pod on any node uses."""
    used = set[str]()
    for _, on_node in on_nodes(cycle.snapshot, cycle.snapshot.columns.all_nodes, "claims", _claims_in_use):
        used |= claims & on_node
    return len(used)


def _disk_conflicts(cycle: Cycle, disks: list[Volume], nodes: Nodes) -> BoolArray:
    refused = np.zeros(len(nodes), np.bool_)
    if disks:
        for place, others in on_nodes(cycle.snapshot, nodes, "disks", _disks):
            refused[place] = any(conflict(one, other) for one in disks for other in others)
    return refused
