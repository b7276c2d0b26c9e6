"""The table of subsets: what each asks for, what it has, what is planned for it; and the same as two bars."""

from collections.abc import Container, Mapping
from typing import Any

from dashboard.build.united.colours import subset_colour
from dashboard.build.united.names import numbered
from dashboard.build.united.partitioned import held_back
from dashboard.build.united.rehearsal import Rehearsal
from dashboard.build.united.sums import planned_steps, sums
from dashboard.build.united.told import short
from dashboard.build.united.wish import Wish
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.status import SCHEDULABLE, Status, condition
from scheduler.engine.uniteddeployment.updates import updated_replicas

Manifest = dict[str, Any]
SUMS = ("asked", "pods", "updated", "ready", "pending", "planned", "change", "wait")


def names(ud: united.UnitedDeployment, done: Pass) -> list[str]:
    """Subsets in the order of the topology, then those that left it and are still there."""
    known = [one.name for one in ud.subsets]
    return [*known, *(name for name in done.existing if name not in known)]


def rows(
    ud: united.UnitedDeployment,
    done: Pass,
    status: Status,
    wish: Wish,
    rehearsed: Rehearsal,
    why: Mapping[str, str],
    opened: Container[str],
) -> list[dict[str, Any]]:
    """`status`: the stored one. `why`: by subset, why it gets its number. Those that are `opened` get their sums."""
    subsets = {one.name: one for one in ud.subsets}
    known = {one.name: condition(one.conditions, SCHEDULABLE) for one in status.subset_statuses}
    kept, listed, fails = held_back(done), names(ud, done), _fails(done)
    steps = planned_steps([name for name in listed if name in opened], ud, done)
    planned_name = done.revisions.updated.name if done.revisions is not None else ""
    found = []
    for index, name in enumerate(listed):
        held = done.existing.get(name)
        row = {
            "name": name,
            "colour": subset_colour(index),
            "fields": {one: wish.fields.get(f"{one}.{name}") for one in ("replicas", "min", "max", "partition")},
            **_topology(subsets.get(name)),
            **counted(held, status.updated_revision or planned_name),
            **_revision(held, planned_name),
            "condition": known.get(name),
            "held_back": len(kept.get(name, ())),
            "reason": why.get(name, ""),
            "fails": fails.get(name, ""),
        }
        row |= _plan(name, row, done, rehearsed)
        if name in steps:
            row["sums"] = sums(row, ud, done, steps[name], is_rehearsed=rehearsed.waiting is not None)
        found.append(row)
    return found


def _fails(done: Pass) -> dict[str, str]:
    """By subset, which call of the pass fails."""
    calls = (("create", done.creates), ("update", done.updates), ("delete", done.deletes))
    return {one.subset: name for name, acted in calls for one in acted if one.failed}


def counted(held: ExistingSubset | None, revision: str) -> dict[str, Any]:
    """What there is of a subset, by its pods as they are: what a status says of them comes a pass later.

    `revision`: the one that is asked for, in full.
    """
    pods = held.pods if held is not None else ()
    return {
        "asked": held.spec_replicas if held is not None else 0,
        "pods": len(pods),
        "ready": sum(pod.is_active and bool(pod.ready) for pod in pods),
        "updated": updated_replicas(held, revision)[0] if held is not None else 0,
        "pending": sum(not pod.node_name for pod in pods),
        "asked_revision": short(revision),
    }


def _plan(name: str, row: Mapping[str, Any], done: Pass, rehearsed: Rehearsal) -> dict[str, int]:
    """`row`: what there is of it. Without a rehearsal those that wait now go on waiting, unless they go first."""
    planned = done.allocation.replicas.get(name, 0) if done.allocation else 0
    still = min(row["pending"], max(planned - row["ready"], 0))
    return {
        "planned": planned,
        "change": planned - row["asked"],
        "wait": still if rehearsed.waiting is None else rehearsed.waiting[name],
        "partition": done.partitions.get(name, 0),
    }


def _revision(held: ExistingSubset | None, planned: str) -> dict[str, Any]:
    """`planned`: the revision that the pass asks for, in full."""
    revision = held.revision if held is not None else ""
    return {"revision": short(revision), "is_old": held is not None and planned not in ("", revision)}


def _topology(subset: united.Subset | None) -> dict[str, Any]:
    """None where it is not in the topology any more."""
    return {
        "is_left": subset is None,
        "selector": _selector(subset),
        "tolerations": len((subset and subset.tolerations) or ()),
        "has_patch": subset is not None and subset.patch is not None,
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


def total(found: list[dict[str, Any]]) -> dict[str, int]:
    return {name: sum(row[name] for row in found) for name in SUMS}


def bars(found: list[dict[str, Any]], plan: str) -> list[dict[str, Any]]:
    """Two bars of one scale, in percent: pods that there are, and what is asked for; one where both are the same."""
    whole = max(sum(row["pods"] for row in found), sum(row["planned"] for row in found), 1)
    there, asked = _bar("pods", found, "pods", "pending", whole), _bar(plan, found, "planned", "wait", whole)
    return [there, asked] if there["parts"] != asked["parts"] else [there]


def _bar(name: str, found: list[dict[str, Any]], field: str, pending: str, whole: int) -> dict[str, Any]:
    parts, x = [], 0.0
    for row in found:
        waits = min(row[pending], row[field])
        for number, is_waiting in ((row[field] - waits, False), (waits, True)):
            if number > 0:
                parts.append(
                    {
                        "x": round(x, 2),
                        "width": round(max(100 * number / whole - 0.3, 0.1), 2),
                        "colour": row["colour"],
                        "waits": is_waiting,
                    }
                )
                x += 100 * number / whole
    told = numbered({row["name"]: row[field] for row in found})
    return {"name": name, "parts": parts, "total": sum(row[field] for row in found), "told": told}
