"""Short ways to write claims, volumes, classes and drivers in tests."""

from typing import Any

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import StorageClass

Manifest = dict[str, Any]

WAIT = "WaitForFirstConsumer"
BOUND = {"pv.kubernetes.io/bind-completed": "yes"}


def a_claim(name: str = "data", *, volume: str = "", size: str = "1Gi", **more: Any) -> Manifest:
    """Bound if it names a volume. `more`: `annotations`, `phase`, owners, or fields of the spec."""
    metadata = {"name": name, "namespace": more.pop("namespace", "default")}
    metadata["annotations"] = more.pop("annotations", BOUND if volume else {})
    metadata |= {key: more.pop(key) for key in ("deletionTimestamp", "ownerReferences") if key in more}
    status = {"phase": more.pop("phase", "Bound" if volume else "Pending")}
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": size}},
        "volumeName": volume,
        **more,
    }
    return {"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec, "status": status}


def a_volume(
    name: str = "pv",
    *,
    driver: str = "disk.test",
    zone: str = "",
    size: str = "10Gi",
    phase: str = "Bound",
    **spec: Any,
) -> Manifest:
    """A CSI volume, unless the spec names another source; reachable from nodes of a zone only, if one is given."""
    labels = spec.pop("labels", {})
    affinity = {"required": {"nodeSelectorTerms": [zone_term(zone)]}} if zone else None
    source = {} if any(key.endswith(("Store", "Disk", "cinder", "Volume")) for key in spec) else a_source(driver, name)
    return {
        "kind": "PersistentVolume",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "capacity": {"storage": size},
            "accessModes": ["ReadWriteOnce"],
            "nodeAffinity": affinity,
            **source,
            **spec,
        },
        "status": {"phase": phase},
    }


def a_source(driver: str, handle: str) -> Manifest:
    return {"csi": {"driver": driver, "volumeHandle": handle}}


def zone_term(*zones: str, key: str = "zone") -> Manifest:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": list(zones)}]}


def a_class(name: str = "late", *, mode: str | None = WAIT, provisioner: str = "disk.test", **more: Any) -> Manifest:
    return {
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": provisioner,
        "volumeBindingMode": mode,
        **more,
    }


def without_mode(cycle: Cycle) -> Cycle:
    """The attempt in a cluster whose storage classes never went through an API server."""
    cycle.snapshot.objects["StorageClass"]["late"] = StorageClass(provisioner="disk.test")
    return cycle


def a_csi_node(name: str = "n1", migrated: str = "", **limits: int | None) -> Manifest:
    """`limits`: by driver, whose dot is written `_`; None is no limit."""
    drivers = [
        {"name": driver.replace("_", "."), "nodeID": name, "allocatable": {"count": count}}
        for driver, count in limits.items()
    ]
    annotations = {"storage.alpha.kubernetes.io/migrated-plugins": migrated} if migrated else {}
    return {
        "kind": "CSINode",
        "metadata": {"name": name, "annotations": annotations},
        "spec": {"drivers": drivers},
    }


def an_attachment(volume: str, node: str = "n1", attacher: str = "disk.test") -> Manifest:
    return {
        "kind": "VolumeAttachment",
        "metadata": {"name": f"{volume}-{node}"},
        "spec": {"attacher": attacher, "nodeName": node, "source": {"persistentVolumeName": volume}},
    }


def using(*claims: str) -> list[Manifest]:
    """Volumes of a pod, one a claim."""
    return [
        {"name": f"v{number}", "persistentVolumeClaim": {"claimName": claim}} for number, claim in enumerate(claims)
    ]


def ephemeral(name: str = "scratch") -> list[Manifest]:
    return [{"name": name, "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]
