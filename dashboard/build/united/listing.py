"""The table of UnitedDeployments, as `kubectl get ud` prints it, and how each is split."""

from typing import Any

import msgspec

from dashboard.build.ages import aged
from dashboard.build.united.colours import subset_colour
from dashboard.build.united.names import numbered
from dashboard.build.united.subsets import counted
from dashboard.text import microseconds
from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.controllers.united import existing_subsets
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.words import count

NAMED = 6
KIND = "UnitedDeployment"


def rows(simulation: Simulation, now_us: int) -> list[dict[str, Any]]:
    """By namespace and name. Their pods are counted as their pages count them."""
    found = [united.decode(msgspec.to_builtins(one)) for one in simulation.objects("UnitedDeployment")]
    owners = owners_of(simulation)
    ordered = sorted(found, key=lambda one: (one.namespace or "", one.name))
    return [_row(simulation, owners, one, now_us) for one in ordered]


def summed(found: list[dict[str, Any]]) -> dict[str, int]:
    """Pods of all of them together."""
    desired = sum(row["desired"] for row in found if isinstance(row["desired"], int))
    return {"desired": desired, "ready": sum(row["ready"] for row in found)}


def _row(simulation: Simulation, owners: Owners, ud: united.UnitedDeployment, now_us: int) -> dict[str, Any]:
    created = microseconds(ud.metadata.creation_timestamp)
    namespace = ud.namespace or "default"
    key = (KIND, namespace, ud.name)
    held = {one.name: one for one in existing_subsets(simulation, key, owners)}
    names = list(dict.fromkeys([*(one.name for one in ud.subsets), *held]))
    counts = {name: counted(held.get(name), ud.status.updated_revision) for name in names}
    subsets = [(name, one["ready"]) for name, one in counts.items()]
    sums = {what: sum(one[what] for one in counts.values()) for what in ("pods", "updated", "ready")}
    return {
        "namespace": namespace,
        "name": ud.name,
        "kind": ud.workload_kind.label if ud.workload_kind else "<none>",
        "desired": "<none>" if ud.spec.replicas is None else ud.spec.replicas,
        **sums,
        "is_short": sums["ready"] < (ud.spec.replicas or 0),
        "age": "<unknown>" if created is None else aged(now_us, created),
        "parts": _parts(subsets, ud.spec.replicas or 0),
        "named": _named(subsets),
        "unnamed": max(len(subsets) - NAMED, 0),
        "subsets": numbered(dict(subsets)),
        "fails": _fails(simulation, key, held),
    }


def _fails(simulation: Simulation, key: ObjectKey, held: dict[str, ExistingSubset]) -> str:
    """What goes wrong, "" if nothing: the last pass of its controller, or those of its workloads."""
    failures = simulation.work.failures
    if key in failures:
        return "its last pass failed"
    failing = [name for name, one in held.items() if (one.kind.label, key[1], one.workload) in failures]
    if not failing:
        return ""
    return "its workload cannot make pods" if len(held) == 1 else f"{count(len(failing), 'workload')} cannot make pods"


def _named(subsets: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """In the order of the topology; where there is no room for all, those that have pods come first."""
    chosen = sorted(range(len(subsets)), key=lambda index: (not subsets[index][1], index))[:NAMED]
    return [
        {"name": subsets[index][0], "number": subsets[index][1], "colour": subset_colour(index)}
        for index in sorted(chosen)
    ]


def _parts(subsets: list[tuple[str, int]], desired: int) -> list[dict[str, Any]]:
    whole = max(desired, sum(number for _, number in subsets), 1)
    parts, x = [], 0.0
    for index, (name, number) in enumerate(subsets):
        if number:
            width = round(100 * number / whole, 2)
            parts.append({"x": round(x, 2), "width": width, "colour": subset_colour(index), "told": f"{name} {number}"})
            x += 100 * number / whole
    return parts
