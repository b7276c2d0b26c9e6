"""One UnitedDeployment as its page shows it, with the plan that a wish leads to. Nothing is changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dashboard.build.ages import ahead as ahead_of
from dashboard.build.united import coming, curve, facts, flow, history, notes, phases, plan, sentence, subsets
from dashboard.build.united.chart import chart
from dashboard.build.united.passes import Passes
from dashboard.build.united.rehearsal import Rehearsal, rehearse
from dashboard.build.united.sentence import Moment
from dashboard.build.united.wish import FAULTS, Wish, tell, wish
from dashboard.text import clock
from scheduler.engine.controllers.united import planned_pass
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import ObjectKey, UnitedDeployment, decode
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.arithmetic import with_left
from scheduler.engine.uniteddeployment.derivation import fresh, rule, why
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.validation import validate_update
from scheduler.engine.words import count
from scheduler.models import Cluster

Manifest = dict[str, Any]
KIND = "UnitedDeployment"
PASSES = {
    "replicas": "subsets with replicas",
    "rest": "the others, an even share each; what is over goes to the largest",
    "min": "pass 1, each its minimum",
    "max": "pass 2, up to the maximum, in order",
}
STRATEGY_WORDS = (("Fixed", "Fixed"), ("Adaptive", "Adaptive"), ("Reserve", "Adaptive, reserving"))


@dataclass
class Seen:
    """`planned`: the typed object and the pass of the wish; None where it cannot be planned, which its faults tell.

    `warnings`: what would come of a wish that the webhook refuses, if it reached the controller.
    """

    wish: Wish
    ud: united.UnitedDeployment
    planned: tuple[united.UnitedDeployment, Pass] | None
    rehearsed: Rehearsal
    warnings: list[str] = field(default_factory=list)


def key_of(namespace: str, name: str) -> ObjectKey:
    return KIND, namespace, name


def manifest_of(simulation: Simulation, key: ObjectKey) -> Manifest | None:
    value = simulation.cluster.get(*key)
    if not isinstance(value, UnitedDeployment):
        return None
    manifest: Manifest = msgspec.to_builtins(value)
    return {"kind": KIND, **manifest}


def seen(
    cluster: Cluster,
    simulation: Simulation,
    key: ObjectKey,
    stored: Manifest,
    given: Mapping[str, str],
    *,
    is_past_pass: bool = False,
) -> Seen:
    """`is_past_pass`: what followed is known then, and not rehearsed."""
    wished = wish(stored, given)
    if wished.is_changed and not wished.is_wrong:
        tell(wished, validate_update(stored, wished.manifest))
    manifest = stored if wished.is_wrong else wished.manifest
    try:
        planned = planned_pass(simulation, key, decode(KIND, manifest))  # type: ignore[arg-type]
    except (Invalid, msgspec.ValidationError) as fault:
        wished.faults.append(str(fault))
        planned = None
    rehearsed = Rehearsal()
    if is_past_pass and not wished.is_changed:
        rehearsed.why_not = "What followed is below, under What happened."
    elif planned is not None and not planned[1].error and (wished.is_changed or _acts(planned[1])):
        changes = tuple(sorted((one.name, one.value) for one in wished.fields.values() if one.is_changed))
        kept_as = (cluster.pk, cluster.created, simulation.seq, key, changes if not wished.is_wrong else ())
        allocation = planned[1].allocation
        replicas = sum(allocation.replicas.values()) if allocation else 0
        rehearsed = rehearse(simulation, key, manifest, replicas, kept_as)
    return Seen(wished, united.decode(stored), planned, rehearsed, _warnings(simulation, key, wished))


def _warnings(simulation: Simulation, key: ObjectKey, wished: Wish) -> list[str]:
    """The webhook has the first word on a wish; here is the controller's, where it differs from the manual."""
    if not wished.is_changed or not wished.is_wrong:
        return []
    try:
        _, done = planned_pass(simulation, key, decode(KIND, wished.manifest))  # type: ignore[arg-type]
    except (Invalid, msgspec.ValidationError):
        return []
    return [f"The controller: {done.error}", notes.CONTRADICTION] if done.error and done.allocation is None else []


def _acts(done: Pass) -> bool:
    return bool(done.adopted or done.released or done.creates or done.updates or done.deletes)


def context(
    cluster: Cluster, simulation: Simulation, key: ObjectKey, view: Seen, passes: Passes, given: Mapping[str, str]
) -> dict[str, Any]:
    """What the template needs. `given`: of the address, `phase` is the one that is open, `sums` the rows that are."""
    found, status = _known(cluster, simulation, key, view), view.ud.status
    found |= {"passes": passes}
    if view.planned is None:
        ready = facts.readiness(status.ready_replicas, status.replicas, status.replicas, 0)
        return {**found, "rows": [], "readiness": ready, "sentence": f"`{key[1]}/{key[2]}` cannot be planned."}
    planned, done = view.planned
    made = phases.phases(planned, done, simulation.now_us)
    fault = facts.last_fault(found["events"], passes.earlier)
    return {
        **found,
        **_split(cluster, simulation, key, view, passes, fault),
        "error": done.error,
        "notes": notes.notes(planned, done),
        "opened": given.get("sums", "").split(","),
        "plan_summary": plan.summary(done, view.rehearsed),
        "groups": plan.groups(done, view.rehearsed),
        "curve": curve.curve(planned, done),
        "flow": _flow(simulation, planned, done),
        "pods": facts.pods(simulation, key[1], done.existing.values(), cluster.now_us),
        "phases": made,
        "phase": phases.chosen(made, given.get("phase", "")),
        **_history(cluster, passes.head, simulation, key, view.ud, done),
    }


def _known(cluster: Cluster, simulation: Simulation, key: ObjectKey, view: Seen) -> dict[str, Any]:
    """What there is to tell without a plan."""
    ud, status = view.ud, view.ud.status
    return {
        "ud": ud,
        "wish": view.wish,
        "warnings": view.warnings,
        "fields": view.wish.fields,
        **_controls(view),
        "kind": ud.workload_kind.label if ud.workload_kind else "no template",
        "status": status,
        "controllers": simulation.settings.controllers,
        "due": _due(simulation, key, cluster.now_us),
        "conditions": facts.conditions(status, cluster.now_us),
        "events": facts.events(cluster, key),
        "revisions": facts.revisions(simulation, key, status),
        "revision_limit": ud.history_limit,
        "are_revisions_kept": ud.workload_kind is united.WorkloadKind.CLONE_SET,
        "rehearsed": view.rehearsed,
    }


def _split(
    cluster: Cluster, simulation: Simulation, key: ObjectKey, view: Seen, passes: Passes, fault: str
) -> dict[str, Any]:
    """The subsets with their numbers, and the words above them. `fault`: of the last pass."""
    assert view.planned is not None, "a split of nothing that was planned"
    planned, done = view.planned
    rows = subsets.rows(planned, done, view.ud.status, view.wish, view.rehearsed)
    total = subsets.total(rows)
    at = getattr(cluster, "at", 0)
    moment = Moment(at, passes.number, clock(simulation.now_us, cluster.start_us))
    is_wished = view.wish.is_changed and not view.wish.is_wrong
    is_still = not (_acts(done) or done.error or view.wish.is_changed or moment.number)
    later = _later(simulation, key, view.ud, done) if is_still and not at else []
    turn = coming.turn(simulation, key, done, later)
    lacks = sentence.lacks(total) if is_still else ""
    is_short = total["pods"] < total["asked"]
    return {
        "rows": rows,
        "total": total,
        "readiness": facts.readiness(total["ready"], total["pods"], _wanted(view.ud, total), total["planned"]),
        "bars": subsets.bars(rows, "asked" if passes.number and not is_wished else "plan"),
        "plan_title": sentence.title(moment, rows, is_wished=is_wished, is_still=is_still, lacks=lacks, turn=turn),
        "plan_note": sentence.note(
            plan.summary(done, view.rehearsed), done, turn, lacks, simulation.now_us, is_still=is_still
        ),
        "derivation": _derivation(planned, done, {row["name"]: row["reason"] for row in rows}),
        "workload_fault": facts.workload_fault(cluster, key[1], done.existing.values()) if is_short else "",
        "sentence": _sentence(key, view, moment, rows, done, fault),
    }


def _history(
    cluster: Cluster, head: int, simulation: Simulation, key: ObjectKey, ud: united.UnitedDeployment, done: Pass
) -> dict[str, Any]:
    """What was, and what will be by itself. Who looks at the past sees what came of it as well."""
    names = list(dict.fromkeys([*subsets.names(ud, done), *(one.name for one in ud.status.subset_statuses)]))
    found = history.moments(cluster, head, simulation, key)
    later = _later(simulation, key, ud, done) if head == cluster.seq else []
    return {
        "moments": history.lines(found, cluster.start_us),
        "since": history.since(found, cluster.seq, cluster.start_us),
        "ahead": [{"one": one, "left": ahead_of(cluster.now_us, one.at_us)} for one in later],
        "chart": chart(found, later, names, cluster.now_us, cluster.start_us),
    }


def _later(simulation: Simulation, key: ObjectKey, ud: united.UnitedDeployment, done: Pass) -> list[coming.Ahead]:
    is_due = simulation.work.reconciles.moment_of(key) is not None
    return coming.ahead(ud, done, simulation.now_us, is_due=is_due) if simulation.settings.controllers else []


def _wanted(ud: united.UnitedDeployment, total: Mapping[str, int]) -> int:
    return total["asked"] if ud.spec.replicas is None else ud.spec.replicas


def _controls(view: Seen) -> dict[str, Any]:
    fields, subsets = view.wish.fields, view.ud.subsets
    stored = view.ud.spec.replicas or 0
    wished = int(fields["replicas"].value) if fields["replicas"].value.isdecimal() else 0
    given = any(one.min_replicas is not None or one.max_replicas is not None for one in subsets)
    injections = [fields[f"fail-{what}"] for what in FAULTS]
    return {
        "slider": max(12, 2 * stored, 2 * min(wished, 1_000_000)),
        "strategies": STRATEGY_WORDS,
        "injections": [(f"Failing {what}s", one) for what, one in zip(FAULTS, injections, strict=True)],
        "is_injected": any(one.value for one in injections),
        "is_bounded": given or view.ud.adaptive or fields["strategy"].value != "Fixed",
        "changed": [one for one in fields.values() if one.is_changed],
    }


def _due(simulation: Simulation, key: ObjectKey, now_us: int) -> Any:
    """How long until its controller looks again: `100 ms`; None if it will not by itself."""
    at_us = simulation.work.reconciles.moment_of(key)
    if at_us is None:
        return None
    left_us = at_us - simulation.now_us
    return f"{left_us / 1000:g} ms" if left_us < SECOND_US else ahead_of(now_us, at_us)


def _derivation(ud: united.UnitedDeployment, done: Pass, reasons: Mapping[str, str]) -> dict[str, Any] | None:
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


def _flow(simulation: Simulation, ud: united.UnitedDeployment, done: Pass) -> dict[str, Any]:
    names = subsets.names(ud, done)
    nodes = [[pod.node_name for pod in done.existing[name].pods] if name in done.existing else [] for name in names]
    return flow.flow(names, flow.places(simulation, nodes))


def _sentence(key: ObjectKey, view: Seen, moment: Moment, rows: list[dict[str, Any]], done: Pass, fault: str) -> str:
    if view.wish.is_wrong:
        pods = sum(row["pods"] for row in rows)
        held = f"`{key[1]}/{key[2]}` has {count(pods, 'pod') if pods else 'no pods'}"
        return f"{held}. What is wished cannot be; the plan below is the one without it."
    if view.wish.is_changed:
        return sentence.wished(moment, key, rows, done, len(view.rehearsed.gone))
    if moment.number:
        return sentence.of_pass(moment, key, rows, done)
    return sentence.standing(moment, key, rows, view.ud.spec.replicas or 0, fault, done.error)
