"""Which kinds are stored, by their API group, and why others are not."""

_STORED: dict[str, tuple[str, ...]] = {
    "": (
        "Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "ReplicationController",
        "Service", "ResourceQuota", "LimitRange",
    ),
    "apps": ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"),
    "batch": ("Job", "CronJob"),
    "policy": ("PodDisruptionBudget",),
    "scheduling.k8s.io": ("PriorityClass",),
    "storage.k8s.io": ("CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment"),
    "node.k8s.io": ("RuntimeClass",),
    "resource.k8s.io": ("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass"),
    "apps.kruise.io": ("UnitedDeployment", "CloneSet", "StatefulSet", "WorkloadSpread"),
}  # fmt: skip
STORED = frozenset((group, kind) for group, kinds in _STORED.items() for kind in kinds)

_PRIVATE = "may hold secrets and plays no part in scheduling"
_NO_PART = "plays no part in scheduling"
_IGNORED = {
    "Secret": _PRIVATE,
    "ConfigMap": _PRIVATE,
    **dict.fromkeys(
        (
            "ControllerRevision", "Endpoints", "EndpointSlice", "Event", "HorizontalPodAutoscaler", "Ingress",
            "Lease", "NetworkPolicy", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding",
            "CustomResourceDefinition", "APIService", "PodMetrics", "NodeMetrics",
        ),
        _NO_PART,
    ),
}  # fmt: skip
ITEMLESS_LISTS = {
    "namespaces": "Namespace",
    "priorityClasses": "PriorityClass",
    "storageClasses": "StorageClass",
    "nodes": "Node",
    "pvs": "PersistentVolume",
    "pvcs": "PersistentVolumeClaim",
    "pods": "Pod",
}
"""Members of a kube-scheduler-simulator snapshot."""

API_VERSIONS = {
    kind: f"{group}/v1" if group else "v1"
    for group, kinds in _STORED.items()
    for kind in kinds
    if "kruise" not in group
}

KUBECTL = (
    "kubectl get no,po,ns,pv,pvc,sc,pc,pdb,svc,rc,rs,sts,deploy,ds,jobs,csinodes,csidrivers -A -o json > cluster.json"
)


def why_ignored(api_version: str, kind: str) -> str:
    """ "" for a kind that is stored, and where nothing can be said because the version is missing."""
    group = api_version.rpartition("/")[0]
    if (group, kind) in STORED or (not api_version and kind in API_VERSIONS):
        return ""
    if reason := _IGNORED.get(kind):
        return reason
    return f"Podium does not know this kind {f'of {api_version}' if api_version else 'of object'}"
