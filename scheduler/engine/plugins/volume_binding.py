"""Claims need volumes that the node can reach: bound ones, matching ones, or ones still to be made.

Source: v1.34.1 plugins/volumebinding.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.cycle.decision import ClaimBinding
from scheduler.engine.errors import Invalid
from scheduler.engine.explain.checks import combined, said, with_verdict
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.claims import provide
from scheduler.engine.fixes.storage import store
from scheduler.engine.fixes.volumes import bring_together
from scheduler.engine.framework import (
    SKIP,
    Code,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    error,
    unresolvable,
)
from scheduler.engine.objects import PersistentVolumeClaim, Pod
from scheduler.engine.volumes import binding, explaining
from scheduler.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    Claim,
    claim_not_found,
    claims_of,
    class_name,
    is_bound,
    namespace_of,
    ownership_fault,
    storage_class,
)

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

_UNBOUND = unresolvable("pod has unbound immediate PersistentVolumeClaims")
_UNREACHABLE = "node(s) didn't match PersistentVolume's node affinity"
_NO_VOLUME = "node(s) didn't find available persistent volumes to bind"
_NO_ROOM = "node(s) did not have enough free storage"
_GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
_REASONS = (_UNREACHABLE, _NO_VOLUME, _NO_ROOM, _GONE)
_STATUSES = tuple(
    unresolvable(*(reason for reason in _REASONS if reason in (bound, waiting))) if bound or waiting else Status()
    for bound in ("", _UNREACHABLE, _GONE)
    for waiting in ("", _NO_VOLUME, _NO_ROOM)
)
"""By 3 times what is wrong with bound claims plus what is wrong with waiting ones."""


@dataclass
class _State:
    """The pod's claims. The pods on nodes play no part in the answer, so it is worked out once for all rows."""

    snapshot: Snapshot
    bound: list[PersistentVolumeClaim] = field(default_factory=list)
    waiting: list[PersistentVolumeClaim] = field(default_factory=list)

    @cached_property
    def verdict(self) -> Verdict:
        nodes = self.snapshot.columns.all_nodes
        bound, texts = binding.of_bound(self.snapshot, nodes, self.bound)
        failures = [error(text) for text in texts]
        try:
            index = 3 * bound + binding.of_waiting(self.snapshot, nodes, self.waiting)
        except Invalid as problem:
            index = np.full(len(nodes), len(_STATUSES) + len(failures), np.int16)
            failures.append(error(f"error creating internal label selector for claim: {problem}"))
        untold = bound >= binding.UNTRANSLATABLE
        index[untold] = bound[untold] - binding.UNTRANSLATABLE + len(_STATUSES)
        return Verdict.of(index, (*_STATUSES, *failures))


class VolumeBinding(Plugin):
    name = "VolumeBinding"
    weight = 1

    def concerns(self, pod: PodInfo) -> bool:
        return bool(pod.pod.spec.volumes)

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        pod, snapshot = cycle.pod.pod, cycle.snapshot
        claims = list(claims_of(pod, snapshot))
        if not claims:
            return PreFilterResult(SKIP)
        if fault := next((fault for claim in claims if (fault := _fault(pod, claim))), ""):
            return PreFilterResult(unresolvable(fault))
        state = _State(snapshot)
        status = _classify(state, [claim.found for claim in claims if claim.found is not None])
        cycle.state[self.name] = state
        return PreFilterResult(status)

    def explain_pre_filter(self, cycle: Cycle) -> list[Step]:
        """Each claim is bound, or may wait for its first pod; where one cannot be used at all, the words say it."""
        if cycle.pre_filter_status.reasons != _UNBOUND.reasons:
            return []
        found = (one.found for one in claims_of(cycle.pod.pod, cycle.snapshot))
        parts = [_ready(cycle.snapshot, n, claim) for n, claim in enumerate(filter(None, found), 1)]
        steps = [step for part in parts for step in part]
        return with_verdict(steps, [(part[-1].name, _UNBOUND.message) for part in parts])

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error("not found")

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        whole = cycle.state[self.name].verdict
        return whole if nodes.is_all else Verdict.of(whole.index[nodes.rows], whole.statuses)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """The claims a pod needs; then a node where the volumes are, or volumes where a node is."""
        if cycle.pre_filter_status.is_rejected:
            return provide(cycle)
        return [*bring_together(cycle, rows), *store(cycle, rows)]

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """What is wrong with bound claims, what with waiting ones, and both in kube-scheduler's order."""
        state: _State = cycle.state[self.name]
        status = state.verdict.statuses[state.verdict.index[row]]
        if status.code is Code.ERROR:
            return said(status.reasons, "a claim or its volume cannot be read")
        bound = explaining.of_bound(explaining.Explained(cycle.snapshot, row), state.bound, _UNREACHABLE, _GONE)
        waiting = explaining.of_waiting(explaining.Explained(cycle.snapshot, row), state.waiting, _NO_VOLUME, _NO_ROOM)
        steps = with_verdict(bound.steps, bound.refusals, name="bound claims")
        steps += with_verdict(waiting.steps, waiting.refusals, name="waiting claims")
        wrong = {reason for step in steps if step.op == "first_reason" for reason in step.result}
        reasons = tuple(reason for reason in _REASONS if reason in wrong)
        return [*steps, Step("verdict", "in_order", (_REASONS, "bound claims", "waiting claims"), reasons)]

    def reserve(self, cycle: Cycle, row: int) -> tuple[ClaimBinding, ...]:
        """Which volumes the waiting claims take on the node: what Filter found there, worked out for this row alone."""
        waiting = cycle.state[self.name].waiting
        if not waiting:
            return ()
        node = Nodes(cycle.snapshot.columns, np.array([row], np.int64))
        return tuple(
            ClaimBinding(f"{namespace_of(claim)}/{claim.name}", volume.name if volume is not None else "")
            for claim, volume in binding.chosen(cycle.snapshot, node, waiting)
        )

    def pre_score(self, cycle: Cycle) -> Status:
        """Scoring by free capacity is an alpha feature, off in v1.34."""
        return SKIP


def _fault(pod: Pod, claim: Claim) -> str:
    """Why a claim cannot be used at all, "" if it can."""
    found = claim.found
    if found is None and claim.is_ephemeral:
        return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{claim.name}"'
    if found is None:
        return claim_not_found(claim.name)
    if found.status is not None and found.status.phase == "Lost":
        volume = found.spec.volume_name or ""
        return f'persistentvolumeclaim "{claim.name}" bound to non-existent persistentvolume "{volume}"'
    if found.metadata.deletion_timestamp is not None:
        return f'persistentvolumeclaim "{claim.name}" is being deleted'
    return ownership_fault(pod, found) if claim.is_ephemeral else ""


def _ready(snapshot: Snapshot, number: int, claim: PersistentVolumeClaim) -> list[Step]:
    """Whether a pod can be placed with this claim as it is."""
    name, bound, found = f"claim {number}", is_bound(claim), storage_class(snapshot, claim)
    mode = found.volume_binding_mode if found is not None else None
    waits = mode == WAIT_FOR_FIRST_CONSUMER
    steps = [
        Step(f"{name} bound", "value", (bound,), bound, claim.name),
        Step(f"{name} unclaimed", "equal", ((claim.spec.volume_name or "", ""),), not claim.spec.volume_name),
        Step(f"{name} waits", "equal", ((mode, WAIT_FOR_FIRST_CONSUMER),), waits, "binding mode of its class"),
    ]
    may_wait = combined(f"{name} may wait", "all", steps[1:])
    return [*steps, may_wait, combined(name, "any", (steps[0], may_wait))]


def _classify(state: _State, claims: list[PersistentVolumeClaim]) -> Status:
    """Sort the claims into bound and waiting ones. Any other must be bound before a pod can be scheduled."""
    status = Status()
    for claim in claims:
        if is_bound(claim):
            state.bound.append(claim)
            continue
        found = storage_class(state.snapshot, claim)
        if found is not None and found.volume_binding_mode is None:
            return error(f'VolumeBindingMode not set for StorageClass "{class_name(claim)}"')
        waits = found is not None and found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
        if waits and not claim.spec.volume_name:
            state.waiting.append(claim)
        else:
            status = _UNBOUND
    return status
