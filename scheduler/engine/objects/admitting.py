"""Kinds that tell what the API server adds to a new pod."""

from __future__ import annotations

from scheduler.engine.objects.base import KubernetesObject, ResourceList, Value
from scheduler.engine.objects.pods import Toleration


class LimitRangeItem(Value, frozen=True):
    """`type`: Container, Pod or PersistentVolumeClaim."""

    type: str = ""
    default: ResourceList | None = None
    default_request: ResourceList | None = None
    max: ResourceList | None = None
    min: ResourceList | None = None


class LimitRangeSpec(Value, frozen=True):
    limits: list[LimitRangeItem] | None = None


class LimitRange(KubernetesObject, frozen=True):
    spec: LimitRangeSpec = LimitRangeSpec()


class Overhead(Value, frozen=True):
    pod_fixed: ResourceList | None = None


class Scheduling(Value, frozen=True):
    node_selector: dict[str, str] | None = None
    tolerations: list[Toleration] | None = None


class RuntimeClass(KubernetesObject, frozen=True):
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None
