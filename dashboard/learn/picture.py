"""The cluster of a lesson before anything happens: its nodes with what runs there, and the pods that wait."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from dashboard.build.constraints import constraints
from dashboard.build.requests import arithmetic
from dashboard.learn.lesson import Lesson, Manifest
from dashboard.text import quantity
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.objects import Node, Pod, decode
from scheduler.engine.values.requests import PODS, host_ports, node_allocatable, pod_requests

FEW_PODS = 20
WELL_KNOWN = ("kubernetes.io/", "topology.kubernetes.io/", "node.kubernetes.io/")
ALWAYS = ("cpu", "memory")


class Amount(NamedTuple):
    resource: str
    requested: str
    allocatable: str
    percent: int


class Tile(NamedTuple):
    """A node before anything happens. `pods`: those that run there, each with what may matter about it."""

    name: str
    labels: list[str]
    taints: list[str]
    images: list[str]
    amounts: list[Amount]
    pods: list[str]


class Waiting(NamedTuple):
    """A pod without a node. `requests`: (part, amounts), the sum last; `demands`: all else that counts, in words."""

    key: str
    requests: list[tuple[str, str]]
    demands: list[str]


class _Matters(NamedTuple):
    """What tells nodes apart here. `ranked`: whether pods differ in priority, so that each tells its own."""

    resources: set[str]
    images: set[str]
    ranked: bool

    @classmethod
    def to(cls, pods: list[Pod], waiting: list[Pod]) -> _Matters:
        asked = {name for pod in pods for name, amount in pod_requests(pod).items() if amount}
        images = {one.image or "" for pod in waiting for one in pod.spec.containers or []}
        return cls(asked | {*ALWAYS}, images, any(pod.priority for pod in pods))


def picture(lesson: Lesson) -> tuple[list[Tile], list[Waiting], list[Manifest]]:
    """Nodes, waiting pods, and what else there is, before anything happens."""
    cluster, waiting, others = ClusterState(), [], []
    for kind, manifest in admitted(lesson.objects):
        one = decode(kind, manifest)
        cluster.add(kind, one)
        if isinstance(one, Pod):
            if not one.node_name:
                waiting.append(one)
        elif kind not in ("Node", "Namespace"):
            others.append(manifest)
    pods = cluster.objects.get("Pod", {}).values()
    matters = _Matters.to([pod for pod in pods if isinstance(pod, Pod)], waiting)
    tiles = [_tile(info.node, [pod.pod for pod in info.pods], matters) for info in cluster if info.node is not None]
    return tiles, [_waiting(pod) for pod in waiting], others


def _tile(node: Node, pods: list[Pod], matters: _Matters) -> Tile:
    labels = {key: value for key, value in (node.labels or {}).items() if not key.startswith(WELL_KNOWN)}
    zone = zone_of(node)
    chips = [f"zone {zone}"] if zone else []
    chips += [f"{key}={value}" for key, value in labels.items()]
    taints = [f"{taint.key}={taint.value or ''}:{taint.effect}".replace("=:", ":") for taint in node.spec.taints or []]
    allocatable, requested = node_allocatable(node), Counter[str]()
    for pod in pods:
        requested.update(pod_requests(pod))
    requested[PODS] = len(pods)
    amounts = [
        _amount(name, requested[name], total)
        for name, total in allocatable.items()
        if (total < FEW_PODS if name == PODS else name in matters.resources)
    ]
    images = [name for image in (node.status.images if node.status else None) or [] for name in image.names or []]
    images = [name for name in images if name in matters.images]
    says = [_says(pod, matters.ranked) for pod in pods]
    return Tile(node.name, chips, taints, [f"image {name}" for name in images], amounts, says)


def _amount(name: str, requested: int, total: int) -> Amount:
    percent = 100 * requested // max(1, total)
    return Amount(name.rpartition("/")[2], quantity(name, requested), quantity(name, total), percent)


def _says(pod: Pod, ranked: bool) -> str:
    """A running pod with what may matter about it."""
    asks = ", ".join(f"{quantity(name, amount)} {name}" for name, amount in pod_requests(pod).items() if amount)
    ports = ", ".join(f"holds host port {port}/{protocol}" for _, protocol, port in host_ports(pod))
    rules = " ".join(_rules(pod))
    return " · ".join(filter(None, (pod.key, asks, f"priority {pod.priority}" if ranked else "", ports, rules)))


def _waiting(pod: Pod) -> Waiting:
    table = arithmetic(pod)
    lines = table.lines if len(table.lines) > 2 else table.lines[-1:]  # the sum alone, of a single container
    rows = [(f"{line.part} {line.note}".strip(), " · ".join(_named(table.resources, line.amounts))) for line in lines]
    if len(rows) == 1:
        rows = [("asks for", rows[0][1])]
    gates = [f"Held by the scheduling gate {gate.name}." for gate in pod.spec.scheduling_gates or []]
    priority = [f"Priority {pod.priority}."] if pod.priority else []
    ports = [f"Needs host port {port}/{protocol} free on its node." for _, protocol, port in host_ports(pod)]
    return Waiting(pod.key, rows, [*priority, *gates, *ports, *_rules(pod)])


def _rules(pod: Pod) -> list[str]:
    return [one.text for one in constraints(pod) if one.plugin != "NodePorts"]


def _named(resources: list[str], amounts: list[str]) -> list[str]:
    return [f"{amount} {name}" for name, amount in zip(resources, amounts, strict=True)]
