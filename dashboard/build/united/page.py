"""One UnitedDeployment as its page shows it, with the plan that a wish leads to. Nothing is changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from dashboard.build.united import curve, facts, flow, plan
from dashboard.build.united.rehearsal import Rehearsal, rehearse
from dashboard.build.united.wish import FAULTS, Wish, tell, wish
from scheduler.engine.controllers.united import planned_pass
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import ObjectKey, UnitedDeployment, decode
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.derivation import rule, why
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.status import SCHEDULABLE, condition
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
    """`planned`: the typed object and the pass of the wish; None where it cannot be planned, which its faults tell."""

    wish: Wish
    ud: united.UnitedDeployment
    planned: tuple[united.UnitedDeployment, Pass] | None
    rehearsed: Rehearsal


def key_of(namespace: str, name: str) -> ObjectKey:
    return KIND, namespace, name


def manifest_of(simulation: Simulation, key: ObjectKey) -> Manifest | None:
    value = simulation.cluster.get(*key)
    if not isinstance(value, UnitedDeployment):
        return None
    manifest: Manifest = msgspec.to_builtins(value)
    return {"kind": KIND, **manifest}


def seen(cluster: Cluster, simulation: Simulation, key: ObjectKey, stored: Manifest, given: Mapping[str, str]) -> Seen:
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
    if planned is not None and not planned[1].error and (wished.is_changed or _acts(planned[1])):
        changes = tuple(sorted((one.name, one.value) for one in wished.fields.values() if one.is_changed))
        kept_as = (cluster.pk, cluster.created, simulation.seq, key, changes if not wished.is_wrong else ())
        allocation = planned[1].allocation
        replicas = sum(allocation.replicas.values()) if allocation else 0
        rehearsed = rehearse(simulation, key, manifest, replicas, kept_as)
    return Seen(wished, united.decode(stored), planned, rehearsed)


def _acts(done: Pass) -> bool:
    return bool(done.creates or done.updates or done.deletes)


def context(cluster: Cluster, simulation: Simulation, key: ObjectKey, view: Seen) -> dict[str, Any]:
    """What the template needs."""
    ud, status = view.ud, view.ud.status
    found: dict[str, Any] = {
        "ud": ud,
        "wish": view.wish,
        "fields": view.wish.fields,
        **_controls(view),
        "kind": ud.workload_kind.label if ud.workload_kind else "no template",
        "status": status,
        "controllers": simulation.settings.controllers,
        "due": _due(simulation, key),
        "conditions": facts.conditions(status, simulation.now_us),
        "events": facts.events(cluster, key),
        "revisions": facts.revisions(simulation, key, status),
        "rehearsed": view.rehearsed,
    }
    if view.planned is None:
        return {**found, "rows": [], "sentence": f"`{key[1]}/{key[2]}` cannot be planned."}
    planned, done = view.planned
    rows = _rows(planned, done, view)
    return {
        **found,
        "rows": rows,
        "total": _total(rows),
        "bars": _bars(rows),
        "error": done.error,
        "plan_title": _plan_title(view, rows),
        "plan_summary": plan.summary(done, view.rehearsed),
        "groups": plan.groups(done, view.rehearsed),
        "derivation": _derivation(planned, done),
        "curve": curve.curve(planned, done),
        "flow": _flow(simulation, planned, done),
        "pods": facts.pods(simulation, key[1], done.existing.values()),
        "phases": _phases(done),
        "sentence": _sentence(key, view, rows, done),
    }


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


def _due(simulation: Simulation, key: ObjectKey) -> str | None:
    """How long until its controller looks again: `100 ms`; None if it will not by itself."""
    moments = dict(simulation.work.reconciles.dump())
    if key not in moments:
        return None
    left_us = moments[key] - simulation.now_us
    return f"{left_us / 1000:g} ms" if left_us < SECOND_US else f"{left_us / SECOND_US:g} s"


def _rows(ud: united.UnitedDeployment, done: Pass, view: Seen) -> list[dict[str, Any]]:
    wanted = done.allocation.replicas if done.allocation else {}
    subsets = {one.name: one for one in ud.subsets}
    left = [name for name in done.existing if name not in subsets]
    statuses = {one.name: one for one in view.ud.status.subset_statuses}
    return [
        _row(index, name, subsets.get(name), wanted.get(name, 0), statuses.get(name), done, view)
        for index, name in enumerate([*subsets, *left])
    ]


def _row(
    index: int, name: str, subset: united.Subset | None, planned: int, known: Any, done: Pass, view: Seen
) -> dict[str, Any]:
    held = done.existing.get(name)
    current = held.spec_replicas if held else 0
    pending, waiting = sum(not pod.node_name for pod in held.pods) if held else 0, view.rehearsed.waiting
    condition_of = condition(known.conditions, SCHEDULABLE) if known is not None else None
    return {
        "name": name,
        "colour": index % 8 + 1,
        "is_left": subset is None,
        "selector": _selector(subset),
        "tolerations": len((subset and subset.tolerations) or ()),
        "has_patch": subset is not None and subset.patch is not None,
        "fields": {one: view.wish.fields.get(f"{one}.{name}") for one in ("replicas", "min", "max", "partition")},
        "current": current,
        "ready": held.ready_replicas if held else 0,
        "pending": pending,
        "planned": planned,
        "change": planned - current,
        "wait": pending if waiting is None else waiting[name],
        "partition": done.partitions.get(name, 0),
        "held_partition": held.partition if held else None,
        "revision": facts.short(held.revision) if held else "",
        "is_old": held is not None and done.revisions is not None and held.revision != done.revisions.updated.name,
        "condition": condition_of,
    }


def _selector(subset: united.Subset | None) -> str:
    """`zone In [a, b]`, as far as the controller reads it."""
    if subset is None:
        return "not in the topology any more"
    expressions = (subset.node_selector_term or {}).get("matchExpressions") or ()
    return ", ".join(_expression(one) for one in expressions)


def _expression(one: Manifest) -> str:
    values = ", ".join(map(str, one.get("values") or ()))
    return f"{one.get('key')} {one.get('operator')}{f' [{values}]' if values else ''}"


def _total(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {
        name: sum(row[name] for row in rows) for name in ("current", "ready", "pending", "planned", "change", "wait")
    }


def _bars(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two bars of one scale, in percent: what there is, and what is planned."""
    whole = max(sum(row["current"] for row in rows), sum(row["planned"] for row in rows), 1)
    return [_bar("now", rows, "current", "pending", whole), _bar("plan", rows, "planned", "wait", whole)]


def _bar(name: str, rows: list[dict[str, Any]], field: str, pending: str, whole: int) -> dict[str, Any]:
    parts, x = [], 0.0
    for row in rows:
        waits = min(row[pending], row[field])
        for number, is_waiting in ((row[field] - waits, False), (waits, True)):
            if number > 0:
                parts.append(
                    {
                        "x": round(x, 2),
                        "width": round(100 * number / whole - 0.3, 2),
                        "colour": row["colour"],
                        "waits": is_waiting,
                    }
                )
                x += 100 * number / whole
    total = sum(row[field] for row in rows)
    told = ", ".join(f"{row['name']} {row[field]}" for row in rows)
    return {"name": name, "parts": parts, "total": total, "told": told}


def _derivation(ud: united.UnitedDeployment, done: Pass) -> dict[str, Any] | None:
    if done.allocation is None:
        return None
    passes: list[dict[str, Any]] = []
    for one in done.allocation.steps:
        if not passes or passes[-1]["rule"] != one.rule:
            passes.append({"rule": one.rule, "title": PASSES[one.rule], "left": one.left + one.given, "steps": []})
        passes[-1]["steps"].append({"step": one, "why": why(one, ud, done.existing, done.detected)})
    numbers = ", ".join(map(str, done.allocation.replicas.values()))
    allocator = done.allocation.allocator
    return {"rule": rule(done.allocation), "allocator": allocator, "passes": passes, "numbers": numbers}


def _flow(simulation: Simulation, ud: united.UnitedDeployment, done: Pass) -> dict[str, Any]:
    names = [one.name for one in ud.subsets]
    names += [name for name in done.existing if name not in names]
    nodes = [[pod.node_name for pod in done.existing[name].pods] if name in done.existing else [] for name in names]
    return flow.flow(names, flow.places(simulation, nodes))


def _phases(done: Pass) -> list[dict[str, str]]:
    """What a pass would do now, step by step."""
    numbers = ", ".join(map(str, done.allocation.replicas.values())) if done.allocation else done.error
    parts = ", ".join(str(one) for one in done.partitions.values()) or "none"
    provisioned = len(done.creates) + len(done.deletes)
    acts = [
        ("read subsets", count(len(done.existing), "workload"), "done"),
        ("allocate", numbers, "done" if done.allocation else "fail"),
        ("partition", parts, "done" if done.allocation else ""),
        ("provision", count(provisioned, "change") if provisioned else "none", _acted((*done.creates, *done.deletes))),
        ("update", count(len(done.updates), "subset") if done.updates else "none", _acted(done.updates)),
        ("status", "not written" if done.error else "written", "fail" if done.error else "done"),
    ]
    is_over = False
    found = []
    for name, figure, state in acts:
        found.append(
            {"name": name, "figure": "" if is_over else figure, "state": "" if is_over and name != "status" else state}
        )
        is_over = is_over or state == "fail"
    return found


def _acted(acts: Any) -> str:
    return "fail" if any(one.failed for one in acts) else "done" if acts else "skip"


def _plan_title(view: Seen, rows: list[dict[str, Any]]) -> str:
    before, after = sum(row["current"] for row in rows), sum(row["planned"] for row in rows)
    if before != after:
        return f"Plan from {before} to {after}"
    return "Plan" if view.wish.is_changed and not view.wish.is_wrong else "Next pass"


def _sentence(key: ObjectKey, view: Seen, rows: list[dict[str, Any]], done: Pass) -> str:
    pods, waiting = sum(len(one.pods) for one in done.existing.values()), sum(row["wait"] for row in rows)
    held = f"`{key[1]}/{key[2]}` has {count(pods, 'pod')}"
    if done.error:
        return f"{held}. A pass fails: {done.error}"
    if view.wish.is_wrong:
        return f"{held}. What is wished cannot be; the plan below is the one without it."
    if not view.wish.is_changed:
        pending = sum(row["pending"] for row in rows)
        tail = f"; {pending} {'waits' if pending == 1 else 'wait'}" if pending else ""
        return f"{held} over {count(len(rows), 'subset')}{tail}."
    numbers = ", ".join(str(row["planned"]) for row in rows)
    tail = f"; {count(waiting, 'pod')} would wait" if waiting else ""
    return f"{held}. A plan for {sum(row['planned'] for row in rows)} splits them {numbers}{tail}."
