"""What the API server does to a manifest before a scheduler sees it: defaults, priority, merged label keys.

Source: kubernetes v1.34.1 pkg/apis/core/v1/defaults.go, plugin/pkg/admission/{limitranger,priority,runtimeclass,
storage/storageclass}, registry/core/pod strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec

from scheduler.engine import objects
from scheduler.engine.admission import new_pods, pod_resources
from scheduler.engine.admission.default_class import name_class
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import KubernetesObject, LimitRange, PriorityClass, RuntimeClass, StorageClass
from scheduler.engine.uniteddeployment import defaulting as united_deployment
from scheduler.engine.validation import validate

__all__ = ["LOOKED_UP", "Context", "admit", "validate"]

Manifest: TypeAlias = dict[str, Any]

DEFAULT_SCHEDULER_NAME = "default-scheduler"
NAMESPACE_NAME_LABEL = "kubernetes.io/metadata.name"
SYSTEM_PRIORITIES = {"system-cluster-critical": 2000000000, "system-node-critical": 2000001000}


class Context(msgspec.Struct, frozen=True):
    """What admission needs to know of the cluster: its classes by name, its limit ranges by namespace and name."""

    priority_classes: dict[str, PriorityClass] = {}
    storage_classes: dict[str, StorageClass] = {}
    runtime_classes: dict[str, RuntimeClass] = {}
    limit_ranges: dict[str, dict[str, LimitRange]] = {}

    @classmethod
    def of(cls, manifests: Iterable[Manifest]) -> Context:
        """The context that these manifests make; other kinds are passed over."""
        return cls.made_of(
            msgspec.convert(objects.null_free(one), _LOOKED_UP[one["kind"]])
            for one in manifests
            if one.get("kind") in _LOOKED_UP
        )

    @classmethod
    def made_of(cls, given: Iterable[KubernetesObject]) -> Context:
        """The same of typed objects."""
        context = cls({}, {}, {}, {})
        for one in given:
            context.note(one)
        return context

    def note(self, one: KubernetesObject) -> None:
        """What comes later is admitted with it."""
        if isinstance(one, PriorityClass):
            self.priority_classes[one.name] = one
        elif isinstance(one, StorageClass):
            self.storage_classes[one.name] = one
        elif isinstance(one, RuntimeClass):
            self.runtime_classes[one.name] = one
        elif isinstance(one, LimitRange):
            self.limit_ranges.setdefault(one.namespace or "default", {})[one.name] = one

    def default_class(self) -> PriorityClass | None:
        """The class for pods that name none: the lowest of those marked `globalDefault`."""
        marked = (one for one in self.priority_classes.values() if one.global_default)
        return min(marked, key=lambda one: (one.value, one.name), default=None)


_LOOKED_UP: dict[str, type[KubernetesObject]] = {
    kind.__name__: kind for kind in (LimitRange, PriorityClass, RuntimeClass, StorageClass)
}
LOOKED_UP = tuple(_LOOKED_UP)
"""The kinds that a context is made of."""


def admit(kind: str, manifest: Manifest, context: Context) -> Manifest:
    """A new manifest with everything that the API server fills in. The input stays as it is.

    The manifest must be one that `validate` finds no fault with. Raises Invalid for an unknown priority class.
    """
    admitted: Manifest = objects.null_free(manifest)
    fill_in(kind, admitted, context)
    return admitted


def fill_in(kind: str, admitted: Manifest, context: Context) -> None:
    """The same in place, for a manifest that holds no null."""
    metadata = admitted.setdefault("metadata", {})
    if kind not in objects.CLUSTER_SCOPED:
        metadata["namespace"] = metadata.get("namespace") or "default"
    if kind == "Pod":
        _admit_pod(admitted, context)
    elif kind in _DEFAULTS:
        _DEFAULTS[kind](admitted)
    if kind == "PersistentVolumeClaim":
        name_class(admitted, context.storage_classes.values())


# --- pods -------------------------------------------------------------------------------------------------------------


def _admit_pod(pod: Manifest, context: Context) -> None:
    metadata, spec = pod["metadata"], pod.setdefault("spec", {})
    _set_uid(metadata, "uid")
    spec["schedulerName"] = spec.get("schedulerName") or DEFAULT_SCHEDULER_NAME
    spec["restartPolicy"] = spec.get("restartPolicy") or "Always"
    pod_resources.set_defaults(pod)
    _default_ports(spec)
    for volume in spec.get("volumes", ()):
        _default_azure_disk(volume)
    _admit_priority(spec, context)
    if new_pods.is_new(pod):
        _add_policies(metadata["namespace"], spec, context)
    _merge_label_keys(spec.get("affinity") or {}, metadata.get("labels") or {})


def _add_policies(namespace: str, spec: Manifest, context: Context) -> None:
    """A class that is not there adds nothing: files of a cluster often leave it out."""
    if ranges := context.limit_ranges.get(namespace):
        new_pods.add_limits(spec, ranges.values())
    if (found := context.runtime_classes.get(spec.get("runtimeClassName", ""))) is not None:
        new_pods.add_runtime_class(spec, found)


def _set_uid(metadata: Manifest, prefix: str) -> None:
    if not metadata.get("uid"):
        metadata["uid"] = f"{prefix}-{metadata['namespace']}-{metadata.get('name', '')}"


def _default_ports(spec: Manifest) -> None:
    for container in (*spec.get("containers", ()), *spec.get("initContainers", ())):
        for port in container.get("ports", ()):
            port.setdefault("protocol", "TCP")
            if spec.get("hostNetwork") and not port.get("hostPort"):
                port["hostPort"] = port.get("containerPort", 0)


def _default_azure_disk(volume: Manifest) -> None:
    """A disk that does not say so is a shared blob, which no driver translates."""
    if "azureDisk" in volume:
        volume["azureDisk"].setdefault("kind", "Shared")


def _admit_priority(spec: Manifest, context: Context) -> None:
    """A stated priority wins and no class is looked up."""
    if "priority" in spec:
        return
    name = spec.get("priorityClassName")
    if name in SYSTEM_PRIORITIES and name not in context.priority_classes:
        spec["priority"] = SYSTEM_PRIORITIES[name]
        return
    found = context.priority_classes.get(name) if name else context.default_class()
    if name and found is None:
        raise Invalid(f"no PriorityClass with name {name} was found", "spec.priorityClassName")
    spec["priority"] = found.value if found else 0
    if found:
        spec["priorityClassName"] = found.name
        if found.preemption_policy:
            spec.setdefault("preemptionPolicy", found.preemption_policy)


def _merge_label_keys(affinity: Manifest, labels: dict[str, str]) -> None:
    """`matchLabelKeys` and `mismatchLabelKeys` of pod (anti-)affinity become part of the term's selector."""
    for side in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(side) or {}
        preferred = rules.get("preferredDuringSchedulingIgnoredDuringExecution", ())
        for term in (
            *rules.get("requiredDuringSchedulingIgnoredDuringExecution", ()),
            *(one.get("podAffinityTerm", {}) for one in preferred),
        ):
            _merge_into_selector(term, labels)


def _merge_into_selector(term: Manifest, labels: dict[str, str]) -> None:
    wanted = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for field, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in term.get(field, ())
        if key in labels
    ]
    if "labelSelector" in term and wanted:
        expressions = term["labelSelector"].setdefault("matchExpressions", [])
        expressions.extend(one for one in wanted if one not in expressions)


# --- other kinds ------------------------------------------------------------------------------------------------------


def _default_namespace(namespace: Manifest) -> None:
    metadata = namespace["metadata"]
    metadata["labels"] = metadata.get("labels", {}) | {NAMESPACE_NAME_LABEL: metadata.get("name", "")}


def _default_node(node: Manifest) -> None:
    status = node.get("status", {})
    for field in ("capacity", "allocatable"):
        pod_resources.round_up(status.get(field))
    if "allocatable" not in status and "capacity" in status:
        status["allocatable"] = dict(status["capacity"])


def _default_claim(claim: Manifest) -> None:
    _set_uid(claim["metadata"], "uid-pvc")
    spec = claim.setdefault("spec", {})
    spec.setdefault("volumeMode", "Filesystem")
    for field in ("requests", "limits"):
        pod_resources.round_up(spec.get("resources", {}).get(field))
    claim.setdefault("status", {}).setdefault("phase", "Pending")


def _default_volume(volume: Manifest) -> None:
    spec = volume.setdefault("spec", {})
    spec.setdefault("volumeMode", "Filesystem")
    spec.setdefault("persistentVolumeReclaimPolicy", "Retain")
    pod_resources.round_up(spec.get("capacity"))
    _default_azure_disk(spec)
    volume.setdefault("status", {}).setdefault("phase", "Pending")


def _default_storage_class(storage_class: Manifest) -> None:
    storage_class.setdefault("volumeBindingMode", "Immediate")
    storage_class.setdefault("reclaimPolicy", "Delete")


def _default_workload(workload: Manifest) -> None:
    _set_uid(workload["metadata"], "uid")


def _default_united_deployment(united: Manifest) -> None:
    _default_workload(united)
    united_deployment.fill_in(united)


_WORKLOADS = ("AdvancedStatefulSet", "CloneSet", "DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet")
_DEFAULTS: dict[str, Callable[[Manifest], None]] = {
    **dict.fromkeys(_WORKLOADS, _default_workload),
    "UnitedDeployment": _default_united_deployment,
    "Namespace": _default_namespace,
    "Node": _default_node,
    "PersistentVolume": _default_volume,
    "PersistentVolumeClaim": _default_claim,
    "ResourceClaim": lambda claim: _set_uid(claim["metadata"], "uid-claim"),
    "StorageClass": _default_storage_class,
}
