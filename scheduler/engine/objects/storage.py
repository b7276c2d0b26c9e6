"""Volumes, claims, classes and drivers."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.objects.base import KubernetesObject, Quantity, ResourceList, Value
from scheduler.engine.objects.pods import ResourceRequirements
from scheduler.engine.objects.selectors import LabelSelector, NodeSelector


class ObjectReference(Value, frozen=True):
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    uid: str | None = None


class VolumeNodeAffinity(Value, frozen=True):
    required: NodeSelector | None = None


class PersistentVolumeSpec(Value, frozen=True):
    capacity: ResourceList | None = None
    access_modes: list[str] | None = None
    claim_ref: ObjectReference | None = None
    storage_class_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    node_affinity: VolumeNodeAffinity | None = None
    csi: dict[str, Any] | None = None
    gce_persistent_disk: dict[str, Any] | None = None
    aws_elastic_block_store: dict[str, Any] | None = None
    azure_disk: dict[str, Any] | None = None
    azure_file: dict[str, Any] | None = None
    cinder: dict[str, Any] | None = None
    portworx_volume: dict[str, Any] | None = None
    vsphere_volume: dict[str, Any] | None = None


class PhaseStatus(Value, frozen=True):
    phase: str | None = None


class PersistentVolume(KubernetesObject, frozen=True):
    spec: PersistentVolumeSpec = PersistentVolumeSpec()
    status: PhaseStatus | None = None


class PersistentVolumeClaimSpec(Value, frozen=True):
    access_modes: list[str] | None = None
    resources: ResourceRequirements | None = None
    storage_class_name: str | None = None
    volume_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    selector: LabelSelector | None = None


class PersistentVolumeClaim(KubernetesObject, frozen=True):
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()
    status: PhaseStatus | None = None


class TopologySelectorLabelRequirement(Value, frozen=True):
    key: str = ""
    values: list[str] | None = None


class TopologySelectorTerm(Value, frozen=True):
    match_label_expressions: list[TopologySelectorLabelRequirement] | None = None


class StorageClass(KubernetesObject, frozen=True):
    provisioner: str = ""
    volume_binding_mode: str | None = None
    allowed_topologies: list[TopologySelectorTerm] | None = None


class VolumeNodeResources(Value, frozen=True):
    count: int | None = None


class CSINodeDriver(Value, frozen=True):
    name: str = ""
    node_id: str = msgspec.field(default="", name="nodeID")
    allocatable: VolumeNodeResources | None = None
    topology_keys: list[str] | None = None


class CSINodeSpec(Value, frozen=True):
    drivers: list[CSINodeDriver] | None = None


class CSINode(KubernetesObject, frozen=True):
    spec: CSINodeSpec = CSINodeSpec()


class CSIDriverSpec(Value, frozen=True):
    storage_capacity: bool | None = None


class CSIDriver(KubernetesObject, frozen=True):
    spec: CSIDriverSpec = CSIDriverSpec()


class CSIStorageCapacity(KubernetesObject, frozen=True):
    storage_class_name: str = ""
    node_topology: LabelSelector | None = None
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None


class VolumeAttachmentSource(Value, frozen=True):
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(Value, frozen=True):
    attacher: str = ""
    node_name: str = ""
    source: VolumeAttachmentSource = VolumeAttachmentSource()


class VolumeAttachment(KubernetesObject, frozen=True):
    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()
