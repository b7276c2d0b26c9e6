"""The clusters and pods that are measured. Nodes have 16 CPU, 64 GiB, room for 110 pods, and lie in 5 zones in turn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

Manifest = dict[str, Any]

ZONES, APPS = 5, 20
HOSTNAME, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"


@dataclass(frozen=True)
class Size:
    """`nodes` empty nodes but for `bound` pods that are on them already, and `pods` that wait."""

    nodes: int
    pods: int
    bound: int = 0


@dataclass(frozen=True)
class Workload:
    """`spec(number, size)`: labels and spec of waiting pod `number`. `fill`: pods that take up each node whole."""

    text: str
    pod: Callable[[int, Size], tuple[dict[str, str], Manifest]]
    fill: int = 0

    def nodes(self, size: Size) -> Iterator[Manifest]:
        return map(_node, range(size.nodes))

    def placed(self, size: Size) -> Iterator[Manifest]:
        """The pods that are on nodes before the clock starts, on each node in turn."""
        for number in range(size.bound):
            labels, spec = self.pod(number, size)
            yield _pod(f"bound-{number}", labels, {**spec, "nodeName": _name(number % size.nodes)})
        for number in range(self.fill * size.nodes):
            cpu = f"{16_000 // self.fill}m"
            yield _pod(f"low-{number}", {}, {**_container(cpu, "1Gi"), "nodeName": _name(number % size.nodes)})

    def waiting(self, size: Size) -> Iterator[Manifest]:
        return (_pod(f"pod-{number}", *self.pod(number, size)) for number in range(size.pods))

    def manifests(self, size: Size) -> Iterator[Manifest]:
        return chain(self.nodes(size), self.placed(size), self.waiting(size))


# --- parts ------------------------------------------------------------------------------------------------------------


def _name(node: int) -> str:
    return f"node-{node}"


def _node(number: int) -> Manifest:
    labels = {HOSTNAME: _name(number), ZONE: f"zone-{number % ZONES}"}
    resources = {"cpu": "16", "memory": "64Gi", "pods": "110"}
    return {
        "kind": "Node",
        "metadata": {"name": _name(number), "labels": labels},
        "spec": {},
        "status": {"allocatable": resources, "capacity": resources},
    }


def _pod(name: str, labels: dict[str, str], spec: Manifest) -> Manifest:
    metadata = {"name": name, "namespace": "default", "uid": name, "labels": labels}
    return {"kind": "Pod", "metadata": metadata, "spec": {"priority": 0, **spec}}


def _container(cpu: str = "100m", memory: str = "128Mi") -> Manifest:
    requests = {"cpu": cpu, "memory": memory}
    return {
        "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10", "resources": {"requests": requests}}]
    }


def _selector(**labels: str) -> Manifest:
    return {"matchLabels": labels}


def _term(key: str, **labels: str) -> Manifest:
    return {"topologyKey": key, "labelSelector": _selector(**labels)}


def _preferred(key: str, **labels: str) -> Manifest:
    return {
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "podAffinityTerm": _term(key, **labels)}]
    }


def _required(key: str, **labels: str) -> Manifest:
    return {"requiredDuringSchedulingIgnoredDuringExecution": [_term(key, **labels)]}


def _constraint(key: str, skew: int, when: str, app: str) -> Manifest:
    return {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": _selector(app=app)}


# --- the four ---------------------------------------------------------------------------------------------------------


def _simple(number: int, size: Size) -> tuple[dict[str, str], Manifest]:
    return {}, _container()


def _spread(number: int, size: Size) -> tuple[dict[str, str], Manifest]:
    app, other = f"app-{number % APPS}", f"app-{(number + 1) % APPS}"
    constraints = [_constraint(ZONE, 2, "DoNotSchedule", app), _constraint(HOSTNAME, 3, "ScheduleAnyway", app)]
    affinity = {"podAntiAffinity": _preferred(HOSTNAME, app=app), "podAffinity": _preferred(ZONE, app=other)}
    return {"app": app}, {**_container(), "topologySpreadConstraints": constraints, "affinity": affinity}


def _affinity(number: int, size: Size) -> tuple[dict[str, str], Manifest]:
    """A tenth of the nodes is as many as one revision has pods, so that it fits into the zone of its app."""
    app, revision = f"app-{number % APPS}", str(number // APPS // max(1, size.nodes // 10))
    affinity = {
        "podAffinity": _required(ZONE, app=app),
        "podAntiAffinity": _required(HOSTNAME, app=app, revision=revision),
    }
    return {"app": app, "revision": revision}, {**_container(), "affinity": affinity}


def _preempt(number: int, size: Size) -> tuple[dict[str, str], Manifest]:
    return {}, {**_container("4", "1Gi"), "priority": 1000}


WORKLOADS = {
    "simple": Workload("one container, 100m and 128Mi", _simple),
    "spread": Workload("20 apps: spread over zones and hosts, preferred affinity to another app", _spread),
    "affinity": Workload("20 apps, each in one zone; a revision has at most one pod a host", _affinity),
    "preempt": Workload("4 CPU of high priority on full nodes: four pods of low priority on each", _preempt, fill=4),
}
