"""The demo cluster put together: objects in the order in which a cluster would have got them."""

from collections.abc import Iterator
from typing import Any

from scheduler.manifests.demo.chance import timestamp
from scheduler.manifests.demo.images import node_images
from scheduler.manifests.demo.lessons import LESSON, lesson_pods
from scheduler.manifests.demo.placement import Floor
from scheduler.manifests.demo.pods import controllers, pod_manifest, pod_names, service
from scheduler.manifests.demo.pools import demo_nodes, node_manifest
from scheduler.manifests.demo.workloads import DAEMONS, NAMESPACES, PRIORITY_CLASSES, WORKLOADS, Workload

Manifest = dict[str, Any]
SCALED_UP = "A second ago its Deployment was scaled up: an ordinary pod, to watch all scores add up."


def demo_manifests() -> list[Manifest]:
    """About 60 nodes, 400 placed pods and those that wait. Always the same, each time newly built."""
    nodes = demo_nodes()
    floor = Floor(nodes)
    running = [pod for work in (*DAEMONS, *WORKLOADS) for pod in _running(work, floor)]
    images = {room.node.name: node_images(room.node.name, room.node.pool.name, room.images) for room in floor.rooms}
    return [
        *_surroundings(),
        *(node_manifest(node, images[node.name]) for node in nodes),
        *(made for work in (*DAEMONS, *WORKLOADS) for made in controllers(work, work.replicas + work.waiting)),
        *(service(work) for work in WORKLOADS if work.has_service),
        *(pod for work in WORKLOADS for pod in _budget(work)),
        *running,
        *lesson_pods(),
        *(pod for work in WORKLOADS for pod in _waiting(work)),
    ]


def _running(work: Workload, floor: Floor) -> Iterator[Manifest]:
    if work.kind == "DaemonSet":
        nodes = floor.place_daemon(work)
        for name, node in zip(pod_names(work, len(nodes)), nodes, strict=True):
            yield pod_manifest(work, name, node)
        return
    for name in pod_names(work, work.replicas):
        yield pod_manifest(work, name, floor.place(work, name))


def _waiting(work: Workload) -> Iterator[Manifest]:
    for name in pod_names(work, work.replicas + work.waiting)[work.replicas :]:
        pod = pod_manifest(work, name, None, seconds_ago=1)
        pod["metadata"]["annotations"] = {LESSON: SCALED_UP}
        yield pod


def _surroundings() -> Iterator[Manifest]:
    created = timestamp(41 * 86_400)
    for name in NAMESPACES:
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "creationTimestamp": created}}
    for name, value, preemption in PRIORITY_CLASSES:
        yield {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name, "creationTimestamp": created},
            "value": value,
            "preemptionPolicy": preemption,
        }


def _budget(work: Workload) -> Iterator[Manifest]:
    """StatefulSets may lose one pod at a time."""
    if work.kind == "StatefulSet":
        yield {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": work.name, "namespace": work.namespace, "creationTimestamp": timestamp(86_400)},
            "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app.kubernetes.io/name": work.name}}},
            "status": {"disruptionsAllowed": 1},
        }
