"""No node is open to the pod: selectors, taints, cordons and volume zones leave none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.why.counted import otherwise
from scheduler.engine.explain.why.hindrances import Hindrance, alone, cover, union
from scheduler.engine.explain.why.selector import nowhere, wanted
from scheduler.engine.explain.why.words import LISTED, predicate, some
from scheduler.engine.framework import BoolArray
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

AFFINITY = "NodeAffinity"


def closed(cycle: Cycle, found: list[Hindrance]) -> tuple[str, str, str]:
    """(clause, more, detail)."""
    everything = np.ones(len(cycle.snapshot), np.bool_)
    closing = [one for one in found if one.closes]
    whole = alone(closing, everything)
    if selecting := next((one for one in whole if one.plugin == AFFINITY), None):
        absent = any(name not in cycle.snapshot.row_of for name in wanted(cycle).names)
        return *nowhere(cycle), "" if absent else _besides(cycle, found, [selecting], everything)
    group = whole[:1] or cover(closing, everything)
    selecting = next((one for one in group if one.plugin == AFFINITY), None)
    if selecting is None:
        counted = otherwise(cycle, shares(group, everything))
        besides = " ".join(filter(None, (counted, _besides(cycle, found, group, everything))))
        return divided(cycle, group, everything, "nodes"), "", besides
    left = ~selecting.rows
    others = cover([one for one in closing if one is not selecting], left)
    return _matching(cycle, others, left), "", _besides(cycle, found, others, left)


def _matching(cycle: Cycle, others: list[Hindrance], left: BoolArray) -> str:
    """Of the nodes that its selector leaves."""
    text = wanted(cycle).text
    if int(left.sum()) == 1:
        name = cycle.snapshot.names[int(left.argmax())]
        who = "the node that it names" if wanted(cycle).names else f"the only node with {text}"
        return f"{who}, `{name}`, **{predicate(cycle, others[0], left)}**"
    return divided(cycle, others, left, f"nodes with {text}")


def divided(cycle: Cycle, group: list[Hindrance], rows: BoolArray, noun: str) -> str:
    """`all 6 nodes are cordoned`; `of the 60 nodes, 50 are cordoned and the other 10 have …`: every row counts once."""
    total, parts = int(rows.sum()), shares(group, rows)
    if len(parts) == 1 or total == 1:
        said = f"**{predicate(cycle, parts[0][0], rows)}**"
        if total == 1:
            return f"the only one of the {noun}, `{cycle.snapshot.names[int(rows.argmax())]}`, {said}"
        return f"{'both' if total == 2 else f'all {total:,}'} {noun} {said}"
    texts = []
    for at, (one, mine) in enumerate(parts):
        nodes, last = int(mine.sum()), at == len(parts) - 1
        texts.append(f"{_how_many(nodes, last=last)} {predicate(cycle, one, mine)}")
    return f"of the {total:,} {noun}, {listed(texts)}"


def shares(group: list[Hindrance], rows: BoolArray) -> list[tuple[Hindrance, BoolArray]]:
    """Each of these rows under one of its hindrances, the one that refuses most rows first."""
    left, found = rows.copy(), []
    for one in sorted(group, key=lambda one: -int((one.rows & rows).sum())):
        mine = one.rows & left
        left &= ~one.rows
        if mine.any():
            found.append((one, mine))
    return found


def _how_many(nodes: int, *, last: bool) -> str:
    if last:
        return "the other one" if nodes == 1 else f"the other {nodes:,}"
    return "one" if nodes == 1 else f"{nodes:,}"


def _besides(cycle: Cycle, found: list[Hindrance], named: list[Hindrance], rows: BoolArray) -> str:
    """Whether anything but what was named keeps the pod off these nodes."""
    more = [one for one in found if one not in named]
    free = rows & ~union(more, len(rows))
    nodes, total = int(free.sum()), int(rows.sum())
    if 0 < nodes < total and rows.all():
        return f"{nodes:,} of the {total:,} nodes {'refuses' if nodes == 1 else 'refuse'} it for this alone."
    if nodes == total:
        twice = _cordon_twice(cycle, named, rows, total)
        return f"Nothing else speaks against {'that node' if total == 1 else 'any of these nodes'}{twice}."
    if nodes:
        names = some(f"`{cycle.snapshot.names[row]}`" for row in np.flatnonzero(free).tolist())
        return f"Nothing else speaks against {f'{nodes:,} of these nodes' if nodes > LISTED else names}."
    parts = shares(more, rows)
    if len(parts) == 1:
        return f"Besides, {'it' if total == 1 else 'all of them'} {predicate(cycle, *parts[0])}."
    texts = [f"{int(mine.sum()):,} {predicate(cycle, one, mine)}" for one, mine in parts]
    return f"Besides, {listed(texts)}."


def _cordon_twice(cycle: Cycle, named: list[Hindrance], rows: BoolArray, total: int) -> str:
    """Why tables count two filters for one cordon."""
    verdict = cycle.trace.everywhere.verdicts.get("TaintToleration")
    cordoned = next((one.rows & rows for one in named if one.plugin == "NodeUnschedulable"), None)
    if verdict is None or cordoned is None or not (verdict.index[cordoned] != 0).any():
        return ""
    return f"; {'its cordon' if total == 1 else 'a cordon'} is a taint as well, so two filters refuse it"
