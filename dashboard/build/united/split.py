"""How a UnitedDeployment is split: its subsets with their numbers, how those come about, and the words above them."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.build.united import alike, coming, facts, plan, sentence, subsets
from dashboard.build.united.seen import Seen
from dashboard.build.united.sentence import Moment
from dashboard.text import clock
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment.arithmetic import with_left
from scheduler.engine.uniteddeployment.derivation import fresh, rule, why
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.words import count
from scheduler.models import Cluster

PASSES = {
    "replicas": "subsets with replicas",
    "rest": "the others, an even share each; what is over goes to the largest",
    "min": "pass 1, each its minimum",
    "max": "pass 2, up to the maximum, in order",
}


@dataclass(frozen=True)
class Reading:
    """What is found out once for a page. `planned`, `done`: of the wish, or as it is stored.

    `told`: by subset, why it gets its number. `later`: what will be by itself. `fault`: of the last pass.
    """

    cluster: Cluster
    simulation: Simulation
    key: ObjectKey
    view: Seen
    planned: UnitedDeployment
    done: Pass
    number: int
    told: Mapping[str, str]
    later: Sequence[coming.Ahead]
    fault: str

    @property
    def moment(self) -> Moment:
        """`number`: of the pass of the past that is shown, 0 if none is."""
        shown = clock(self.simulation.now_us, self.cluster.start_us)
        return Moment(getattr(self.cluster, "at", 0), self.number, shown)

    @property
    def is_wished(self) -> bool:
        """Whether the plan is that of a wish."""
        return self.view.wish.is_changed and not self.view.wish.is_wrong


def split(read: Reading, opened: Container[str]) -> dict[str, Any]:
    """`opened`: subsets whose sums are told."""
    view, done = read.view, read.done
    rows = subsets.rows(read.planned, done, view.ud.status, view.wish, view.rehearsed, read.told, opened)
    total = subsets.total(rows)
    is_short = total["pods"] < total["asked"]
    return {
        "rows": rows,
        **alike.split(rows),
        "total": total,
        "readiness": facts.readiness(total["ready"], total["pods"], _wanted(view.ud, total), total["planned"]),
        "bars": subsets.bars(rows, "asked" if read.number and not read.is_wished else "plan"),
        **_headed(read, rows),
        "derivation": _derivation(read.planned, done, read.told),
        "workload_fault": facts.workload_fault(read.cluster, read.key[1], done.existing.values()) if is_short else "",
        "sentence": _sentence(read, rows),
    }


def _headed(read: Reading, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The title of the split, and what is said beside it."""
    done, moment, now_us = read.done, read.moment, read.simulation.now_us
    is_still = not (plan.acts(done) or done.error or read.view.wish.is_changed or moment.number)
    turn = coming.turn(read.simulation, read.key, done, read.later if is_still and not moment.at else [])
    lacks, summary = sentence.lacks(rows) if is_still else "", plan.summary(done, read.view.rehearsed)
    return {
        "plan_title": sentence.title(moment, rows, is_wished=read.is_wished, is_still=is_still, lacks=lacks, turn=turn),
        "plan_note": sentence.note(summary, done, turn, lacks, now_us, is_still=is_still),
    }


def _wanted(ud: UnitedDeployment, total: Mapping[str, int]) -> int:
    return total["asked"] if ud.spec.replicas is None else ud.spec.replicas


def _derivation(ud: UnitedDeployment, done: Pass, reasons: Mapping[str, str]) -> dict[str, Any] | None:
    """`reasons`: by subset; they say of an even share what a step alone does not."""
    if done.allocation is None:
        return None
    passes: list[dict[str, Any]] = []
    for one, left in with_left(done.allocation, ud):
        if not passes or passes[-1]["rule"] != one.rule:
            passes.append({"rule": one.rule, "title": PASSES[one.rule], "left": left, "steps": []})
        text = reasons[one.subset] if one.rule == "rest" else why(one, ud, done.existing, done.detected)
        passes[-1]["steps"].append({"step": one, "why": text})
    replicas = done.allocation.replicas.values()
    numbers = ", ".join(map(str, replicas)) if len(replicas) <= 8 else count(len(replicas), "number")
    told = {"rule": rule(done.allocation), "fresh": fresh(ud, done.existing, done.allocation)}
    return {**told, "allocator": done.allocation.allocator, "passes": passes, "numbers": numbers}


def _sentence(read: Reading, rows: list[dict[str, Any]]) -> str:
    view, key, moment, done = read.view, read.key, read.moment, read.done
    if view.wish.is_wrong:
        pods = sum(row["pods"] for row in rows)
        held = f"`{key[1]}/{key[2]}` has {count(pods, 'pod') if pods else 'no pods'}"
        return f"{held}. What is wished cannot be; the plan below is the one without it."
    if view.wish.is_changed:
        return sentence.wished(moment, key, rows, done, len(view.rehearsed.gone))
    if moment.number:
        return sentence.of_pass(moment, key, rows, done)
    return sentence.standing(moment, key, rows, view.ud.spec.replicas or 0, read.fault, done.error)
