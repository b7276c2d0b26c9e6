"""Nodes grouped by one label or two, with their counts and what of a resource is requested in each group."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dashboard.build.nodes.fleet import Fleet, Ints, Rows
from dashboard.build.nodes.keys import Key


@dataclass(frozen=True, eq=False)
class Group:
    """`rows` in the order in which they are shown. `requested` and `allocatable`: of the resource that is looked at.

    `name` is "" for nodes without the label. `inner`: the groups of the second label.
    """

    name: str
    rows: Rows
    requested: int
    allocatable: int
    inner: list["Group"] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.requested / self.allocatable if self.allocatable else 0.0


def grouped(fleet: Fleet, rows: Rows, keys: list[Key], resource: str) -> list[Group]:
    """Groups of `rows`, by name, nodes without the label last. Without keys one group of all."""
    requested, allocatable = fleet.used.requested[resource], fleet.used.allocatable[resource]
    if not keys:
        return [Group("", rows, int(requested[rows].sum()), int(allocatable[rows].sum()))] if len(rows) else []
    numbers, names = _numbered(fleet, keys[0])
    made = []
    for number, part in _parts(numbers, rows):
        inner = grouped(fleet, part, keys[1:], resource) if len(keys) > 1 else []
        made.append(Group(names[number], part, int(requested[part].sum()), int(allocatable[part].sum()), inner))
    return sorted(made, key=lambda one: (not one.name, one.name))


def _numbered(fleet: Fleet, key: Key) -> tuple[Ints, list[str]]:
    """The value of each node as a number, and the values."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in fleet.labels(key.key)]
    return np.array(numbers, np.int64), list(places)


def _parts(numbers: Ints, rows: Rows) -> list[tuple[int, Rows]]:
    """`rows` by their number, each part in the order of `rows`."""
    own = numbers[rows]
    order = np.argsort(own, kind="stable")
    bounds = np.flatnonzero(np.diff(own[order])) + 1
    return [(int(own[part[0]]), rows[part]) for part in np.split(order, bounds) if len(part)]


def ordered(fleet: Fleet, rows: Rows, sort: str, ages: dict[str, int] | None = None) -> Rows:
    """`rows` by `name`, `zone`, `age`, a resource (fullest first), `free.<resource>` (most first); `-` reverses."""
    named = sort.removeprefix("-")
    key = _key(fleet, named, ages or {})[rows]
    order = np.lexsort((fleet.by_name[rows], key))
    found = rows[order]
    return found[::-1] if sort.startswith("-") else found


def _key(fleet: Fleet, sort: str, ages: dict[str, int]) -> Any:
    if sort in fleet.resources:
        return -fleet.used.share(sort)
    if sort.startswith("free.") and sort[5:] in fleet.resources:
        return -fleet.free(sort[5:])
    if sort == "zone":
        return np.unique(np.array([one.zone for one in fleet.rows.facts]), return_inverse=True)[1]
    if sort == "age":
        return np.array([-ages.get(name, 0) for name in fleet.names], np.int64)
    return np.zeros(len(fleet), np.int64)
