"""The table of subsets: what each asks for, what it has, what is planned for it; and the same as two bars."""

from typing import Any

from dashboard.build.united.colours import subset_colour
from dashboard.build.united.partitioned import held_back
from dashboard.build.united.rehearsal import Rehearsal
from dashboard.build.united.sums import planned_steps, sums
from dashboard.build.united.told import short
from dashboard.build.united.wish import Wish
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.reasons import reasons
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.status import SCHEDULABLE, Status, condition
from scheduler.engine.uniteddeployment.updates import updated_replicas

Manifest = dict[str, Any]
SUMS = ("asked", "pods", "updated", "ready", "pending", "planned", "change", "wait")


def names(ud: united.UnitedDeployment, done: Pass) -> list[str]:
    """Subsets in the order of the topology, then those that left it and are still there."""
    known = [one.name for one in ud.subsets]
    return [*known, *(name for name in done.existing if name not in known)]


def rows(
    ud: united.UnitedDeployment, done: Pass, status: Status, wish: Wish, rehearsed: Rehearsal
) -> list[dict[str, Any]]:
    """`status`: the stored one."""
    subsets = {one.name: one for one in ud.subsets}
    kept = held_back(done)
    why = reasons(ud, done.allocation, done.existing, done.detected) if done.allocation is not None else {}
    found, listed = [], names(ud, done)
    steps = planned_steps(listed, ud, done)
    for index, name in enumerate(listed):
        row = _row(index, name, subsets.get(name), status, done, wish, rehearsed)
        row |= {"held_back": len(kept.get(name, ())), "reason": why.get(name, "")}
        found.append(row | {"sums": sums(row, ud, done, steps[name], is_rehearsed=rehearsed.waiting is not None)})
    return found


def _row(
    index: int,
    name: str,
    subset: united.Subset | None,
    status: Status,
    done: Pass,
    wish: Wish,
    rehearsed: Rehearsal,
) -> dict[str, Any]:
    held = done.existing.get(name)
    known = next((one for one in status.subset_statuses if one.name == name), None)
    asked = held.spec_replicas if held else 0
    planned = done.allocation.replicas.get(name, 0) if done.allocation else 0
    pending = sum(not pod.node_name for pod in held.pods) if held else 0
    planned_name = done.revisions.updated.name if done.revisions is not None else ""
    still = min(pending, max(planned - (held.ready_replicas if held else 0), 0))  # those that wait go first
    asked_name = status.updated_revision or planned_name
    return {
        "name": name,
        "colour": subset_colour(index),
        "is_left": subset is None,
        "selector": _selector(subset),
        "tolerations": len((subset and subset.tolerations) or ()),
        "has_patch": subset is not None and subset.patch is not None,
        "fields": {one: wish.fields.get(f"{one}.{name}") for one in ("replicas", "min", "max", "partition")},
        "asked": asked,
        "pods": len(held.pods) if held else 0,
        "updated": updated_replicas(held, asked_name)[0] if held else 0,
        "asked_revision": short(asked_name),
        "ready": held.ready_replicas if held else 0,
        "pending": pending,
        "planned": planned,
        "change": planned - asked,
        "wait": still if rehearsed.waiting is None else rehearsed.waiting[name],
        "partition": done.partitions.get(name, 0),
        "held_partition": held.partition if held else None,
        "revision": short(held.revision) if held else "",
        "is_old": held is not None and planned_name not in ("", held.revision),
        "condition": condition(known.conditions, SCHEDULABLE) if known is not None else None,
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
    told = ", ".join(f"{row['name']} {row[field]}" for row in found)
    return {"name": name, "parts": parts, "total": sum(row[field] for row in found), "told": told}
