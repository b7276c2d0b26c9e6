"""A volume of one zone or region can be used by nodes of that zone or region. Source: v1.34.1 plugins/volumezone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.explain.checks import combined, with_verdict
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.claims import provide
from scheduler.engine.fixes.storage import store
from scheduler.engine.fixes.volumes import bring_together
from scheduler.engine.framework import (
    SKIP,
    BoolArray,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    unresolvable,
)
from scheduler.engine.objects import PersistentVolumeClaim
from scheduler.engine.volumes import claims
from scheduler.engine.volumes.zones import LABELS, RENAMED, topology

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

Zones: TypeAlias = list[tuple[str, frozenset[str]]]
"""(label, values), of which a node must have one."""

_ELSEWHERE = unresolvable("node(s) had no available volume zone")


@dataclass
class _State:
    """The pods on nodes play no part in the answer, so it is worked out once for all rows."""

    zones: Zones
    columns: Columns

    @cached_property
    def refused(self) -> BoolArray:
        matches = np.ones(self.columns.size, np.bool_)
        for label, values in self.zones:
            matches &= _has_value(self.columns, label, values)
        return ~matches & _has_any_label(self.columns)


class VolumeZone(Plugin):
    name = "VolumeZone"

    def concerns(self, pod: PodInfo) -> bool:
        return bool(pod.pod.spec.volumes)

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        snapshot, zones = cycle.snapshot, Zones()
        for claim in claims.claims_of(cycle.pod.pod, snapshot, ephemeral=False):
            if not claim.name:
                return PreFilterResult(unresolvable("PersistentVolumeClaim had no name"))
            if claim.found is None:
                return PreFilterResult(unresolvable(claims.claim_not_found(claim.name)))
            found = _of_claim(snapshot, claim.found)
            if isinstance(found, Status):
                return PreFilterResult(found)
            zones += found
        if not zones:
            return PreFilterResult(SKIP)
        cycle.state[self.name] = _State(zones, snapshot.columns)
        return PreFilterResult()

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return self.pre_filter(cycle).status

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _State = cycle.state[self.name]
        return Verdict.where(state.refused[nodes.rows], _ELSEWHERE)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """The claims a pod needs; then a node where the volumes are, or volumes where a node is."""
        if cycle.pre_filter_status.is_rejected:
            return provide(cycle)
        return [*bring_together(cycle, rows), *store(cycle, rows)]

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """The node's zone and region among those of each volume; a node without any such label passes."""
        state, labels = cycle.state[self.name], cycle.snapshot.columns.nodes[row].labels
        tells = any(label in labels for label in LABELS)
        told = [
            Step("tells", "value", (tells,), tells, "whether the node has a label of a zone or region"),
            Step("tells none", "not", ("tells",), not tells),
        ]
        inside = [
            _is_inside(f"volume {number}", label, values, labels)
            for number, (label, values) in enumerate(state.zones, 1)
        ]
        all_inside = combined("in all", "all", inside)
        reached = combined("reached", "any", [told[-1], all_inside])
        return with_verdict([*told, *inside, all_inside, reached], [("reached", _ELSEWHERE.message)])


def _of_claim(snapshot: Snapshot, claim: PersistentVolumeClaim) -> Zones | Status:
    """Zones and regions of the claim's volume; or why the pod cannot be scheduled."""
    if not claim.spec.volume_name:
        return _of_unbound(snapshot, claim)
    volume = claims.persistent_volume(snapshot, claim.spec.volume_name)
    return unresolvable(claims.volume_not_found(claim.spec.volume_name)) if volume is None else topology(volume)


def _of_unbound(snapshot: Snapshot, claim: PersistentVolumeClaim) -> Zones | Status:
    """A claim that waits for its first consumer has no zone yet; any other should have a volume by now."""
    name = claims.class_name(claim)
    if not name:
        return unresolvable("PersistentVolumeClaim had no pv name and storageClass name")
    found = claims.storage_class(snapshot, claim)
    if found is None:
        return unresolvable(claims.class_not_found(name))
    if found.volume_binding_mode is None:
        return unresolvable(f'VolumeBindingMode not set for StorageClass "{name}"')
    if found.volume_binding_mode == claims.WAIT_FOR_FIRST_CONSUMER:
        return []
    return unresolvable("PersistentVolume had no name")


def _has_any_label(columns: Columns) -> BoolArray:
    """A node that tells neither zone nor region is in the only zone of its cluster."""
    found = np.zeros(columns.size, np.bool_)
    for label in LABELS:
        found |= columns.label(label)[0] > 0
    return found


def _has_value(columns: Columns, label: str, values: frozenset[str]) -> BoolArray:
    """Where a node lacks the label, the one that replaced it counts."""
    numbers, vocabulary = columns.label(label)
    matches: BoolArray = np.isin(numbers, [vocabulary.find(value) for value in values])
    if label in RENAMED:
        matches |= (numbers == 0) & _has_value(columns, RENAMED[label], values)
    return matches


def _is_inside(name: str, label: str, values: frozenset[str], labels: Mapping[str, str]) -> Step:
    value = labels.get(label)
    if value is None and label in RENAMED:
        value = labels.get(RENAMED[label])
    return Step(name, "one_of", ((value,), tuple(sorted(values))), value in values, label)
