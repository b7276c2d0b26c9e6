"""A small cluster with controllers at work: one UnitedDeployment over three zones, whose pods are yet to come."""

from typing import Any

from scheduler.manifests.demo.chance import timestamp

Manifest = dict[str, Any]
ROLLOUT_NAME = "rollout"
ZONE = "topology.kubernetes.io/zone"
REGION = "eu-west-1"
LABELS = {"app": "storefront"}
MILLI_CPU = 900


def rollout_manifests() -> list[Manifest]:
    """Six nodes, two in each of three zones, and `shop/storefront`: eight replicas, of which zone a takes four."""
    created = timestamp(86_400)
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "creationTimestamp": created}}
    nodes = [_node(f"{zone}-{number}", zone, created) for zone in "abc" for number in (1, 2)]
    return [namespace, *nodes, storefront()]


def _node(name: str, zone: str, created: str) -> Manifest:
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/region": REGION, ZONE: f"{REGION}{zone}"}
    amounts = {"cpu": "2", "memory": "8Gi", "pods": "20"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "creationTimestamp": created, "labels": labels},
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        },
    }


def storefront(replicas: int = 8, image: str = "shop/storefront:1.0") -> Manifest:
    """Its pods move on to the next subset where they have waited for half a minute."""
    container = {"name": "main", "image": image, "resources": {"requests": {"cpu": f"{MILLI_CPU}m", "memory": "1Gi"}}}
    pod = {"metadata": {"labels": LABELS}, "spec": {"containers": [container]}}
    subsets = [
        _subset("default-pool", "a", minReplicas=2, maxReplicas=4),
        _subset("spot-pool", "b", minReplicas=0, maxReplicas=3),
        _subset("elastic-pool", "c", minReplicas=0),
    ]
    return {
        "apiVersion": "apps.kruise.io/v1beta1",
        "kind": "UnitedDeployment",
        "metadata": {"name": "storefront", "namespace": "shop"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": LABELS},
            "template": {"cloneSetTemplate": {"metadata": {"labels": LABELS}, "spec": {"template": pod}}},
            "topology": {"subsets": subsets, "scheduleStrategy": {"type": "Adaptive"}},
            "updateStrategy": {"type": "Manual", "manualUpdate": {"partitions": {}}},
        },
    }


def _subset(name: str, zone: str, **bounds: int) -> Manifest:
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [f"{REGION}{zone}"]}]}
    return {"name": name, "nodeSelectorTerm": term, **bounds}
