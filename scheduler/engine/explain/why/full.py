"""Some nodes are open to the pod, but none has room for it, or what runs there keeps it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.why.closed import divided, shares
from scheduler.engine.explain.why.counted import otherwise
from scheduler.engine.explain.why.hindrances import Hindrance, alone, cover, union
from scheduler.engine.explain.why.neighbours import told_alone
from scheduler.engine.explain.why.room import Room, rooms, short_name
from scheduler.engine.explain.why.words import predicate
from scheduler.engine.framework import BoolArray
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def full(cycle: Cycle, found: list[Hindrance], usable: BoolArray) -> tuple[str, str, str, str]:
    """(clause, more, detail, scarce resource). `usable`: rows that are not closed to the pod."""
    states = [one for one in found if not one.closes]
    have = [one for one in rooms(cycle) if one.resource != PODS]
    whole = alone(states, usable)
    lacking = [room for room in have if any(one.resource == room.resource for one in whole)]
    if lacking:
        hopeless = [one for one in lacking if int(one.allocatable[usable].max()) < one.asked]
        told = _too_large(cycle, hopeless, usable) if hopeless else _lacking(cycle, lacking, usable)
        lacking = hopeless or lacking
        detail = _detail(cycle, found, usable, have, lacking)
        others = [one for one in whole if one.resource not in {room.resource for room in have}]
        return *told, _joined(_also(cycle, others, usable), detail), _scarcest(lacking, usable)
    group = whole[:1] or cover(states, usable)
    scarce = [room for room in have if any(one.resource == room.resource for one in group)]
    clause, more = told_alone(cycle, group[0], usable) if whole else ("", "")
    counted = "" if clause else otherwise(cycle, shares(group, usable))
    clause = clause or divided(cycle, group, usable, "nodes" + ("" if usable.all() else " that it may use"))
    detail = _joined(counted, _also(cycle, whole[1:], usable), _shut(cycle, found, usable))
    return clause, more, detail, _scarcest(scarce, usable)


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _also(cycle: Cycle, others: list[Hindrance], usable: BoolArray) -> str:
    """What else keeps the pod off every one of these nodes."""
    if not others:
        return ""
    who = "it" if int(usable.sum()) == 1 else "all of them"
    return f"Besides, {who} {listed([predicate(cycle, one, usable) for one in others])}."


def _scarcest(have: list[Room], usable: BoolArray) -> str:
    """Of which the most nodes have too little; of equals the one that lacks the largest share."""

    def lack(one: Room) -> tuple[int, float]:
        return int(one.short[usable].sum()), 1 - one.largest(usable)[1] / one.asked

    return max(have, key=lack).resource if have else ""


def _having(lacking: list[Room], usable: BoolArray) -> BoolArray:
    """Of the rows, those that offer the one thing that is lacking, where few do: to count the others would mislead."""
    having = usable & (lacking[0].allocatable > 0) if len(lacking) == 1 else usable
    return having if 0 < 2 * int(having.sum()) < int(usable.sum()) else usable


def _who(cycle: Cycle, usable: BoolArray, lacking: list[Room]) -> str:
    having = _having(lacking, usable)
    nodes, offer = int(usable.sum()), int(having.sum())
    if offer < nodes:
        what = short_name(lacking[0].resource)
        all_of = f"of the {count(nodes, 'node')}{'' if usable.all() else ' that it may use'}"
        if offer == 1:
            return f"{all_of}, only `{cycle.snapshot.names[int(having.argmax())]}` has {what}, not"
        return f"{all_of}, {count(offer, 'has', 'have')} {what}, and none of these has"
    return f"{_one_or_none(cycle, usable)} has"


def _one_or_none(cycle: Cycle, usable: BoolArray) -> str:
    nodes = int(usable.sum())
    if nodes == 1:
        name = cycle.snapshot.names[int(usable.argmax())]
        return f"the only node{'' if usable.all() else ' that it may use'}, `{name}`,"
    return "no node" if usable.all() else f"none of the {count(nodes, 'node')} that it may use"


def _lacking(cycle: Cycle, lacking: list[Room], usable: BoolArray) -> tuple[str, str]:
    """What no usable node has free."""
    told = [one.texts(one.asked, one.largest(usable)[1]) for one in lacking]
    if int(usable.sum()) == 1:
        free, asked = listed([free for _, free in told]), listed([f"**{asked}**" for asked, _ in told])
        return f"{_one_or_none(cycle, usable)} has {free} free; it asks for {asked}", ""
    asked = listed([f"**{asked}**" for asked, _ in told], "or")
    return f"{_who(cycle, usable, lacking)} {asked} free", _largest(cycle, lacking, usable)


def _too_large(cycle: Cycle, lacking: list[Room], usable: BoolArray) -> tuple[str, str]:
    """Even empty none would do."""
    if absent := [one for one in lacking if not one.allocatable[usable].any()]:
        no = "no " if int(usable.sum()) == 1 else ""
        names = listed([f"**{short_name(one.resource)}**" for one in absent], "or")
        return f"{_one_or_none(cycle, usable)} offers {no}{names}", ""
    if int(usable.sum()) == 1:
        return _lacking(cycle, lacking, usable)
    best = [int(np.where(usable, one.allocatable, -1).argmax()) for one in lacking]
    told = [one.texts(one.asked, int(one.allocatable[row])) for one, row in zip(lacking, best, strict=True)]
    clause = f"{_who(cycle, usable, lacking)} {listed([f'**{asked}**' for asked, _ in told], 'or')}, even empty"
    nodes = [f"`{cycle.snapshot.names[row]}`" for row in best]
    if len(nodes) > 1 and len(set(nodes)) == 1:
        return clause, f"The largest, {nodes[0]}, has {listed([f'**{whole}**' for _, whole in told])} in all."
    parts = [f"**{whole}** ({name})" for (_, whole), name in zip(told, nodes, strict=True)]
    return clause, f"The largest {'has' if len(parts) == 1 else 'have'} {listed(parts)} in all."


def _largest(cycle: Cycle, lacking: list[Room], usable: BoolArray) -> str:
    """`The largest free block is **7**, on `node-081`.`"""
    if not lacking:
        return ""
    best = [(one, *one.largest(usable)) for one in lacking]
    if all(amount <= 0 for _, _, amount in best):
        return f"No {listed([short_name(one.resource) for one in lacking], 'or')} is free there at all."
    if len(best) == 1:
        one, row, amount = best[0]
        free = format_compared(one.resource, amount, one.asked)[0]
        return f"The largest free block is **{free}**, on `{cycle.snapshot.names[row]}`."
    told = [(one.texts(amount, one.asked)[0], cycle.snapshot.names[row]) for one, row, amount in best]
    return f"The largest free blocks are {listed([f'**{free}**, on `{name}`' for free, name in told])}."


def _detail(cycle: Cycle, found: list[Hindrance], usable: BoolArray, have: list[Room], lacking: list[Room]) -> str:
    pieces = [_pieces(one, usable) for one in lacking]
    return _joined(*pieces, _others(have, lacking, _having(lacking, usable)), _shut(cycle, found, usable))


def _pieces(room: Room, usable: BoolArray) -> str:
    """Whether there would be enough in all."""
    if int(usable.sum()) == 1 or int(room.allocatable[usable].max()) < room.asked:
        return ""
    who = "The cluster has" if usable.all() else "Together these nodes have"
    total = int(room.free[usable].sum())
    told = room.texts(total, room.asked)[0]
    if total >= room.asked:
        return f"{who} {told} free in all, but in pieces: it is fragmented."
    return f"{who} only {told} free in all." if total else ""


def _others(have: list[Room], lacking: list[Room], usable: BoolArray) -> str:
    """The other resources that it asks for: on how many nodes they are short, and how many have enough of all."""
    rest = [one for one in have if one not in lacking and one.short[usable].any()]
    if not rest:
        return ""
    if all(one.short[usable].all() for one in rest):
        names = listed([short_name(one.resource) for one in rest])
        return f"Besides, {'it is' if int(usable.sum()) == 1 else 'all of them are'} short of {names}."
    enough, parts = usable.copy(), list[str]()
    for one in rest:
        enough &= ~one.short
        nodes = int(one.short[usable].sum())
        where = f"on {nodes:,}" if parts else f"is short on {count(nodes, 'node')}"
        parts.append(f"{short_name(one.resource)} {where}")
    of = ("", "enough of it", "enough of both")[len(rest)] if len(rest) < 3 else "enough of all these"
    who = count(int(enough.sum()), "node has", "nodes have") if enough.any() else "no node has"
    return f"Besides, {listed(parts)}; {who} {of}."


def _shut(cycle: Cycle, found: list[Hindrance], usable: BoolArray) -> str:
    """The nodes that are closed to the pod: those that have room for it, else all."""
    if usable.all():
        return ""
    roomy = ~usable & ~union([one for one in found if not one.closes], len(usable))
    rows = roomy if roomy.any() else ~usable
    parts = shares([one for one in found if one.closes], rows)
    nodes, room = int(rows.sum()), ("has room but " if int(rows.sum()) == 1 else "have room but ") * bool(roomy.any())
    if len(parts) == 1:
        said = f"{count(nodes, 'other node')} {room}{predicate(cycle, parts[0][0], rows)}."
    else:
        why = listed([f"{int(mine.sum()):,} {predicate(cycle, one, mine)}" for one, mine in parts])
        said = f"{count(nodes, 'other node')} {room}are closed to it: {why}."
    return _joined(said, otherwise(cycle, parts))
