"""The node pools of the demo cluster and the nodes of each: sizes as a cloud sells them, less what a kubelet keeps."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scheduler.manifests.demo.chance import timestamp

REGION = "north-1"
ZONES = ("a", "b", "c")
GPU = "nvidia.com/gpu"
Taint = tuple[str, str, str]


@dataclass(frozen=True)
class Pool:
    """`counts`: nodes a zone. Cores and GiB are the machine's; `allocatable` is what pods may use."""

    name: str
    counts: tuple[int, int, int]
    machine: str
    cores: int
    gib: int
    gpus: int = 0
    taints: tuple[Taint, ...] = ()
    cordoned: bool = False
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def milli_cpu(self) -> int:
        return self.cores * 1000 - 60 - 10 * self.cores

    @property
    def mebibytes(self) -> int:
        return self.gib * 1024 - 1024 - 40 * self.gib


POOLS = (
    Pool("general", (10, 10, 10), "g3.2xlarge", 8, 32),
    Pool("memory", (3, 3, 3), "m3.2xlarge", 8, 64),
    Pool("gpu", (2, 2, 2), "a2.8xlarge", 32, 128, gpus=4, taints=((GPU, "present", "NoSchedule"),)),
    Pool("spot", (4, 4, 4), "g3.xlarge", 4, 16, taints=(("podium.dev/spot", "true", "PreferNoSchedule"),)),
    Pool("infra", (1, 1, 0), "g3.xlarge", 4, 16, taints=(("dedicated", "infra", "NoSchedule"),)),
    Pool("nvme", (0, 0, 1), "i3.2xlarge", 8, 64, cordoned=True, labels={"example.com/local-disk": "nvme"}),
)


@dataclass(frozen=True)
class DemoNode:
    name: str
    zone: str
    pool: Pool
    index: int


def demo_nodes() -> list[DemoNode]:
    return [node for pool in POOLS for node in _nodes(pool)]


def _nodes(pool: Pool) -> Iterator[DemoNode]:
    index = 0
    for zone, count in zip(ZONES, pool.counts, strict=True):
        for _ in range(count):
            index += 1
            yield DemoNode(f"{pool.name}-{zone}-{index:02}", f"{REGION}{zone}", pool, index)


def node_manifest(node: DemoNode, images: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": node.name,
            "creationTimestamp": timestamp(40 * 86_400 - 600 * node.index),
            "labels": _labels(node),
        },
        "spec": _spec(node.pool),
        "status": {
            "capacity": _resources(node.pool, node.pool.cores * 1000, node.pool.gib * 1024),
            "allocatable": _resources(node.pool, node.pool.milli_cpu, node.pool.mebibytes),
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
            "images": images,
        },
    }


def _labels(node: DemoNode) -> dict[str, str]:
    return {
        "kubernetes.io/hostname": node.name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": node.pool.machine,
        "topology.kubernetes.io/region": REGION,
        "topology.kubernetes.io/zone": node.zone,
        "example.com/pool": node.pool.name,
        **node.pool.labels,
    }


def _spec(pool: Pool) -> dict[str, Any]:
    taints = [{"key": key, "value": value, "effect": effect} for key, value, effect in pool.taints]
    if not pool.cordoned:
        return {"taints": taints} if taints else {}
    cordon = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    return {"unschedulable": True, "taints": [*taints, cordon]}


def _resources(pool: Pool, milli_cpu: int, mebibytes: int) -> dict[str, str]:
    resources = {
        "cpu": f"{milli_cpu}m" if milli_cpu % 1000 else str(milli_cpu // 1000),
        "memory": f"{mebibytes * 1024}Ki",
        "ephemeral-storage": "94Gi",
        "pods": "110",
    }
    return resources | ({GPU: str(pool.gpus)} if pool.gpus else {})
