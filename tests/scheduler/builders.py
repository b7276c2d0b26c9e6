"""Small clusters and manifests for tests, written as one would say them: `a_pod("web", cpu="500m")`."""

from itertools import count
from typing import Any

from scheduler.models import Cluster
from scheduler.services import cluster_create

START_US = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z
_names = count(1)


def a_node(
    name: str, cpu: str = "4", memory: str = "16Gi", pods: str = "110", zone: str = "", **labels: str
) -> dict[str, Any]:
    own = {"kubernetes.io/hostname": name, **labels}
    if zone:
        own["topology.kubernetes.io/zone"] = zone
    allocatable = {"cpu": cpu, "memory": memory, "pods": pods}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": own},
        "status": {"allocatable": allocatable, "capacity": allocatable},
    }


def a_storage_class(name: str, provisioner: str = "disk.test") -> dict[str, Any]:
    """Its claims wait for their first pod."""
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": provisioner,
        "volumeBindingMode": "WaitForFirstConsumer",
    }


def a_claim(name: str, storage_class: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
            "storageClassName": storage_class,
        },
    }


def a_volume(name: str, storage_class: str) -> dict[str, Any]:
    """A free one, with a source that scheduling does not read."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": "5Gi"},
            "storageClassName": storage_class,
            "hostPath": {"path": f"/disks/{name}"},
        },
        "status": {"phase": "Available"},
    }


def a_pod(
    name: str, cpu: str = "500m", memory: str = "256Mi", namespace: str = "default", **spec: Any
) -> dict[str, Any]:
    container = {
        "name": "main",
        "image": "example.org/main:1",
        "resources": {"requests": {"cpu": cpu, "memory": memory}},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": name.rsplit("-", 1)[0]}},
        "spec": {"containers": [container], **spec},
    }


def manifests(nodes: int = 3, pods: int = 4, bound: int = 2) -> list[dict[str, Any]]:
    """`nodes` nodes in two zones, `pods` pending pods, and `bound` more that run on the first nodes."""
    return [
        *(a_node(f"node-{place}", zone=f"zone-{place % 2}") for place in range(nodes)),
        *(a_pod(f"run-{place}", nodeName=f"node-{place % nodes}") for place in range(bound)),
        *(a_pod(f"web-{place}") for place in range(pods)),
    ]


def a_cluster(nodes: int = 3, pods: int = 4, bound: int = 2, name: str = "", **options: Any) -> Cluster:
    """A cluster made through the services; `options` as `cluster_create` takes them."""
    return cluster_create(
        name or f"test-{next(_names)}",
        [*manifests(nodes, pods, bound), *options.pop("more", ())],
        start_us=START_US,
        **options,
    )
