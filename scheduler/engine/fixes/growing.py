"""More hardware: one node more of the smallest sort that takes the pod, two, or one that is larger than any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.fixes.change import Candidate, Clone, Effort, Fix, Put
from scheduler.engine.fixes.names import fresh_node
from scheduler.engine.fixes.near import Near, is_open_by_nature
from scheduler.engine.framework import Int64Array
from scheduler.engine.values.quantity import format_amount, format_compared
from scheduler.engine.values.requests import CPU, MEMORY

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def one_node_more(near: Near) -> list[Candidate]:
    """A node like the smallest that is large enough, or two; where none is, one that is larger."""
    rows = np.flatnonzero(is_open_by_nature(near.cycle)) if near.is_asked else near.times[:0]
    if not len(rows):
        return []
    cycle = near.cycle
    large = rows[_is_large_enough(cycle, rows)]
    if not len(large):
        return [(_larger(cycle, rows),)]
    smallest = large[np.argsort(_size(cycle, large), kind="stable")]
    first = int(smallest[0])
    others = smallest[_differs(cycle, smallest, first)][:1].tolist()
    return [(_added(cycle, first, 1), *(_added(cycle, row, 1) for row in others), _added(cycle, first, 2))]


def _asked(cycle: Cycle) -> Mapping[str, int]:
    return {name: amount for name, amount in cycle.pod.requests.items() if amount > 0}


def _is_large_enough(cycle: Cycle, rows: Int64Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    fits = np.ones(len(rows), np.bool_)
    for name, amount in _asked(cycle).items():
        fits &= cycle.snapshot.columns[("allocatable", name)][rows] >= amount
    return fits


def _size(cycle: Cycle, rows: Int64Array) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """All resources together, each as a share of the most that any node has."""
    columns, size = cycle.snapshot.columns, np.zeros(len(rows))
    for name in columns.resources():
        have = columns[("allocatable", name)]
        size += have[rows] / max(1, int(have.max()))
    return size


def _differs(cycle: Cycle, rows: Int64Array, row: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which nodes offer something else than this one."""
    columns, differs = cycle.snapshot.columns, np.zeros(len(rows), np.bool_)
    for name in columns.resources():
        differs |= columns[("allocatable", name)][rows] != columns[("allocatable", name)][row]
    return differs


def _added(cycle: Cycle, row: int, nodes: int) -> Fix:
    name = cycle.snapshot.names[row]
    clones = tuple(Clone(("Node", "", name), fresh_node(cycle, name, turn)) for turn in range(1, nodes + 1))
    title = f"Add {'one node' if nodes == 1 else f'**{nodes}** nodes'} like `{name}` ({_told(cycle, row)})"
    return Fix("add-node", title, clones, Effort.GROW, nodes - 1)


def _told(cycle: Cycle, row: int) -> str:
    names = [CPU, MEMORY, *(name for name in _asked(cycle) if name not in (CPU, MEMORY))]
    have = ((name, int(cycle.snapshot.columns[("allocatable", name)][row])) for name in names)
    return ", ".join(_size_of(name, amount) for name, amount in have)


def _size_of(resource: str, amount: int, look: str = "") -> str:
    return f"{look}{format_compared(resource, amount)[0]}{look} {resource.rpartition('/')[2]}"


def _larger(cycle: Cycle, rows: Int64Array) -> Fix:
    """A node as the one that lacks least, with as much as the pod asks for."""
    columns, asked = cycle.snapshot.columns, _asked(cycle)
    lack = np.zeros(len(rows))
    for name, amount in asked.items():
        lack = np.maximum(lack, (amount - columns[("allocatable", name)][rows]) / amount)
    row = int(rows[int(lack.argmin())])
    name = cycle.snapshot.names[row]
    short = {one: amount for one, amount in asked.items() if int(columns[("allocatable", one)][row]) < amount}
    node = columns.nodes[row]
    field = "allocatable" if node.status is not None and node.status.allocatable is not None else "capacity"
    puts = tuple(Put(("status", field, one), format_amount(one, amount)) for one, amount in short.items())
    more = " and ".join(_size_of(one, amount, "**") for one, amount in short.items())
    clone = Clone(("Node", "", name), fresh_node(cycle, name), puts)
    who = "No node of this cluster" if len(rows) == len(cycle.snapshot) else "None of the nodes that it may use"
    note = f"{who} would be large enough, even empty."
    return Fix("larger-node", f"Add one node like `{name}`, but with {more}", (clone,), Effort.GROW, 1, note=note)
