"""Pods of the demo's workloads and the controllers that own them."""

from collections.abc import Iterator
from typing import Any

from scheduler.manifests.demo.chance import draw, suffix, timestamp
from scheduler.manifests.demo.images import image_name
from scheduler.manifests.demo.pools import GPU, DemoNode
from scheduler.manifests.demo.workloads import Workload

GROUPS = {"DaemonSet": "apps/v1", "StatefulSet": "apps/v1", "Deployment": "apps/v1", "Job": "batch/v1"}


def labels(work: Workload) -> dict[str, str]:
    own = {"app.kubernetes.io/name": work.name}
    return own | ({"pod-template-hash": _hash(work)} if work.kind == "Deployment" else {})


def _hash(work: Workload) -> str:
    return suffix(f"{work.namespace}/{work.name}", 9)


def pod_names(work: Workload, count: int) -> list[str]:
    if work.kind == "StatefulSet":
        return [f"{work.name}-{index}" for index in range(count)]
    base = f"{work.name}-{_hash(work)}" if work.kind == "Deployment" else work.name
    return [f"{base}-{suffix(f'{base}/{index}', 5)}" for index in range(count)]


def controllers(work: Workload, count: int) -> Iterator[dict[str, Any]]:
    """The workload object itself and, for a Deployment, its ReplicaSet."""
    selector = {"matchLabels": {"app.kubernetes.io/name": work.name}}
    meta = {"namespace": work.namespace, "labels": {"app.kubernetes.io/name": work.name}}
    created = timestamp(_age(work))
    spec: dict[str, Any] = {
        "selector": selector,
        "template": {"metadata": {"labels": labels(work)}, "spec": spec_of(work)},
    }
    if work.kind == "Job":
        spec = {"parallelism": count, "completions": count, "template": spec["template"]}
    elif work.kind != "DaemonSet":
        spec = {"replicas": count, **spec}
    yield {
        "apiVersion": GROUPS[work.kind],
        "kind": work.kind,
        "metadata": {**meta, "name": work.name, "creationTimestamp": created},
        "spec": spec,
    }
    if work.kind == "Deployment":
        yield _replica_set(work, count, meta, created)


def _replica_set(work: Workload, count: int, meta: dict[str, Any], created: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": work.name, "controller": True}
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            **meta,
            "name": f"{work.name}-{_hash(work)}",
            "labels": labels(work),
            "creationTimestamp": created,
            "ownerReferences": [owner],
        },
        "spec": {
            "replicas": count,
            "selector": {"matchLabels": labels(work)},
            "template": {"metadata": {"labels": labels(work)}, "spec": spec_of(work)},
        },
    }


def service(work: Workload) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": work.name, "namespace": work.namespace, "creationTimestamp": timestamp(_age(work))},
        "spec": {"selector": {"app.kubernetes.io/name": work.name}, "ports": [{"port": 80}]},
    }


def _age(work: Workload) -> int:
    return 86_400 * (3 + draw(work.name, 30))


def pod_manifest(work: Workload, name: str, node: DemoNode | None, seconds_ago: int | None = None) -> dict[str, Any]:
    """A running pod on `node`, or a waiting one where that is None."""
    age = seconds_ago if seconds_ago is not None else _age(work) - draw(name, 40_000) - 60
    spec = spec_of(work)
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": work.namespace,
            "creationTimestamp": timestamp(age),
            "labels": labels(work),
            "ownerReferences": [_owner(work)],
        },
        "spec": spec,
        "status": {"phase": "Pending"},
    }
    if node is not None:
        spec["nodeName"] = node.name
        pod["status"] = {"phase": "Running", "startTime": timestamp(age - 2)}
    return pod


def _owner(work: Workload) -> dict[str, Any]:
    kind, name = work.kind, work.name
    if kind == "Deployment":
        kind, name = "ReplicaSet", f"{work.name}-{_hash(work)}"
    return {"apiVersion": GROUPS[work.kind], "kind": kind, "name": name, "controller": True}


def spec_of(work: Workload) -> dict[str, Any]:
    spec: dict[str, Any] = {"containers": [container(work)]}
    optional = {
        "priorityClassName": work.priority_class,
        "nodeSelector": {"example.com/pool": work.pools[0]} if work.pin else None,
        "tolerations": [dict(toleration) for toleration in work.tolerations],
        "hostNetwork": work.host_network,
        "topologySpreadConstraints": [
            {**constraint, "labelSelector": {"matchLabels": {"app.kubernetes.io/name": work.name}}}
            for constraint in work.spread
        ],
    }
    return spec | {key: value for key, value in optional.items() if value}


def container(work: Workload) -> dict[str, Any]:
    requests = {"cpu": f"{work.milli_cpu}m"} | ({"memory": f"{work.mebibytes}Mi"} if work.mebibytes else {})
    resources: dict[str, Any] = {"requests": requests}
    if work.gpus:
        requests[GPU] = str(work.gpus)
        resources["limits"] = {GPU: str(work.gpus)}
    built: dict[str, Any] = {"name": work.name, "image": image_name(work.image), "resources": resources}
    if work.ports:
        built["ports"] = [{"containerPort": inside, "hostPort": host, "protocol": "TCP"} for inside, host in work.ports]
    return built
