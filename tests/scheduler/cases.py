"""Reproductions of public questions under tests/cases and tests/data/golden, checked against the real scheduler."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from scheduler.engine.conformance.until_idle import until_idle
from scheduler.management.offline import read
from scheduler.management.simulating import Run, attempts, prepare

TESTS = Path(__file__).parent.parent


@dataclass
class Case:
    path: Path

    @cached_property
    def documents(self) -> list[dict[str, Any]]:
        return list(yaml.load_all(self.path.read_text(), yaml.CSafeLoader))

    @property
    def spec(self) -> dict[str, Any]:
        return self.documents[0]["spec"]

    @property
    def objects(self) -> list[dict[str, Any]]:
        return self.documents[1:]

    @property
    def plans(self) -> bool:
        """Whether it is about numbers of a UnitedDeployment: see `test_plan_command` and `test_controllers_united`."""
        return any(one["kind"] == "UnitedDeployment" for one in self.objects)


def load(folder: str) -> list[Case]:
    files = sorted((TESTS / folder).glob("*.yaml"))
    assert files, f"no case in {folder}"
    return [Case(path) for path in files]


@dataclass
class Seen:
    """The last attempt of a pod. `scores`: node → algorithm → weighted score, and the total."""

    node: str
    message: str
    attempt: int
    scores: dict[str, dict[str, int]]


def look(cycle, opened) -> Seen:
    scores, names = (cycle.scores if cycle.needs_scoring else None), cycle.trace.feasible
    told: dict[str, dict[str, int]] = {name: {} for name in names} if scores else {}
    for at, name in enumerate(told):
        told[name] = {algorithm: int(scores.weighted(algorithm)[at]) for algorithm in scores.raw}
        told[name]["total"] = int(scores.totals[at])
    return Seen(cycle.decision.node, cycle.decision.message, opened.attempt, told)


class Replay:
    """`seen`: the last attempt of every pod that had one."""

    def __init__(self, path: Path, *, together: bool = False) -> None:
        self.run: Run = prepare(read([str(path)], None), seed=1)
        seen = list(attempts(self.run, look, smallest_name=True, together=together))
        self.seen: dict[str, Seen] = dict(zip(self.run.popped, seen, strict=True))

    def go_on(self) -> None:
        for one in until_idle(self.run.simulation, look, smallest_name=True):
            self.seen[one.pod] = one.told
