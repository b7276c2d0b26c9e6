"""Namespaces, priority classes and what selects pods: services, replica sets, disruption budgets."""

from __future__ import annotations

from typing import Any

from scheduler.engine.objects.base import KubernetesObject, Value
from scheduler.engine.objects.selectors import LabelSelector


class Namespace(KubernetesObject, frozen=True):
    pass


class PriorityClass(KubernetesObject, frozen=True):
    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class ServiceSpec(Value, frozen=True):
    selector: dict[str, str] | None = None


class Service(KubernetesObject, frozen=True):
    spec: ServiceSpec = ServiceSpec()


class ReplicationController(KubernetesObject, frozen=True):
    spec: ServiceSpec = ServiceSpec()


class WorkloadSpec(Value, frozen=True):
    selector: LabelSelector | None = None
    replicas: int | None = None


class ReplicaSet(KubernetesObject, frozen=True):
    spec: WorkloadSpec = WorkloadSpec()


class StatefulSet(KubernetesObject, frozen=True):
    spec: WorkloadSpec = WorkloadSpec()


class PodDisruptionBudgetSpec(Value, frozen=True):
    selector: LabelSelector | None = None


class PodDisruptionBudgetStatus(Value, frozen=True):
    disruptions_allowed: int = 0
    disrupted_pods: dict[str, Any] | None = None


class PodDisruptionBudget(KubernetesObject, frozen=True):
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus | None = None
