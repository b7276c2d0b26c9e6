"""A UnitedDeployment as its controller reads it: what is absent stays absent, nothing is defaulted."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec

from scheduler.engine.objects import KubernetesObject
from scheduler.engine.objects.base import Value
from scheduler.engine.uniteddeployment.status import Status

SUBSET_LABEL = "apps.kruise.io/subset-name"
REVISION_LABEL = "apps.kruise.io/controller-revision-hash"
RESERVED_LABEL = "apps.kruise.io/united-deployment-reserved-pod"
PATCH_ANNOTATION = "apps.kruise.io/subset-patch"

CRITICAL_SECONDS = 30
UNSCHEDULABLE_SECONDS = 300
REVISION_HISTORY_LIMIT = 10


class WorkloadKind(Enum):
    """The kinds a template may be of, in the order in which the controller looks for one."""

    STATEFUL_SET = ("StatefulSet", "statefulSetTemplate", "apps/v1")
    ADVANCED_STATEFUL_SET = ("AdvancedStatefulSet", "advancedStatefulSetTemplate", "apps.kruise.io/v1beta1")
    CLONE_SET = ("CloneSet", "cloneSetTemplate", "apps.kruise.io/v1beta1")
    DEPLOYMENT = ("Deployment", "deploymentTemplate", "apps/v1")

    def __init__(self, label: str, field: str, api_version: str) -> None:
        self.label = label
        self.field = field
        self.api_version = api_version

    @property
    def kind(self) -> str:
        """The manifest's kind: an AdvancedStatefulSet is a StatefulSet of another API group."""
        return "StatefulSet" if self is WorkloadKind.ADVANCED_STATEFUL_SET else self.label

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]


class Subset(Value, frozen=True):
    name: str = ""
    node_selector_term: dict[str, Any] | None = None
    tolerations: list[dict[str, Any]] | None = None
    replicas: int | str | None = None
    min_replicas: int | str | None = None
    max_replicas: int | str | None = None
    patch: Any = None


class AdaptiveStrategy(Value, frozen=True):
    reschedule_critical_seconds: int | None = None
    unschedulable_duration: int | None = None
    reserve_unschedulable_pods: bool | None = None


class ScheduleStrategy(Value, frozen=True):
    type: str | None = None
    adaptive: AdaptiveStrategy | None = None


class Topology(Value, frozen=True):
    subsets: list[Subset] | None = None
    schedule_strategy: ScheduleStrategy | None = None


class ManualUpdate(Value, frozen=True):
    partitions: dict[str, int] | None = None


class UpdateStrategy(Value, frozen=True):
    type: str | None = None
    manual_update: ManualUpdate | None = None


class UnitedDeploymentSpec(Value, frozen=True):
    replicas: int | None = None
    selector: dict[str, Any] | None = None
    template: dict[str, Any] | None = None
    topology: Topology | None = None
    update_strategy: UpdateStrategy | None = None
    revision_history_limit: int | None = None


class UnitedDeployment(KubernetesObject, frozen=True):
    """`api_version` tells v1alpha1 from v1beta1; both are read alike, only CloneSet templates differ between them."""

    api_version: str = msgspec.field(default="", name="apiVersion")
    spec: UnitedDeploymentSpec = UnitedDeploymentSpec()
    status: Status = Status()

    @property
    def subsets(self) -> list[Subset]:
        return (self.spec.topology and self.spec.topology.subsets) or []

    @property
    def workload_kind(self) -> WorkloadKind | None:
        """The kind of the template; None where there is none."""
        template = self.spec.template or {}
        return next((kind for kind in WorkloadKind if template.get(kind.field) is not None), None)

    @property
    def template(self) -> dict[str, Any]:
        """`{metadata, spec}` of the workloads to be made."""
        kind = self.workload_kind
        return (self.spec.template or {}).get(kind.field) or {} if kind else {}

    @property
    def adaptive(self) -> bool:
        strategy = self.spec.topology and self.spec.topology.schedule_strategy
        return bool(strategy and strategy.type == "Adaptive")

    @property
    def _adaptive(self) -> AdaptiveStrategy:
        strategy = self.spec.topology and self.spec.topology.schedule_strategy
        return (strategy.adaptive if strategy and self.adaptive else None) or AdaptiveStrategy()

    @property
    def reserves(self) -> bool:
        """Whether pods that could not be scheduled are kept, with stand-ins elsewhere (reservation mode)."""
        return self.adaptive and bool(self._adaptive.reserve_unschedulable_pods)

    @property
    def critical_seconds(self) -> int:
        """How long a pod may be pending before its subset counts as unschedulable."""
        given = self._adaptive.reschedule_critical_seconds
        return CRITICAL_SECONDS if given is None else given

    @property
    def unschedulable_seconds(self) -> int:
        """How long a subset stays unschedulable."""
        given = self._adaptive.unschedulable_duration
        return UNSCHEDULABLE_SECONDS if given is None else given


def decode(manifest: dict[str, Any]) -> UnitedDeployment:
    """The typed object. Raises `msgspec.ValidationError`, whose text names the path."""
    return msgspec.convert(manifest, UnitedDeployment)
