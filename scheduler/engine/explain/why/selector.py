"""Which part of a pod's node selector no node fulfils."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.selection import requirement_matches
from scheduler.engine.explain.why.words import some
from scheduler.engine.framework import BoolArray
from scheduler.engine.labels import NAME_FIELD, RequiredNodeAffinity, Requirement
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_IN = ("=", "==", "in")
_LONG = 90


@dataclass(frozen=True, slots=True)
class Wanted:
    """`labels`: all of these must hold. `names`: nodes that it names, () for any. `alternatives`: where more than one
    term of its node affinity would do, their number.
    """

    labels: tuple[Requirement, ...]
    names: tuple[str, ...] = ()
    alternatives: int = 0

    @property
    def text(self) -> str:
        """`` `pool=gpu` and `disk=ssd` ``, or `its node selector` where that would be too long."""
        parts = [f"`{spelled(one)}`" for one in self.labels] + [f"the name `{name}`" for name in self.names]
        text = listed(parts)
        return text if parts and not self.alternatives and len(text) <= _LONG else "its node selector"


def wanted(cycle: Cycle) -> Wanted:
    return wanted_by(cycle.pod.shape.required_node_affinity)


def wanted_by(required: RequiredNodeAffinity) -> Wanted:
    labels, affinity = tuple(required.labels.requirements), required.affinity
    if affinity is None:
        return Wanted(labels)
    if len(affinity.terms) != 1:
        return Wanted(labels, alternatives=len(affinity.terms))
    (term,) = affinity.terms
    names = tuple(one.values[0] for one in term.fields if one.key == NAME_FIELD and one.operator in _IN)
    return Wanted((*labels, *term.labels.requirements), names)


def spelled(one: Requirement) -> str:
    """`disk=ssd`, `disk in (hdd,ssd)`."""
    return f"{one.key}={one.values[0]}" if one.operator in _IN and len(one.values) == 1 else str(one)


def nowhere(cycle: Cycle) -> tuple[str, str]:
    """For a selector that no node matches: what no node has, and what they have instead ("" for nothing to say)."""
    found = wanted(cycle)
    missing = [name for name in found.names if name not in cycle.snapshot.row_of]
    if missing:
        return f"there is no node {listed([f'`{name}`' for name in missing])}, which it names", ""
    if found.alternatives:
        terms = "the term" if found.alternatives == 1 else f"any of the {count(found.alternatives, 'term')}"
        return f"no node matches {terms} of its node affinity", ""
    matches = [(one, requirement_matches(cycle.snapshot.columns.all_nodes, one)) for one in found.labels]
    unmet = [one for one, rows in matches if not rows.any()]
    if unmet:
        return _unmet(unmet), _instead(cycle, unmet)
    if len(matches) > 1:
        parts = listed([f"`{spelled(one)}` ({count(int(rows.sum()), 'node')})" for one, rows in matches])
        return f"no node has all labels that it selects: {parts} do not meet", ""
    return "no node matches its node selector", ""


def _unmet(unmet: list[Requirement]) -> str:
    labels = listed([f"**`{spelled(one)}`**" for one in unmet], "or")
    kind = "the label" if all(one.operator in _IN for one in unmet) else "labels that match"
    return f"no node has {kind} {labels}"


def _instead(cycle: Cycle, unmet: list[Requirement]) -> str:
    there = {one.key: _values(cycle, one.key) for one in unmet}
    absent = [f"`{key}`" for key, values in there.items() if not values]
    none = f"No node has a label {listed(absent, 'or')} at all." if absent else ""
    others = [(f"of `{key}` " if len(there) > 1 else "", values) for key, values in there.items() if values]
    told = [f"Nodes have {of}{some(f'`{value}`' for value in values)}." for of, values in others]
    return " ".join(filter(None, [none, *told]))


def _values(cycle: Cycle, key: str) -> list[str]:
    """Of a label, on all nodes together."""
    numbers, values = cycle.snapshot.columns.label(key)
    return sorted(value for number in np.unique(numbers).tolist() if (value := values.values[number]) is not None)


def matching(cycle: Cycle, refused: BoolArray) -> str:
    """Who is left: ``match `pool=gpu` ``. `refused`: by NodeAffinity."""
    found = wanted(cycle)
    return f"{'matches' if int((~refused).sum()) == 1 else 'match'} {found.text}"
