"""The openb trace (Alibaba, cluster-trace-gpu-v2023) as Kubernetes manifests, from a directory with its CSV files.

A share of a GPU has no word in Kubernetes: GPUs are counted in thousandths, as an extended resource.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GPU = "alibabacloud.com/gpu-milli"
MODEL = "alibabacloud.com/gpu-card-model"


def manifests(directory: Path, pods: str = "default") -> Iterator[dict[str, Any]]:
    """1,523 nodes, then the pods of one list in the order of their creation, all of them waiting."""
    yield from map(node, rows(directory / "openb_node_list_all_node.csv"))
    waiting = list(rows(directory / f"openb_pod_list_{pods}.csv"))
    yield from map(pod, sorted(waiting, key=lambda row: int(row.get("creation_time") or 0)))


def rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(newline="") as lines:
        yield from csv.DictReader(lines)


def node(row: dict[str, str]) -> dict[str, Any]:
    labels = {"kubernetes.io/hostname": row["sn"], **({MODEL: row["model"]} if row["model"] else {})}
    offered = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi", "pods": "1001"}
    if int(row["gpu"]):
        offered[GPU] = str(int(row["gpu"]) * 1000)
    metadata = {"name": row["sn"], "labels": labels}
    status = {"capacity": offered, "allocatable": offered}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": status}


def pod(row: dict[str, str]) -> dict[str, Any]:
    asked = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi"}
    if share := int(row["num_gpu"]) * int(row["gpu_milli"] or 1000):
        asked[GPU] = str(share)
    resources = {"requests": asked, "limits": {GPU: asked[GPU]} if GPU in asked else {}}
    spec: dict[str, Any] = {"containers": [{"name": "main", "image": "openb/task:1", "resources": resources}]}
    if models := row.get("gpu_spec"):
        spec["affinity"] = {"nodeAffinity": required(MODEL, models.split("|"))}
    labels = {"qos": row["qos"]} if row.get("qos") else {}
    metadata = {"name": row["name"], "namespace": "default", "labels": labels}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def required(label: str, values: list[str]) -> dict[str, Any]:
    expression = {"key": label, "operator": "In", "values": values}
    return {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    }
