"""What the page of a lesson shows: its cluster before anything happens, and what was played, stage by stage."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

from dashboard.build.attempt import Attempt
from dashboard.build.constraints import constraints
from dashboard.build.every_node import every_node
from dashboard.build.explain import explain_cell
from dashboard.build.phases import short_name
from dashboard.build.requests import arithmetic
from dashboard.build.sentence import sentence
from dashboard.build.united.rehearsal import pods_of
from dashboard.learn.lesson import Lesson, Manifest, library
from dashboard.learn.play import Played, play
from dashboard.text import count, quantity
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.objects import Node, Pod, decode
from scheduler.engine.values.requests import PODS, node_allocatable, pod_requests

KEPT, SHADES, FEW_PODS = 128, 20, 20
WELL_KNOWN = ("kubernetes.io/", "topology.kubernetes.io/")


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


class Cell(NamedTuple):
    """`points`: weighted. `shade`: 0 to 20, dark to bright, by the normalised score."""

    algorithm: str
    points: int
    shade: int


class Row(NamedTuple):
    """`best`: has the highest total, maybe beside others."""

    node: str
    cells: list[Cell]
    total: int
    chosen: bool
    best: bool


class Stages(NamedTuple):
    """An attempt to go through. `nodes`: (node, all reasons against it); `heads`: (algorithm, short name, weight)."""

    pod: str
    attempt: int
    nodes: list[tuple[str, list[str]]]
    heads: list[tuple[str, str, int]]
    rows: list[Row]
    sentence: str
    message: str
    victims: list[str]
    made: Attempt


class Outcome(NamedTuple):
    """`evidence`: (what, how it ended): every pod, every subset, or who was popped in which order."""

    answer: str
    attempts: list[Stages]
    evidence: list[tuple[str, str]]
    evicted: list[str]

    @property
    def decisive(self) -> Stages | None:
        """The attempt to look at: the one that evicted somebody, else the last."""
        evicting = (one for one in self.attempts if one.victims)
        return next(evicting, self.attempts[-1] if self.attempts else None)


def picture(lesson: Lesson) -> tuple[list[Tile], list[Waiting], list[Manifest]]:
    """Nodes, waiting pods, and what else there is, before anything happens."""
    cluster, waiting, others = ClusterState(), [], []
    for kind, manifest in admitted(lesson.objects):
        one = decode(kind, manifest)
        cluster.add(kind, one)
        if isinstance(one, Pod):
            if not one.node_name:
                waiting.append(_waiting(one))
        elif kind not in ("Node", "Namespace"):
            others.append(manifest)
    pods = cluster.objects.get("Pod", {}).values()
    ranked = any(isinstance(pod, Pod) and pod.priority for pod in pods)
    tiles = [_tile(info.node, [pod.pod for pod in info.pods], ranked) for info in cluster if info.node is not None]
    return tiles, waiting, others


def _tile(node: Node, pods: list[Pod], ranked: bool) -> Tile:
    """`ranked`: whether pods differ in priority, so that each tells its own."""
    labels = {key: value for key, value in (node.labels or {}).items() if not key.startswith(WELL_KNOWN)}
    zone = zone_of(node)
    chips = [f"zone {zone}"] if zone else []
    chips += [f"{key}={value}" for key, value in labels.items()]
    taints = [f"{taint.key}={taint.value or ''}:{taint.effect}" for taint in node.spec.taints or []]
    allocatable, requested = node_allocatable(node), Counter[str]()
    for pod in pods:
        requested.update(pod_requests(pod))
    requested[PODS] = len(pods)
    amounts = [
        Amount(name, quantity(name, requested[name]), quantity(name, total), 100 * requested[name] // max(1, total))
        for name, total in allocatable.items()
        if name != PODS or total < FEW_PODS
    ]
    images = [name for image in (node.status.images if node.status else None) or [] for name in image.names or []]
    return Tile(
        node.name, chips, taints, [f"image {name}" for name in images], amounts, [_says(pod, ranked) for pod in pods]
    )


def _says(pod: Pod, ranked: bool) -> str:
    """A running pod with what may matter about it."""
    asks = ", ".join(f"{quantity(name, amount)} {name}" for name, amount in pod_requests(pod).items() if amount)
    rules = " ".join(one.text for one in constraints(pod))
    return " · ".join(filter(None, (pod.key, asks, f"priority {pod.priority}" if ranked else "", rules)))


def _waiting(pod: Pod) -> Waiting:
    table = arithmetic(pod)
    lines = table.lines if len(table.lines) > 2 else table.lines[-1:]  # the sum alone, of a single container
    rows = [(f"{line.part} {line.note}".strip(), " · ".join(_named(table.resources, line.amounts))) for line in lines]
    gates = [f"Held by the scheduling gate {gate.name}." for gate in pod.spec.scheduling_gates or []]
    priority = [f"Priority {pod.priority}."] if pod.priority else []
    return Waiting(pod.key, rows, [*priority, *gates, *(one.text for one in constraints(pod))])


def _named(resources: list[str], amounts: list[str]) -> list[str]:
    return [f"{amount} {name}" for name, amount in zip(resources, amounts, strict=True)]


@lru_cache(KEPT)
def outcome(slug: str, task: int | None = None) -> Outcome:
    """What comes of a lesson, or of its cluster with a task's change. Shared: read only."""
    lesson = library()[slug]
    played = play(lesson, None if task is None else lesson.head.tasks[task])
    answer = played.answer(lesson.head)
    shown = played.attempts[:1] if lesson.head.ask == "next" else played.attempts
    attempts = [] if lesson.head.ask == "count" else [_stages(made) for made in shown]
    return Outcome(answer, attempts, _evidence(lesson, played), played.evicted)


def _evidence(lesson: Lesson, played: Played) -> list[tuple[str, str]]:
    simulation, head = played.simulation, lesson.head
    if head.ask == "count":
        namespace, name, _ = head.subset.split("/")
        counts = Counter(pods_of(simulation, ("UnitedDeployment", namespace, name)).values())
        return [(subset, count(number, "pod")) for subset, number in sorted(counts.items())]
    if head.ask == "next":
        return [(f"{place}.", pod) for place, pod in enumerate(dict.fromkeys(played.popped), 1)]
    return [(pod.key, pod.node_name or played.lane(pod.key)) for pod in simulation.pods.values()]


def _stages(made: Attempt) -> Stages:
    nodes = [(one["node"], _against(one)) for one in every_node(made)]
    names = [name for name in made.names if name in made.normalized]
    scores, decision = made.scores, made.record.decision
    rows = []
    if scores is not None:
        best = scores.totals.max()
        for place, node in enumerate(made.feasible_names):
            cells = [_cell(made, name, place) for name in names]
            total = int(scores.totals[place])
            rows.append(Row(node, cells, total, place == scores.winner, total == best))
        rows.sort(key=lambda row: (-row.total, not row.chosen, row.node))
    return Stages(
        pod=made.record.pod,
        attempt=made.record.attempt,
        nodes=nodes,
        heads=[(name, short_name(name), made.weight(name)) for name in names],
        rows=rows,
        sentence=sentence(made),
        message=decision.message if decision else "",
        victims=list(decision.victims) if decision else [],
        made=made,
    )


def _against(one: dict[str, Any]) -> list[str]:
    return [f"{failure['plugin']}: {reason}" for failure in one["failures"] for reason in failure["reasons"]]


def _cell(made: Attempt, name: str, place: int) -> Cell:
    normalized = int(made.normalized[name][place])
    return Cell(name, normalized * made.weight(name), round(min(100, max(0, normalized)) * SHADES / 100))


def opened(stages: Stages, node: str, algorithm: str) -> dict[str, Any]:
    """The arithmetic of a cell. Raises NoSuchCell."""
    return dict(explain_cell(stages.made, node, algorithm))
