"""Reserve and PreBind of VolumeBinding: what a bound pod's claims were promised is checked, then written.

Source: v1.34.1 plugins/volumebinding AssumePodVolumes and BindPodVolumes; pkg/controller/volume/persistentvolume.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scheduler.engine.commands import AddObject
from scheduler.engine.cycle.decision import ClaimBinding, Decision
from scheduler.engine.objects import CSINode, Node, PersistentVolume, PersistentVolumeClaim, StorageClass
from scheduler.engine.simulation.objects import add, patch
from scheduler.engine.volumes.claims import (
    BIND_COMPLETED,
    SELECTED_NODE,
    class_name,
    class_not_found,
    is_bound,
)
from scheduler.engine.volumes.matching import is_reserved
from scheduler.engine.volumes.provisioned import claim_reference, volume_for, volume_name

if TYPE_CHECKING:
    from scheduler.engine.cluster.snapshot import Snapshot
    from scheduler.engine.simulation.simulation import Simulation

BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"
PROVISIONER = "volume.kubernetes.io/storage-provisioner"
CLAIM, VOLUME = "PersistentVolumeClaim", "PersistentVolume"

_RESERVE = 'running Reserve plugin "VolumeBinding": '
_PRE_BIND = 'running PreBind plugin "VolumeBinding": binding volumes: '


# --- Reserve ----------------------------------------------------------------------------------------------------------


def fault(state: Simulation, popped: Snapshot, decision: Decision) -> str:
    """Why the claims cannot get what they were promised on the state of the Pop; "" if they can."""
    return next((text for one in decision.volumes if (text := _fault(state, popped, one))), "")


def _fault(state: Simulation, popped: Snapshot, promise: ClaimBinding) -> str:
    claim = _claim(state, promise)
    if claim is None or claim != popped.kind(CLAIM).get(promise.claim) or is_bound(claim):
        return f'{_RESERVE}persistentvolumeclaim "{promise.claim}" has changed since the pod was popped'
    return _static_fault(state, popped, promise, claim) if promise.volume else _provision_fault(state, claim)


def _static_fault(state: Simulation, popped: Snapshot, promise: ClaimBinding, claim: PersistentVolumeClaim) -> str:
    volume = _volume(state, promise.volume)
    is_as_popped = volume is not None and volume == popped.kind(VOLUME).get(promise.volume)
    if volume is None or not is_as_popped or (volume.spec.claim_ref is not None and not is_reserved(volume, claim)):
        return f'{_RESERVE}persistentvolume "{promise.volume}" has changed since the pod was popped'
    return ""


def _provision_fault(state: Simulation, claim: PersistentVolumeClaim) -> str:
    if state.cluster.get("StorageClass", "", class_name(claim)) is None:
        return _PRE_BIND + class_not_found(class_name(claim))
    if _volume(state, volume_name(claim)) is not None:
        return f'{_PRE_BIND}persistentvolume "{volume_name(claim)}" exists already'
    return ""


# --- PreBind ----------------------------------------------------------------------------------------------------------


def bind(state: Simulation, decision: Decision) -> None:
    """Each claim's volume is there and bound to it, then the claim to the volume; who may gain from that wakes."""
    for promise in decision.volumes:
        claim = _claim(state, promise)
        assert claim is not None
        annotations = {} if promise.volume else _provision(state, claim, decision.node)
        volume = _volume(state, promise.volume or volume_name(claim))
        assert volume is not None
        if promise.volume:
            patch(state, VOLUME, volume, _volume_patch(volume, claim))
        patch(state, CLAIM, claim, _claim_patch(volume, annotations))


def _provision(state: Simulation, claim: PersistentVolumeClaim, node_name: str) -> dict[str, str]:
    """Add the volume; returns the annotations by which a claim tells that it was asked for and of whom."""
    storage_class = cast(StorageClass, state.cluster.get("StorageClass", "", class_name(claim)))
    node = cast(Node, state.cluster.get("Node", "", node_name))
    csi_node = cast(CSINode | None, state.cluster.get("CSINode", "", node_name))
    add(state, AddObject(VOLUME, volume_for(claim, storage_class, node, csi_node)))
    return {SELECTED_NODE: node_name, PROVISIONER: storage_class.provisioner}


def _volume_patch(volume: PersistentVolume, claim: PersistentVolumeClaim) -> dict[str, Any]:
    """A volume that somebody reserved for the claim beforehand does not say that the controller bound it."""
    patched: dict[str, Any] = {"spec": {"claimRef": claim_reference(claim)}, "status": {"phase": "Bound"}}
    if volume.spec.claim_ref is None:
        patched["metadata"] = {"annotations": {BOUND_BY_CONTROLLER: "yes"}}
    return patched


def _claim_patch(volume: PersistentVolume, annotations: dict[str, str]) -> dict[str, Any]:
    bound = {BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
    status = {"accessModes": list(volume.spec.access_modes or ()), "capacity": dict(volume.spec.capacity or {})}
    return {
        "metadata": {"annotations": {**annotations, **bound}},
        "spec": {"volumeName": volume.name},
        "status": {"phase": "Bound", **status},
    }


# --- inner ------------------------------------------------------------------------------------------------------------


def _claim(state: Simulation, promise: ClaimBinding) -> PersistentVolumeClaim | None:
    namespace, _, name = promise.claim.partition("/")
    return cast(PersistentVolumeClaim | None, state.cluster.get(CLAIM, namespace, name))


def _volume(state: Simulation, name: str) -> PersistentVolume | None:
    return cast(PersistentVolume | None, state.cluster.get(VOLUME, "", name))
