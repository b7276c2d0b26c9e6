"""What the API server would refuse, with its paths and words, as far as it could mislead the engine.

Source: kubernetes v1.34.1 pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from scheduler.engine import objects
from scheduler.engine.errors import Invalid
from scheduler.engine.validation import metadata, nodes, pod_makers, pods, united_shape, workloads
from scheduler.engine.validation.rules import wrong_type

__all__ = ["validate", "validate_null_free", "wrong_type"]

_POD_MAKERS = ("AdvancedStatefulSet", "CloneSet", "DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet")
_RULES: dict[str, Callable[[Any], Iterator[Invalid]]] = {
    "Node": nodes.node,
    "PersistentVolume": workloads.persistent_volume,
    "PersistentVolumeClaim": workloads.persistent_volume_claim,
    "Pod": pods.pod,
    "PodDisruptionBudget": workloads.selecting,
    "PriorityClass": workloads.priority_class,
    "UnitedDeployment": united_shape.united_deployment,
    **dict.fromkeys(_POD_MAKERS, pod_makers.workload),
}


def validate(kind: str, manifest: Any) -> list[Invalid]:
    """Every fault of a manifest, [] if there is none. Never raises, whatever the manifest holds.

    The manifest may be one from before or after admission; nulls count as absent.
    """
    try:
        return validate_null_free(kind, objects.null_free(manifest))
    except RecursionError:
        return [Invalid("nested too deeply")]


def validate_null_free(kind: str, manifest: Any) -> list[Invalid]:
    """The same for a manifest that holds no null."""
    try:
        decoded = objects.decode(kind, manifest)
    except msgspec.ValidationError as error:
        return [wrong_type(error)]
    except RecursionError:
        return [Invalid("nested too deeply")]
    rule = _RULES.get(kind)
    return [*metadata.metadata(kind, decoded.metadata), *(rule(decoded) if rule else ())]
