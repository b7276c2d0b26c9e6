"""What the page of a lesson shows of its play, stage by stage."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from dashboard.build.attempt import Attempt
from dashboard.build.every_node import every_node
from dashboard.build.explain import explain_cell
from dashboard.build.kept import Kept
from dashboard.build.phases import short_name
from dashboard.build.sentence import sentence
from dashboard.build.united.rehearsal import pods_of
from dashboard.learn.lesson import Lesson, named
from dashboard.learn.play import Played, play
from dashboard.text import count

KEPT, SHADES, FEW_PODS = 128, 20, 8


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

    @property
    def refuses(self) -> bool:
        """Whether any node is refused."""
        return any(reasons for _, reasons in self.nodes)


class Outcome(NamedTuple):
    """`evidence`: (what, how it ended): every pod (of many, those that ran already are left out), subset, or turn."""

    answer: str
    attempts: list[Stages]
    evidence: list[tuple[str, str]]
    evicted: list[str]

    @property
    def decisive(self) -> Stages | None:
        """The attempt to look at: the one that evicted somebody, else the last."""
        evicting = (one for one in self.attempts if one.victims)
        return next(evicting, self.attempts[-1] if self.attempts else None)


_outcomes: Kept[tuple[str, int | None], Outcome] = Kept(KEPT)


def outcome(lesson: Lesson, task: int | None = None) -> Outcome:
    """What comes of a lesson, or of its cluster with a task's change. Shared: read only."""
    return _outcomes.of(
        (lesson.digest, task),
        lambda: outcome_of(lesson, play(lesson, None if task is None else lesson.head.tasks[task])),
    )


def outcome_of(lesson: Lesson, played: Played) -> Outcome:
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
    ends = [(pod.key, pod.node_name or played.lane(pod.key)) for pod in simulation.pods.values()]
    ends += [(pod, "evicted") for pod in played.evicted]
    if len(ends) <= FEW_PODS:
        return ends
    ran = {named(one) for one in lesson.objects if one["kind"] == "Pod" and (one.get("spec") or {}).get("nodeName")}
    return [(pod, end) for pod, end in ends if pod not in ran]


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
