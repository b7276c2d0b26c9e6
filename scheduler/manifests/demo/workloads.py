"""What runs in the demo cluster: an online shop, its data, its machine learning, its operations."""

from dataclasses import dataclass, field
from typing import Any

from scheduler.manifests.demo.pools import GPU

EVERY_TAINT: tuple[dict[str, str], ...] = ({"operator": "Exists"},)
SPOT_TOLERATION = {"key": "podium.dev/spot", "operator": "Equal", "value": "true", "effect": "PreferNoSchedule"}
INFRA_TOLERATION = {"key": "dedicated", "operator": "Equal", "value": "infra", "effect": "NoSchedule"}
GPU_TOLERATION = {"key": GPU, "operator": "Exists", "effect": "NoSchedule"}


@dataclass(frozen=True)
class Workload:
    """`pools`: where its pods run. `waiting`: pods of its replicas that are not placed yet. A Job has no service."""

    namespace: str
    name: str
    kind: str
    replicas: int
    milli_cpu: int
    mebibytes: int
    image: str
    pools: tuple[str, ...] = ("general",)
    priority_class: str = ""
    gpus: int = 0
    tolerations: tuple[dict[str, str], ...] = ()
    ports: tuple[tuple[int, int], ...] = ()  # (containerPort, hostPort)
    host_network: bool = False
    pin: bool = False  # a nodeSelector on the (only) pool
    waiting: int = 0
    spread: tuple[dict[str, Any], ...] = field(default=())

    @property
    def has_service(self) -> bool:
        return self.kind in ("Deployment", "StatefulSet")


ZONE_SPREAD = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway"}
BOTH = ("general", "memory")
ALL = ("general", "memory", "gpu", "spot", "infra", "nvme")

DAEMONS = (
    Workload("kube-system", "kube-proxy", "DaemonSet", 0, 100, 0, "system/proxy:1.34.1", ALL,
             "system-node-critical", tolerations=EVERY_TAINT, ports=((10249, 10249),), host_network=True),
    Workload("kube-system", "network-agent", "DaemonSet", 0, 100, 256, "system/network:1.17", ALL,
             "system-node-critical", tolerations=EVERY_TAINT, ports=((9879, 9879),), host_network=True),
    Workload("ops", "node-exporter", "DaemonSet", 0, 40, 64, "system/exporter:1.9", ALL,
             tolerations=EVERY_TAINT, ports=((9100, 9100),)),
    Workload("kube-system", "gpu-plugin", "DaemonSet", 0, 50, 128, "system/gpu-plugin:0.17", ("gpu",),
             "system-node-critical", tolerations=(GPU_TOLERATION,), pin=True),
)  # fmt: skip

WORKLOADS = (
    Workload("kube-system", "coredns", "Deployment", 4, 100, 170, "system/dns:1.12",
             priority_class="system-cluster-critical"),
    Workload("kube-system", "metrics-server", "Deployment", 2, 100, 200, "system/metrics:0.8",
             priority_class="system-cluster-critical"),
    Workload("kube-system", "cluster-autoscaler", "Deployment", 1, 100, 600, "system/autoscaler:1.34",
             priority_class="system-cluster-critical"),
    Workload("ops", "ingress", "Deployment", 2, 1000, 1024, "ops/ingress:1.12", ("infra",), "system-cluster-critical",
             tolerations=(INFRA_TOLERATION,), ports=((80, 80), (443, 443)), pin=True),
    Workload("data", "kafka", "StatefulSet", 6, 2000, 12_288, "data/kafka:3.9.1", ("memory",), "business-critical"),
    Workload("data", "postgres", "StatefulSet", 3, 3000, 20_480, "data/postgres:17.2", ("memory",),
             "business-critical"),
    Workload("data", "redis", "StatefulSet", 6, 500, 6144, "data/redis:7.4", BOTH, "business-critical"),
    Workload("ml", "inference", "Deployment", 7, 4000, 14_336, "ml/serving:2.4.0", ("gpu",), gpus=1,
             tolerations=(GPU_TOLERATION,), pin=True),
    Workload("ml", "finetune", "Job", 3, 8000, 32_768, "ml/trainer:2.4.0", ("gpu",), gpus=2,
             tolerations=(GPU_TOLERATION,), pin=True),
    Workload("shop", "storefront", "Deployment", 24, 1000, 1536, "shop/storefront:4.18.2",
             spread=(ZONE_SPREAD,), waiting=2),
    Workload("shop", "catalog", "Deployment", 16, 1500, 3072, "shop/catalog:5.0.4", BOTH),
    Workload("shop", "search", "Deployment", 12, 2000, 5120, "shop/search:1.12.0", BOTH),
    Workload("shop", "checkout", "Deployment", 14, 750, 1024, "shop/checkout:3.3.1",
             priority_class="business-critical"),
    Workload("shop", "payments", "Deployment", 9, 750, 1024, "shop/payments:2.1.9", priority_class="business-critical"),
    Workload("shop", "cart", "Deployment", 18, 500, 768, "shop/cart:2.7.0"),
    Workload("shop", "recommend", "Deployment", 10, 2500, 6144, "shop/recommend:0.9.3", BOTH),
    Workload("ops", "prometheus", "StatefulSet", 2, 2000, 10_240, "ops/prometheus:3.1", ("memory",)),
    Workload("ops", "loki", "StatefulSet", 3, 1000, 4096, "ops/loki:3.4", BOTH),
    Workload("ops", "grafana", "Deployment", 2, 250, 512, "ops/grafana:11.5"),
    Workload("staging", "web", "Deployment", 6, 200, 512, "staging/web:next", ("general", "spot"),
             tolerations=(SPOT_TOLERATION,)),
    Workload("batch", "thumbnails", "Job", 14, 1000, 2048, "batch/worker:6.2.0", ("spot",), "batch-low",
             tolerations=(SPOT_TOLERATION,), pin=True),
    Workload("batch", "invoices", "Job", 12, 500, 1024, "batch/worker:6.2.0", ("general",), "batch-low"),
    Workload("batch", "exports", "Job", 30, 600, 1536, "batch/worker:6.2.0", ("general",), "batch-low"),
)  # fmt: skip

NAMESPACES = ("default", "kube-system", "ops", "shop", "data", "ml", "batch", "staging")
PRIORITY_CLASSES = (
    ("system-node-critical", 2_000_001_000, "PreemptLowerPriority"),
    ("system-cluster-critical", 2_000_000_000, "PreemptLowerPriority"),
    ("business-critical", 100_000, "PreemptLowerPriority"),
    ("batch-low", -10, "Never"),
)
