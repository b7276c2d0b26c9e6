"""From manifests to objects: which kinds there are, how they are told apart and decoded."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.objects.admitting import LimitRange, RuntimeClass
from scheduler.engine.objects.base import KubernetesObject, ObjectKey
from scheduler.engine.objects.nodes import Node
from scheduler.engine.objects.pods import Pod
from scheduler.engine.objects.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler.engine.objects.workloads import (
    AdvancedStatefulSet,
    CloneSet,
    ControllerRevision,
    DaemonSet,
    Deployment,
    Job,
    Namespace,
    PodDisruptionBudget,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    UnitedDeployment,
)


class Opaque(KubernetesObject, frozen=True):
    """A kind that is stored and shown but read by no algorithm yet."""


KINDS: dict[str, type[KubernetesObject]] = {
    kind.__name__: kind
    for kind in (
        AdvancedStatefulSet,
        CSIDriver,
        CSINode,
        CSIStorageCapacity,
        CloneSet,
        ControllerRevision,
        DaemonSet,
        Deployment,
        Job,
        LimitRange,
        Namespace,
        Node,
        PersistentVolume,
        PersistentVolumeClaim,
        Pod,
        PodDisruptionBudget,
        PriorityClass,
        ReplicaSet,
        ReplicationController,
        RuntimeClass,
        Service,
        StatefulSet,
        StorageClass,
        UnitedDeployment,
        VolumeAttachment,
    )
}
"""Kinds that algorithms read, by name. Any other kind decodes to `Opaque`."""

CLUSTER_SCOPED = frozenset(
    {
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "DeviceClass",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "ResourceSlice",
        "RuntimeClass",
        "StorageClass",
        "VolumeAttachment",
    }
)


class _Named(msgspec.Struct):
    name: str = ""
    namespace: str | None = None


class _Identified(msgspec.Struct):
    metadata: _Named


_decoders = {kind: msgspec.json.Decoder(type_) for kind, type_ in KINDS.items()}
_opaque, _identified = msgspec.json.Decoder(Opaque), msgspec.json.Decoder(_Identified)


def decode(kind: str, manifest: dict[str, Any]) -> KubernetesObject:
    """The typed object of a manifest. Raises `msgspec.ValidationError`, whose text names the path (`$.spec…`).

    The manifest may also be a `msgspec.Raw` of its JSON: what is brought in by the ten thousands is not unpacked.
    """
    if isinstance(manifest, msgspec.Raw):
        return _decoders.get(kind, _opaque).decode(manifest)
    return msgspec.convert(manifest, KINDS.get(kind, Opaque))


def key_of(kind: str, manifest: dict[str, Any]) -> ObjectKey:
    """The identity of a manifest: kind, namespace ("default" where a namespaced object has none) and name."""
    if isinstance(manifest, msgspec.Raw):
        named = _identified.decode(manifest).metadata
        return kind, "" if kind in CLUSTER_SCOPED else named.namespace or "default", named.name
    metadata = manifest.get("metadata") or {}
    namespace = "" if kind in CLUSTER_SCOPED else (metadata.get("namespace") or "default")
    return kind, namespace, metadata.get("name") or ""


_NULL_IN_MAP = dict.fromkeys(("requests", "limits", "overhead", "capacity", "allocatable", "allocatedResources"), "0")
_NULL_IN_MAP |= dict.fromkeys(("labels", "annotations", "matchLabels", "nodeSelector"), "")


def null_free(value: Any) -> Any:
    """A copy without nulls, which mean the same as absence; in maps of quantities and labels they are zero and ""."""
    if isinstance(value, dict):
        return _null_free_map(value, None)
    return _null_free_list(value) if isinstance(value, list) else value


def _null_free_map(value: dict[str, Any], missing: str | None) -> dict[str, Any]:
    """Every object of an import comes through here, several times: scalars are copied without a call."""
    copy: dict[str, Any] = {}
    # What a CSI driver can allocate is an object with a count, not a map of quantities.
    in_map = {} if "nodeID" in value else _NULL_IN_MAP
    for key, one in value.items():
        if isinstance(one, dict):
            copy[key] = _null_free_map(one, in_map.get(key))
        elif isinstance(one, list):
            copy[key] = _null_free_list(one)
        elif one is not None:
            copy[key] = one
        elif missing is not None:
            copy[key] = missing
    return copy


def strip_nulls(value: dict[str, Any]) -> None:
    """`null_free` in place."""
    _strip_map(value, {}, "")


def _strip_map(value: dict[str, Any], parent: dict[str, Any], name: str) -> None:
    nulls: list[str] | None = None
    for key, one in value.items():
        kind = type(one)
        if kind is dict:
            _strip_map(one, value, key)
        elif kind is list:
            _strip_list(one)
        elif one is None:
            nulls = [*(nulls or ()), key]
    if nulls:
        missing = None if "nodeID" in parent else _NULL_IN_MAP.get(name)
        for key in nulls:
            if missing is None:
                del value[key]
            else:
                value[key] = missing


def _strip_list(value: list[Any]) -> None:
    for one in value:
        kind = type(one)
        if kind is dict:
            _strip_map(one, {}, "")
        elif kind is list:
            _strip_list(one)


def _null_free_list(value: list[Any]) -> list[Any]:
    return [null_free(one) if isinstance(one, (dict, list)) else one for one in value]
