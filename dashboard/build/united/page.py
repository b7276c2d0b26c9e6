"""One UnitedDeployment as its page shows it, with the plan that a wish leads to. Nothing is changed."""

from collections.abc import Mapping
from typing import Any

from dashboard.build.ages import ahead as ahead_of
from dashboard.build.united import coming, curve, facts, flow, history, notes, part, phases, plan, subsets
from dashboard.build.united.chart import charts
from dashboard.build.united.passes import Passes
from dashboard.build.united.seen import Seen
from dashboard.build.united.split import Reading, split
from dashboard.build.united.wish import FAULTS
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.reasons import reasons
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.models import Cluster

LINES, TALL = 12, 8  # so many lines of a plan have room beside the rest; by so many it may outgrow the steps there
STRATEGY_WORDS = (("Fixed", "Fixed"), ("Adaptive", "Adaptive"), ("Reserve", "Adaptive, reserving"))


def context(
    cluster: Cluster, simulation: Simulation, key: ObjectKey, view: Seen, passes: Passes, given: Mapping[str, str]
) -> dict[str, Any]:
    """What there is to tell, of all subsets. `given`: of the address, `phase` is open, `sums` are the rows that are."""
    found, status = _known(cluster, simulation, key, view), view.ud.status
    found |= {"passes": passes}
    if view.planned is None:
        ready = facts.readiness(status.ready_replicas, status.replicas, status.replicas, 0)
        return {**found, "rows": [], "readiness": ready, "sentence": f"`{key[1]}/{key[2]}` cannot be planned."}
    planned, done = view.planned
    told = reasons(planned, done.allocation, done.existing, done.detected) if done.allocation is not None else {}
    later = _later(simulation, key, view.ud, done) if passes.head == cluster.seq else []
    fault = facts.last_fault(found["events"], passes.earlier)
    read = Reading(cluster, simulation, key, view, planned, done, passes.number, told, later, fault)
    made = phases.phases(planned, done, simulation.now_us, told)
    groups = plan.groups(done, view.rehearsed)
    lines = sum(len(one.lines) for one in groups)
    steps = len(done.allocation.steps) if done.allocation is not None else 0
    shown = part.part(subsets.names(planned, done), given)
    return {
        **found,
        **split(read, part.opened(shown, given)),
        "part": shown,
        "error": done.error,
        "notes": notes.notes(planned, done),
        "opened": given.get("sums", "").split(","),
        "plan_summary": plan.summary(done, view.rehearsed),
        "groups": groups,
        "is_plan_long": lines > LINES,
        "is_plan_tall": lines + len(groups) - min(steps, LINES) > TALL,
        "is_how_long": steps > LINES,
        "curve": curve.curve(planned, done),
        "flow": _flow(simulation, done, shown),
        "pods": facts.pods(simulation, key[1], _held(done, shown), cluster.now_us),
        "phases": made,
        "phase": phases.chosen(made, given.get("phase", "")),
        **_history(read, passes.head),
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
        "revision_limit": ud.spec.revision_history_limit,
        "are_revisions_kept": ud.workload_kind is united.WorkloadKind.CLONE_SET,
        "rehearsed": view.rehearsed,
    }


def _history(read: Reading, head: int) -> dict[str, Any]:
    """What was, and what will be by itself. Who looks at the past sees what came of it as well."""
    ud, cluster = read.view.ud, read.cluster
    names = list(dict.fromkeys([*subsets.names(ud, read.done), *(one.name for one in ud.status.subset_statuses)]))
    found = history.moments(cluster, head, read.simulation, read.key)
    return {
        "moments": history.lines(found, cluster.start_us),
        "since": history.since(found, cluster.seq, cluster.start_us),
        "ahead": [{"one": one, "left": ahead_of(cluster.now_us, one.at_us)} for one in read.later],
        "charts": charts(found, read.later, names, cluster.now_us, cluster.start_us),
    }


def _later(simulation: Simulation, key: ObjectKey, ud: united.UnitedDeployment, done: Pass) -> list[coming.Ahead]:
    is_due = simulation.work.reconciles.moment_of(key) is not None
    return coming.ahead(ud, done, simulation.now_us, is_due=is_due) if simulation.settings.controllers else []


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


def _held(done: Pass, shown: part.Part) -> list[ExistingSubset]:
    return [one for one in done.existing.values() if one.name in shown.shown]


def _flow(simulation: Simulation, done: Pass, shown: part.Part) -> dict[str, Any]:
    nodes = {one.name: [pod.node_name for pod in one.pods] for one in _held(done, shown)}
    return flow.flow(shown.names, flow.places(simulation, [nodes.get(name, []) for name in shown.names]))
