"""Room that is free and yet not to be had: preemption has nominated other pods to the node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import waiting_for
from scheduler.engine.explain.filters import with_nominated
from scheduler.engine.explain.shortage import distances
from scheduler.engine.explain.why.hindrances import NOMINATED, hindrances
from scheduler.engine.explain.why.words import some
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NAMED = 3


def kept_for(cycle: Cycle) -> dict[int, tuple[str, ...]]:
    """By row, of nodes that every filter would let the pod have: the pods for which they are kept free."""
    rows = next((one.rows for one in hindrances(cycle) if one.plugin == NOMINATED), None)
    found = np.flatnonzero(rows).tolist() if rows is not None else []
    return {row: tuple(pod.key for pod in waiting_for(cycle, cycle.snapshot.names[row])) for row in found}


def told_kept(names: list[str], kept: dict[int, tuple[str, ...]]) -> str:
    """`What is free on `n0` is kept for `default/high`, which preemption nominated there.`; "" where nothing is."""
    if not kept:
        return ""
    nodes = [f"`{names[row]}`" for row in kept] if len(kept) <= NAMED else [f"{len(kept):,} of these nodes"]
    pods = list(dict.fromkeys(key for keys in kept.values() for key in keys))
    who = f"{some(f'`{key}`' for key in pods)}, {'which' if len(pods) == 1 else 'pods that'} preemption nominated there"
    return f"What is free on {listed(nodes)} is kept for {who}."


def missing(cycle: Cycle, row: int, plugin: str) -> list[str]:
    """How far a node is from passing a filter, as `distances`, else how far beside the pods nominated to it."""
    if alone := distances(cycle, row, plugin):
        return alone
    fuller = with_nominated(cycle, row)
    if fuller is None:
        return []
    pods = [pod.key for pod in waiting_for(cycle, cycle.snapshot.names[row])]
    beside = f"beside {some(pods)}, nominated there"
    return [f"{text} {beside}" for text in distances(fuller, row, plugin)]
