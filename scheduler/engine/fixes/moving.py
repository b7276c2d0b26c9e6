"""Room made by others: the fewest pods of a node that find a place elsewhere, or that would have to go.

Which pods those are follows from resources where nothing else is in the way, else from removing all and letting back
as many as possible, as preemption does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.change import Candidate, Delete, Effort, Fix, Restart, pod_key
from scheduler.engine.fixes.near import Near
from scheduler.engine.framework import Code, Int64Array
from scheduler.engine.preemption.budgets import Budgets
from scheduler.engine.preemption.victims import Victims, select_victims
from scheduler.engine.values.requests import PODS
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

FIT = "NodeResourcesFit"
ROWS, ROWS_BY_TRIAL, WAYS, NAMED, MOST_MOVED = 64, 6, 4, 3, 12
_HIGHEST_OF_USERS = 1_000_000_000
_MIRROR, _SAFE = "kubernetes.io/config.mirror", "cluster-autoscaler.kubernetes.io/safe-to-evict"


class _Way(NamedTuple):
    """Pods that leave one node."""

    row: int
    pods: tuple[PodInfo, ...]
    places_elsewhere: bool


def make_room(near: Near) -> list[Candidate]:
    """Move pods; where none of these ways helps, delete some."""
    cycle = near.cycle
    if not near.is_asked:
        return []
    budgets = Budgets(cycle.snapshot)
    ways = [*_by_room(near, budgets), *_by_trial(near, budgets)]
    ways.sort(key=lambda one: (len(one.pods), sum(pod.priority for pod in one.pods), _size(cycle, one.pods)))
    movable = [_moved(cycle, one) for one in ways if one.places_elsewhere][:WAYS]
    lowest = sorted(ways, key=lambda one: max(pod.priority for pod in one.pods))
    deleted = [_deleted(cycle, one) for one in lowest[:1]]
    return [(*movable, *deleted)] if ways else []


def is_movable(pod: PodInfo) -> bool:
    """Not bound to its node, nor so important that nobody would move it."""
    owners = pod.pod.metadata.owner_references or ()
    daemon = any(one.controller and one.kind in ("DaemonSet", "Node") for one in owners)
    told = pod.pod.annotations
    protected = _MIRROR in told or told.get(_SAFE) == "false" or pod.priority > _HIGHEST_OF_USERS
    return not daemon and not protected and not pod.pod.is_terminating


# --- where only resources are short -----------------------------------------------------------------------------------


def _by_room(near: Near, budgets: Budgets) -> Iterator[_Way]:
    if FIT not in near.refused:
        return
    cycle, rows = near.cycle, near.alone(FIT)
    rows = rows[_could_hold(cycle, rows)]
    missing = _missing(cycle, rows)
    order = np.argsort(_least_of_all(cycle, rows, missing), kind="stable")[:ROWS]
    for at in order.tolist():
        row = int(rows[at])
        need = {name: int(lacks[at]) for name, lacks in missing.items() if lacks[at] > 0}
        pods = _fewest(_unprotected(cycle, row, budgets), need)
        if pods:
            yield _Way(row, pods, all(_fits_elsewhere(cycle, pod, row) for pod in pods))


def _could_hold(cycle: Cycle, rows: Int64Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    fits = np.ones(len(rows), np.bool_)
    for name, amount in cycle.pod.requests.items():
        fits &= cycle.snapshot.columns[("allocatable", name)][rows] >= amount
    return fits


def _missing(cycle: Cycle, rows: Int64Array) -> dict[str, Int64Array]:
    """By resource, how much more would have to be free."""
    columns = cycle.snapshot.columns
    asked = {**cycle.pod.requests, PODS: 1}
    return {
        name: np.maximum(amount - columns[("allocatable", name)][rows] + columns[("requested", name)][rows], 0)
        for name, amount in asked.items()
    }


def _least_of_all(
    cycle: Cycle, rows: Int64Array, missing: Mapping[str, Int64Array]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    total = np.zeros(len(rows))
    for name, lacks in missing.items():
        total += lacks / max(1, {**cycle.pod.requests, PODS: 1}[name])
    return total


def _unprotected(cycle: Cycle, row: int, budgets: Budgets) -> list[PodInfo]:
    """Movable pods whose budgets allow it, each taken by itself."""
    return [pod for pod in cycle.snapshot.infos[row].pods if is_movable(pod) and not budgets.split([pod])[0]]


def _gives(pod: PodInfo) -> dict[str, int]:
    """What its node has free without it."""
    return {**dict(pod.requested), PODS: 1}


def _fewest(pods: Sequence[PodInfo], need: Mapping[str, int]) -> tuple[PodInfo, ...]:
    """One that is enough, the smallest of them; else the largest until it is enough, less those not needed then."""

    def share(pod: PodInfo) -> float:
        had = _gives(pod)
        return sum(min(1.0, had.get(name, 0) / amount) for name, amount in need.items())

    enough = [pod for pod in pods if all(_gives(pod).get(name, 0) >= amount for name, amount in need.items())]
    if enough:
        return (
            min(enough, key=lambda pod: sum(amount / need.get(name, amount or 1) for name, amount in pod.requested)),
        )
    left, chosen = dict(need), list[PodInfo]()
    for pod in sorted(pods, key=lambda pod: -share(pod)):
        if len(chosen) < MOST_MOVED and any(left.get(name, 0) > 0 and amount for name, amount in _gives(pod).items()):
            chosen.append(pod)
            left = {name: amount - _gives(pod).get(name, 0) for name, amount in left.items()}
        if all(amount <= 0 for amount in left.values()):
            return _pruned(chosen, left)
    return ()


def _pruned(chosen: list[PodInfo], left: Mapping[str, int]) -> tuple[PodInfo, ...]:
    """Without those that the others do without, the last chosen first. `left`: what is still needed, 0 or below."""
    spare = {name: -amount for name, amount in left.items()}
    for pod in list(reversed(chosen)):
        had = _gives(pod)
        if all(spare[name] >= had.get(name, 0) for name in spare):
            chosen.remove(pod)
            spare = {name: amount - had.get(name, 0) for name, amount in spare.items()}
    return tuple(chosen)


def _fits_elsewhere(cycle: Cycle, pod: PodInfo, row: int) -> bool:
    """As far as resources go: whether any other node has that much free."""
    columns = cycle.snapshot.columns
    fits = columns[("allocatable", PODS)] > columns[("requested", PODS)]
    fits[row] = False
    for name, amount in pod.requested:
        fits &= columns[("allocatable", name)] - columns[("requested", name)] >= amount
    return bool(fits.any())


# --- where something else is in the way -------------------------------------------------------------------------------


def _by_trial(near: Near, budgets: Budgets) -> Iterator[_Way]:
    """Nodes that pods could be to blame for, those refused by the fewest filters and with the fewest pods first."""
    cycle, filtered = near.cycle, near.cycle.trace.everywhere
    hopeless = np.zeros(len(cycle.snapshot), np.bool_)
    for verdict in filtered.verdicts.values():
        codes = np.array([one.code is not Code.UNSCHEDULABLE and not one.is_success for one in verdict.statuses])
        hopeless |= codes[verdict.index]
    only_room = near.refused[FIT] & (near.times == 1) if FIT in near.refused else np.zeros(len(hopeless), np.bool_)
    rows = np.flatnonzero((near.times > 0) & ~hopeless & ~only_room)
    pods = cycle.snapshot.columns[("requested", PODS)][rows]
    for row in rows[np.lexsort((pods, near.times[rows]))][:ROWS_BY_TRIAL].tolist():
        potential = _unprotected(cycle, row, budgets)
        found = select_victims(cycle, {row: potential}, budgets).get(row) if potential else None
        if isinstance(found, Victims) and found.pods and not found.violations and len(found.pods) <= MOST_MOVED:
            yield _Way(row, found.pods, all(_fits_elsewhere(cycle, pod, row) for pod in found.pods))


# --- in words ---------------------------------------------------------------------------------------------------------


def _size(cycle: Cycle, pods: Sequence[PodInfo]) -> float:
    columns = cycle.snapshot.columns
    return sum(
        amount / max(1, int(columns[("allocatable", name)].max())) for pod in pods for name, amount in pod.requested
    )


def _names(pods: Sequence[PodInfo]) -> str:
    return listed([f"`{pod.key}`" for pod in pods]) if len(pods) <= NAMED else f"**{len(pods)}** pods"


def _moved(cycle: Cycle, way: _Way) -> Fix:
    name = cycle.snapshot.names[way.row]
    edits = tuple(Restart(pod_key(pod.pod)) for pod in way.pods)
    bare = [pod for pod in way.pods if not any(one.controller for one in pod.pod.metadata.owner_references or ())]
    note = (
        f"Nothing but you makes {_names(bare)} anew: no controller owns {'it' if len(bare) == 1 else 'them'}."
        if bare
        else ""
    )
    return Fix("move", f"Move {_names(way.pods)} off `{name}`", edits, Effort.MOVE, len(way.pods), note=note)


def _deleted(cycle: Cycle, way: _Way) -> Fix:
    name = cycle.snapshot.names[way.row]
    edits = tuple(Delete(pod_key(pod.pod)) for pod in way.pods)
    owners = {owner[2]: owner[0] for pod in way.pods if (owner := controller_of(pod.pod)) is not None}
    whose = listed([f"{kind} `{owner}`" for owner, kind in owners.items()])
    note = f"Scale {whose} down, or the pods come back." if owners else ""
    return Fix("delete", f"Delete {_names(way.pods)} on `{name}`", edits, Effort.EVICT, len(way.pods), note=note)
