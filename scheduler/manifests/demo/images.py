"""Container images and their sizes; a node holds those of its pods, and a few were pulled beforehand."""

from typing import Any

MIB = 1 << 20
REGISTRY = "registry.example.com"

SIZES_MIB = {
    "shop/storefront:4.18.2": 412,
    "shop/cart:2.7.0": 188,
    "shop/checkout:3.3.1": 236,
    "shop/catalog:5.0.4": 301,
    "shop/search:1.12.0": 640,
    "shop/payments:2.1.9": 204,
    "shop/recommend:0.9.3": 890,
    "data/kafka:3.9.1": 702,
    "data/postgres:17.2": 438,
    "data/redis:7.4": 61,
    "data/warehouse:11.0": 1210,
    "batch/worker:6.2.0": 520,
    "ml/serving:2.4.0": 6340,
    "ml/trainer:2.4.0": 7925,
    "ml/notebook:2026.1": 9216,
    "ops/prometheus:3.1": 312,
    "ops/loki:3.4": 127,
    "ops/grafana:11.5": 465,
    "ops/ingress:1.12": 290,
    "staging/web:next": 398,
    "system/dns:1.12": 71,
    "system/metrics:0.8": 68,
    "system/autoscaler:1.34": 104,
    "system/proxy:1.34.1": 99,
    "system/network:1.17": 214,
    "system/exporter:1.9": 23,
    "system/gpu-plugin:0.17": 331,
    "system/pause:3.10": 1,
}
PREPULLED = {
    "gpu": ("ml/serving:2.4.0", "ml/trainer:2.4.0"),
    # some of the busiest nodes, so that the image has to win against emptier ones
    **dict.fromkeys(
        ("general-a-07", "general-a-10", "general-b-18", "general-c-26", "general-c-29", "general-c-30"),
        ("ml/notebook:2026.1",),
    ),
}
EVERYWHERE = ("system/pause:3.10",)


def image_name(image: str) -> str:
    return f"{REGISTRY}/{image}"


def node_images(node: str, pool: str, used: set[str]) -> list[dict[str, Any]]:
    """`status.images` of a node: largest first, as a kubelet reports them."""
    present = {*used, *EVERYWHERE, *PREPULLED.get(pool, ()), *PREPULLED.get(node, ())}
    ordered = sorted(present, key=lambda image: (-SIZES_MIB[image], image))
    return [{"names": [image_name(image)], "sizeBytes": SIZES_MIB[image] * MIB} for image in ordered]
