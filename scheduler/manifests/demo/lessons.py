"""The pods that wait in the demo cluster. Each carries, as an annotation, the one sentence that it teaches."""

from collections.abc import Iterator
from typing import Any

from scheduler.manifests.demo.chance import timestamp
from scheduler.manifests.demo.images import image_name
from scheduler.manifests.demo.pools import GPU
from scheduler.manifests.demo.workloads import GPU_TOLERATION, INFRA_TOLERATION, SPOT_TOLERATION

LESSON = "podium.dev/lesson"
POOL = "example.com/pool"
ZONE = "topology.kubernetes.io/zone"


def _preferred(weight: int, key: str, value: str) -> dict[str, Any]:
    wanted = {"key": key, "operator": "In", "values": [value]}
    return {"weight": weight, "preference": {"matchExpressions": [wanted]}}


PREFERENCES = {
    "nodeAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            _preferred(80, ZONE, "north-1b"),
            _preferred(20, POOL, "memory"),
        ]
    }
}

# namespace, name, image, requests, rest of the spec, lesson: in the order in which they were created
ROWS: tuple[tuple[str, str, str, dict[str, str], dict[str, Any], str], ...] = (
    ("shop", "search-reindex", "shop/search:1.12.0", {"cpu": "1", "memory": "2Gi"}, {"affinity": PREFERENCES},
     "Preferences add points and exclude nothing: zone north-1b counts 80, the memory pool 20, both together 100."),
    ("batch", "spot-canary", "batch/canary:1.0.0", {"cpu": "500m", "memory": "512Mi"},
     {"nodeSelector": {POOL: "spot"}, "tolerations": [SPOT_TOLERATION]},
     "Three spot nodes were just added and are alike in every score: an exact tie, decided by a seeded draw."),
    ("data", "warehouse-load", "data/warehouse:11.0", {"cpu": "6500m", "memory": "8Gi"}, {},
     "The cluster has far more than 6.5 cpu free, but no node that this pod may use has them in one piece."),
    ("ml", "notebook-ada", "ml/notebook:2026.1", {"cpu": "500m", "memory": "1Gi"}, {},
     "Six of the busiest nodes hold its 9 GiB image already: ImageLocality outweighs all that emptier nodes offer."),
    ("ml", "embed-catalog", "ml/serving:2.4.0", {"cpu": "2", "memory": "8Gi"}, {"nodeSelector": {POOL: "gpu"}},
     "It selects the gpu pool but does not tolerate that pool's taint, so every node refuses it."),
    ("ml", "pretrain", "ml/trainer:2.4.0", {"cpu": "16", "memory": "64Gi", GPU: "4"}, {"tolerations": [GPU_TOLERATION]},
     "It wants four GPUs of one node; eleven are free, but no node has more than three of them."),
    ("ml", "infer-preview", "ml/serving:2.4.0", {"cpu": "1", "memory": "4Gi", GPU: "1"},
     {"tolerations": [GPU_TOLERATION]},
     "Only the six GPU nodes pass; among them cpu, memory and image decide: GPUs count in filters, not in scores."),
    ("shop", "storefront-canary", "shop/storefront:4.18.2", {"cpu": "250m", "memory": "256Mi"},
     {"nodeSelector": {ZONE: "north-1d"}},
     "Its nodeSelector names a zone that no node has: a spelling mistake looks just like this."),
    ("ops", "ingress-canary", "ops/ingress:1.12", {"cpu": "250m", "memory": "256Mi"},
     {"nodeSelector": {POOL: "infra"}, "tolerations": [INFRA_TOLERATION]},
     "Host port 443 is taken on both infra nodes; room for cpu and memory does not help."),
    ("data", "disk-benchmark", "data/postgres:17.2", {"cpu": "1", "memory": "2Gi"},
     {"nodeSelector": {"example.com/local-disk": "nvme"}},
     "The only node with such a disk is cordoned: uncordon it and the pod goes there."),
    ("shop", "year-report", "data/warehouse:11.0", {"cpu": "48", "memory": "96Gi"}, {},
     "It asks for 48 cpu, more than the largest machine has: no waiting and no preemption can help."),
    ("default", "shell", "system/exporter:1.9", {}, {},
     "No requests (BestEffort): it fits everywhere, and is scored as if it asked for 100m cpu and 200Mi memory."),
    ("staging", "preview-418", "staging/web:next", {"cpu": "200m", "memory": "256Mi"},
     {"schedulingGates": [{"name": "example.com/review"}]},
     "A scheduling gate holds it back: it is not even queued until the gate is removed."),
    ("ops", "log-probe", "ops/loki:3.4", {"cpu": "100m", "memory": "128Mi"},
     {"nodeSelector": {"kubernetes.io/hostname": "general-b-14"}},
     "One node only passes the filters, so the scheduler binds it without scoring anything."),
    ("batch", "simulation-7", "batch/worker:6.2.0", {"cpu": "1", "memory": "1Gi"}, {"schedulerName": "batch-scheduler"},
     "It asks for another scheduler by schedulerName; this one never looks at it."),
    ("shop", "payments-hotfix", "shop/payments:2.1.9", {"cpu": "750m", "memory": "1Gi"},
     {"priorityClassName": "business-critical"},
     "Created last but first in activeQ: its priority class ranks above every other waiting pod."),
    ("data", "schema-migration", "data/postgres:17.2", {"cpu": "100m", "memory": "128Mi"},
     {"initContainers": [{"name": "dump", "image": image_name("data/postgres:17.2"),
                          "resources": {"requests": {"cpu": "2", "memory": "4Gi"}}}]},
     "Its init container asks for 2 cpu and runs first: the pod counts as 2 cpu and not as the 100m of its container."),
)  # fmt: skip

HOST_PORTS = {"ingress-canary": [{"containerPort": 443, "hostPort": 443, "protocol": "TCP"}]}


def lesson_pods() -> Iterator[dict[str, Any]]:
    for index, (namespace, name, image, requests, rest, lesson) in enumerate(ROWS):
        yield {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": name,
                "namespace": namespace,
                "creationTimestamp": timestamp(10 * (len(ROWS) - index)),
                "labels": {"app.kubernetes.io/name": name},
                "annotations": {LESSON: lesson},
            },
            "spec": {**rest, "containers": [_container(name, image, requests)]},
            "status": {"phase": "Pending"},
        }


def _container(name: str, image: str, requests: dict[str, str]) -> dict[str, Any]:
    container: dict[str, Any] = {"name": name, "image": image_name(image)}
    if requests:
        container["resources"] = {"requests": requests}
    if GPU in requests:
        container["resources"]["limits"] = {GPU: requests[GPU]}
    if name in HOST_PORTS:
        container["ports"] = HOST_PORTS[name]
    return container
