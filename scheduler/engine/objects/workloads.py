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
    """What the kinds that make pods have in common; what only their controllers look into stays as plain mappings."""

    selector: LabelSelector | None = None
    replicas: int | None = None
    template: dict[str, Any] | None = None
    strategy: dict[str, Any] | None = None
    update_strategy: dict[str, Any] | None = None
    min_ready_seconds: int | None = None
    revision_history_limit: int | None = None
    pod_management_policy: str | None = None
    ordinals: dict[str, Any] | None = None
    volume_claim_templates: list[dict[str, Any]] | None = None
    paused: bool | None = None
    parallelism: int | None = None
    completions: int | None = None
    suspend: bool | None = None
    reserve_ordinals: Any = None
    scale_strategy: Any = None


class Workload(KubernetesObject, frozen=True):
    """Base of the kinds that make pods. `api_version` tells the two StatefulSets apart."""

    api_version: str = ""
    spec: WorkloadSpec = WorkloadSpec()
    status: dict[str, Any] | None = None


class ReplicaSet(Workload, frozen=True):
    pass


class StatefulSet(Workload, frozen=True):
    pass


class AdvancedStatefulSet(Workload, frozen=True):
    """OpenKruise's StatefulSet: its manifest says `kind: StatefulSet`, its API group is another."""


class CloneSet(Workload, frozen=True):
    pass


class Deployment(Workload, frozen=True):
    pass


class DaemonSet(Workload, frozen=True):
    pass


class Job(Workload, frozen=True):
    pass


class ControllerRevision(KubernetesObject, frozen=True):
    """A template that was in use. `data`: the template, under `spec`."""

    revision: int = 0
    data: dict[str, Any] | None = None


class UnitedDeployment(KubernetesObject, frozen=True):
    """As it is written; its controller decodes it (`uniteddeployment.spec`)."""

    api_version: str = ""
    spec: dict[str, Any] | None = None
    status: dict[str, Any] | None = None


class PodDisruptionBudgetSpec(Value, frozen=True):
    selector: LabelSelector | None = None


class PodDisruptionBudgetStatus(Value, frozen=True):
    disruptions_allowed: int = 0
    disrupted_pods: dict[str, Any] | None = None


class PodDisruptionBudget(KubernetesObject, frozen=True):
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus | None = None
