"""API groups: which kind an object is kept as where two groups have a kind of the same name.

The kind alone names what belongs to the group that it is known by. OpenKruise's StatefulSet has a name of its own,
AdvancedStatefulSet; any other stranger is named as kubectl does it, `Job.batch.volcano.sh`.
"""

from __future__ import annotations

from functools import lru_cache

_KRUISE = "apps.kruise.io"
_WORKLOADS = ("apps", "extensions")
_STORAGE = ("storage.k8s.io",)
GROUPS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod"), ("",)),
    **dict.fromkeys(("LimitRange", "ReplicationController", "ResourceQuota", "Service"), ("",)),
    **dict.fromkeys(("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), _WORKLOADS),
    **dict.fromkeys(("CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment"), _STORAGE),
    **dict.fromkeys(("CronJob", "Job"), ("batch",)),
    **dict.fromkeys(("AdvancedStatefulSet", "CloneSet", "UnitedDeployment"), (_KRUISE,)),
    "PodDisruptionBudget": ("policy",),
    "PriorityClass": ("scheduling.k8s.io",),
    "RuntimeClass": ("node.k8s.io",),
}
"""The groups by which a kind is known: today's first, then those of old."""

_NAMED = {(_KRUISE, "StatefulSet"): "AdvancedStatefulSet"}
_API_KINDS = {name: kind for (_, kind), name in _NAMED.items()}


@lru_cache(maxsize=1024)  # every owner reference of every pod asks
def kind_of(api_version: str, kind: str) -> str:
    """The kind that an object is kept as. Without a version it is what it says."""
    group = api_version.rpartition("/")[0]
    if (name := _NAMED.get((group, kind))) is not None:
        return name
    return f"{kind}.{group}" if group and group not in GROUPS.get(kind, (group,)) else kind


def api_kind(kind: str) -> str:
    """The `kind` that a manifest of it says."""
    return _API_KINDS.get(kind) or kind.partition(".")[0]
