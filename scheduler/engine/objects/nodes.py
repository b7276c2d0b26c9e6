"""Nodes, their taints, images and resources."""

from __future__ import annotations

from scheduler.engine.objects.base import KubernetesObject, ResourceList, Value


class Taint(Value, frozen=True):
    key: str = ""
    value: str | None = None
    effect: str = ""


class NodeSpec(Value, frozen=True):
    unschedulable: bool | None = None
    taints: list[Taint] | None = None


class ContainerImage(Value, frozen=True):
    names: list[str] | None = None
    size_bytes: int | None = None


class NodeCondition(Value, frozen=True):
    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None


class NodeStatus(Value, frozen=True):
    capacity: ResourceList | None = None
    allocatable: ResourceList | None = None
    images: list[ContainerImage] | None = None
    conditions: list[NodeCondition] | None = None


class Node(KubernetesObject, frozen=True):
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
