"""Kubernetes objects as frozen values: the fields that scheduling reads, spelled as users write them.

Decoded by `msgspec` straight from manifests (camelCase on the wire); unknown fields are ignored here and kept in the
manifest that the event log stores. An absent field and a `null` are both `None`; where Kubernetes distinguishes absent
from empty (`nodeSelector`, `labelSelector`, preferred terms) so do we. Source: k8s.io/api v0.34.1.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Quantity: TypeAlias = str | int | float
ResourceList: TypeAlias = dict[str, Quantity]
ObjectKey: TypeAlias = tuple[str, str, str]
"""(kind, namespace, name); namespace is "" for cluster-scoped kinds."""


class _Value(msgspec.Struct, frozen=True, rename="camel", gc=False, omit_defaults=True):
    """Base of every value here. `gc=False` is safe: frozen trees of plain data cannot form cycles."""


# --- metadata ---------------------------------------------------------------------------------------------------------


class OwnerReference(_Value, frozen=True):
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    api_version: str = ""


class ObjectMeta(_Value, frozen=True):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    generate_name: str | None = None
    owner_references: list[OwnerReference] | None = None


# --- selectors --------------------------------------------------------------------------------------------------------


class LabelSelectorRequirement(_Value, frozen=True):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class LabelSelector(_Value, frozen=True):
    match_labels: dict[str, str] | None = None
    match_expressions: list[LabelSelectorRequirement] | None = None


class NodeSelectorTerm(_Value, frozen=True):
    match_expressions: list[LabelSelectorRequirement] | None = None
    match_fields: list[LabelSelectorRequirement] | None = None


class NodeSelector(_Value, frozen=True):
    node_selector_terms: list[NodeSelectorTerm] | None = None


class PreferredSchedulingTerm(_Value, frozen=True):
    weight: int = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(_Value, frozen=True):
    required: NodeSelector | None = msgspec.field(default=None, name="requiredDuringSchedulingIgnoredDuringExecution")
    preferred: list[PreferredSchedulingTerm] | None = msgspec.field(
        default=None, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class PodAffinityTerm(_Value, frozen=True):
    topology_key: str = ""
    label_selector: LabelSelector | None = None
    namespaces: list[str] | None = None
    namespace_selector: LabelSelector | None = None
    match_label_keys: list[str] | None = None
    mismatch_label_keys: list[str] | None = None


class WeightedPodAffinityTerm(_Value, frozen=True):
    weight: int = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(_Value, frozen=True):
    """Also the shape of podAntiAffinity."""

    required: list[PodAffinityTerm] | None = msgspec.field(
        default=None, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[WeightedPodAffinityTerm] | None = msgspec.field(
        default=None, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class Affinity(_Value, frozen=True):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class TopologySpreadConstraint(_Value, frozen=True):
    max_skew: int = 0
    topology_key: str = ""
    when_unsatisfiable: str = ""
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: list[str] | None = None


# --- pods -------------------------------------------------------------------------------------------------------------


class Toleration(_Value, frozen=True):
    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: int | None = None


class Taint(_Value, frozen=True):
    key: str = ""
    value: str | None = None
    effect: str = ""


class ContainerPort(_Value, frozen=True):
    container_port: int = 0
    host_port: int | None = None
    host_ip: str | None = msgspec.field(default=None, name="hostIP")
    protocol: str | None = None


class ResourceRequirements(_Value, frozen=True):
    requests: ResourceList | None = None
    limits: ResourceList | None = None


class Container(_Value, frozen=True):
    name: str = ""
    image: str | None = None
    resources: ResourceRequirements | None = None
    ports: list[ContainerPort] | None = None
    restart_policy: str | None = None


class PodSchedulingGate(_Value, frozen=True):
    name: str = ""


class PersistentVolumeClaimVolumeSource(_Value, frozen=True):
    claim_name: str = ""
    read_only: bool | None = None


class Volume(_Value, frozen=True):
    """Sources that no algorithm looks into stay as plain mappings."""

    name: str = ""
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    ephemeral: dict[str, Any] | None = None
    csi: dict[str, Any] | None = None
    gce_persistent_disk: dict[str, Any] | None = None
    aws_elastic_block_store: dict[str, Any] | None = None
    azure_disk: dict[str, Any] | None = None
    azure_file: dict[str, Any] | None = None
    cinder: dict[str, Any] | None = None
    iscsi: dict[str, Any] | None = None
    rbd: dict[str, Any] | None = None
    portworx_volume: dict[str, Any] | None = None
    vsphere_volume: dict[str, Any] | None = None


class PodResourceClaim(_Value, frozen=True):
    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSpec(_Value, frozen=True):
    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    node_name: str | None = None
    scheduler_name: str | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    priority: int | None = None
    priority_class_name: str | None = None
    preemption_policy: str | None = None
    scheduling_gates: list[PodSchedulingGate] | None = None
    overhead: ResourceList | None = None
    resources: ResourceRequirements | None = None
    volumes: list[Volume] | None = None
    host_network: bool | None = None
    restart_policy: str | None = None
    resource_claims: list[PodResourceClaim] | None = None


class PodCondition(_Value, frozen=True):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None


class ContainerStatus(_Value, frozen=True):
    name: str = ""
    resources: ResourceRequirements | None = None
    allocated_resources: ResourceList | None = None


class PodStatus(_Value, frozen=True):
    phase: str | None = None
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: list[PodCondition] | None = None
    container_statuses: list[ContainerStatus] | None = None
    init_container_statuses: list[ContainerStatus] | None = None
    resource_claim_statuses: list[dict[str, Any]] | None = None
    extended_resource_claim_status: dict[str, Any] | None = None


class _Object(_Value, frozen=True):
    metadata: ObjectMeta = ObjectMeta()

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace or ""

    @property
    def uid(self) -> str:
        return self.metadata.uid or ""

    @property
    def labels(self) -> dict[str, str]:
        return self.metadata.labels or {}

    @property
    def annotations(self) -> dict[str, str]:
        return self.metadata.annotations or {}


class Pod(_Object, frozen=True):
    spec: PodSpec = PodSpec()
    status: PodStatus | None = None

    @property
    def key(self) -> str:
        """`namespace/name`, the scheduler's own key of a pod."""
        return f"{self.metadata.namespace or 'default'}/{self.metadata.name}"

    @property
    def priority(self) -> int:
        return self.spec.priority or 0

    @property
    def node_name(self) -> str:
        return self.spec.node_name or ""

    @property
    def nominated_node_name(self) -> str:
        return (self.status.nominated_node_name if self.status else None) or ""

    @property
    def is_terminating(self) -> bool:
        return self.metadata.deletion_timestamp is not None

    @property
    def is_finished(self) -> bool:
        """Succeeded or Failed: the scheduler's informer never shows such a pod."""
        return self.status is not None and self.status.phase in ("Succeeded", "Failed")


# --- nodes ------------------------------------------------------------------------------------------------------------


class NodeSpec(_Value, frozen=True):
    unschedulable: bool | None = None
    taints: list[Taint] | None = None


class ContainerImage(_Value, frozen=True):
    names: list[str] | None = None
    size_bytes: int | None = None


class NodeCondition(_Value, frozen=True):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None


class NodeStatus(_Value, frozen=True):
    capacity: ResourceList | None = None
    allocatable: ResourceList | None = None
    images: list[ContainerImage] | None = None
    conditions: list[NodeCondition] | None = None


class Node(_Object, frozen=True):
    spec: NodeSpec = NodeSpec()
    status: NodeStatus | None = None

    @property
    def key(self) -> str:
        return self.metadata.name

    @property
    def taints(self) -> list[Taint]:
        return self.spec.taints or []

    @property
    def allocatable(self) -> ResourceList:
        """Allocatable, else capacity (what the kubelet reports when nothing is reserved)."""
        if self.status is None:
            return {}
        return self.status.allocatable if self.status.allocatable is not None else (self.status.capacity or {})


# --- everything else that an algorithm reads ------------------------------------------------------------------------


class Namespace(_Object, frozen=True):
    pass


class PriorityClass(_Object, frozen=True):
    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class ServiceSpec(_Value, frozen=True):
    selector: dict[str, str] | None = None


class Service(_Object, frozen=True):
    spec: ServiceSpec = ServiceSpec()


class ReplicationController(_Object, frozen=True):
    spec: ServiceSpec = ServiceSpec()


class WorkloadSpec(_Value, frozen=True):
    selector: LabelSelector | None = None
    replicas: int | None = None


class ReplicaSet(_Object, frozen=True):
    spec: WorkloadSpec = WorkloadSpec()


class StatefulSet(_Object, frozen=True):
    spec: WorkloadSpec = WorkloadSpec()


class PodDisruptionBudgetSpec(_Value, frozen=True):
    selector: LabelSelector | None = None


class PodDisruptionBudgetStatus(_Value, frozen=True):
    disruptions_allowed: int = 0
    disrupted_pods: dict[str, Any] | None = None


class PodDisruptionBudget(_Object, frozen=True):
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus | None = None


class ObjectReference(_Value, frozen=True):
    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    uid: str | None = None


class VolumeNodeAffinity(_Value, frozen=True):
    required: NodeSelector | None = None


class PersistentVolumeSpec(_Value, frozen=True):
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


class PhaseStatus(_Value, frozen=True):
    phase: str | None = None


class PersistentVolume(_Object, frozen=True):
    spec: PersistentVolumeSpec = PersistentVolumeSpec()
    status: PhaseStatus | None = None


class PersistentVolumeClaimSpec(_Value, frozen=True):
    access_modes: list[str] | None = None
    resources: ResourceRequirements | None = None
    storage_class_name: str | None = None
    volume_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    selector: LabelSelector | None = None


class PersistentVolumeClaim(_Object, frozen=True):
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()
    status: PhaseStatus | None = None


class TopologySelectorLabelRequirement(_Value, frozen=True):
    key: str = ""
    values: list[str] | None = None


class TopologySelectorTerm(_Value, frozen=True):
    match_label_expressions: list[TopologySelectorLabelRequirement] | None = None


class StorageClass(_Object, frozen=True):
    provisioner: str = ""
    volume_binding_mode: str | None = None
    allowed_topologies: list[TopologySelectorTerm] | None = None


class VolumeNodeResources(_Value, frozen=True):
    count: int | None = None


class CSINodeDriver(_Value, frozen=True):
    name: str = ""
    node_id: str = msgspec.field(default="", name="nodeID")
    allocatable: VolumeNodeResources | None = None
    topology_keys: list[str] | None = None


class CSINodeSpec(_Value, frozen=True):
    drivers: list[CSINodeDriver] | None = None


class CSINode(_Object, frozen=True):
    spec: CSINodeSpec = CSINodeSpec()


class CSIDriverSpec(_Value, frozen=True):
    storage_capacity: bool | None = None


class CSIDriver(_Object, frozen=True):
    spec: CSIDriverSpec = CSIDriverSpec()


class CSIStorageCapacity(_Object, frozen=True):
    storage_class_name: str = ""
    node_topology: LabelSelector | None = None
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None


class VolumeAttachmentSource(_Value, frozen=True):
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(_Value, frozen=True):
    attacher: str = ""
    node_name: str = ""
    source: VolumeAttachmentSource = VolumeAttachmentSource()


class VolumeAttachment(_Object, frozen=True):
    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()


class Opaque(_Object, frozen=True):
    """A kind that is stored and shown but read by no algorithm yet."""


KubernetesObject: TypeAlias = _Object

KINDS: dict[str, type[_Object]] = {
    kind.__name__: kind
    for kind in (
        CSIDriver,
        CSINode,
        CSIStorageCapacity,
        Namespace,
        Node,
        PersistentVolume,
        PersistentVolumeClaim,
        Pod,
        PodDisruptionBudget,
        PriorityClass,
        ReplicaSet,
        ReplicationController,
        Service,
        StatefulSet,
        StorageClass,
        VolumeAttachment,
    )
}
"""Kinds that algorithms read, by name. Any other kind decodes to `Opaque`."""

CLUSTER_SCOPED = frozenset(
    {
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "DeviceClass",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "ResourceSlice",
        "StorageClass",
        "VolumeAttachment",
    }
)


def decode(kind: str, manifest: dict[str, Any]) -> KubernetesObject:
    """The typed object of a manifest. Raises `msgspec.ValidationError`, whose text names the path (`$.spec…`)."""
    return msgspec.convert(manifest, KINDS.get(kind, Opaque))


def key_of(kind: str, manifest: dict[str, Any]) -> ObjectKey:
    """The identity of a manifest: kind, namespace ("default" where a namespaced object has none) and name."""
    metadata = manifest.get("metadata") or {}
    namespace = "" if kind in CLUSTER_SCOPED else (metadata.get("namespace") or "default")
    return kind, namespace, metadata.get("name") or ""


_NULL_IN_MAP = dict.fromkeys(("requests", "limits", "overhead", "capacity", "allocatable", "allocatedResources"), "0")
_NULL_IN_MAP |= dict.fromkeys(("labels", "annotations", "matchLabels", "nodeSelector"), "")


def null_free(value: Any, missing: str | None = None) -> Any:
    """A copy without nulls, which mean the same as absence; in maps of quantities and labels they are zero and ""."""
    if isinstance(value, dict):
        return {
            key: missing if one is None else null_free(one, _NULL_IN_MAP.get(key))
            for key, one in value.items()
            if one is not None or missing is not None
        }
    if isinstance(value, list):
        return [null_free(one) for one in value]
    return value
