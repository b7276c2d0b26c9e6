"""Pods and everything inside them."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.objects.base import KubernetesObject, ResourceList, Value
from scheduler.engine.objects.selectors import Affinity, TopologySpreadConstraint


class Toleration(Value, frozen=True):
    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: int | None = None


class ContainerPort(Value, frozen=True):
    container_port: int = 0
    host_port: int | None = None
    host_ip: str | None = msgspec.field(default=None, name="hostIP")
    protocol: str | None = None


class ResourceRequirements(Value, frozen=True):
    requests: ResourceList | None = None
    limits: ResourceList | None = None


class Container(Value, frozen=True):
    name: str = ""
    image: str | None = None
    resources: ResourceRequirements | None = None
    ports: list[ContainerPort] | None = None
    restart_policy: str | None = None


class PodSchedulingGate(Value, frozen=True):
    name: str = ""


class PersistentVolumeClaimVolumeSource(Value, frozen=True):
    claim_name: str = ""
    read_only: bool | None = None


class Volume(Value, frozen=True):
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


class PodResourceClaim(Value, frozen=True):
    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSpec(Value, frozen=True):
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


class PodCondition(Value, frozen=True):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None


class ContainerStatus(Value, frozen=True):
    name: str = ""
    resources: ResourceRequirements | None = None
    allocated_resources: ResourceList | None = None


class PodStatus(Value, frozen=True):
    phase: str | None = None
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: list[PodCondition] | None = None
    container_statuses: list[ContainerStatus] | None = None
    init_container_statuses: list[ContainerStatus] | None = None
    resource_claim_statuses: list[dict[str, Any]] | None = None
    extended_resource_claim_status: dict[str, Any] | None = None


class Pod(KubernetesObject, frozen=True):
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
