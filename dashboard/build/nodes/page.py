"""The page of the nodes: everything that it shows of a state that is lent for reading."""

from collections.abc import Mapping
from typing import Any

from dashboard.build.nodes import capacity, headline, keys
from dashboard.build.nodes.bars import bars, owners
from dashboard.build.nodes.drawer import drawer
from dashboard.build.nodes.fleet import Fleet, Rows, fleet
from dashboard.build.nodes.groups import Group, grouped, ordered
from dashboard.build.nodes.picture import in_order, picture, tile_picture
from dashboard.build.nodes.selection import selected
from dashboard.build.nodes.wish import VIEWS, Wish, choices, short, wish
from dashboard.build.usage import CPU, MEMORY, extra_resource
from dashboard.text import cores_about, count, memory_about, percent, quantity
from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.requests import EPHEMERAL_STORAGE, PODS

PAGE = {"bars": 60, "table": 100}
FEW, OWNERS = 12, 8  # so few nodes have room to say who is there
"""Nodes on a page of a view that has pages."""


def context(
    simulation: Simulation, cluster_id: int, query: Mapping[str, str], ages: Mapping[str, int], number: int
) -> dict[str, Any]:
    """`ages`: when each node was created, in virtual µs. `number`: which page, where a view has pages."""
    all_nodes = fleet(simulation, cluster_id)
    asked = wish(all_nodes, query)
    found = selected(all_nodes, asked.q)
    rows = ordered(all_nodes, all_nodes.all[found.mask], asked.sort, dict(ages))
    groups = grouped(all_nodes, rows, asked.keys, asked.shade)
    everybody = groups if len(rows) == len(all_nodes) else _all_groups(all_nodes, asked)
    room, fault = _room(simulation, all_nodes, asked)
    shown = {
        "asked": asked,
        "views": VIEWS,
        "choices": choices(all_nodes, asked),
        "faults": [*found.faults, *keys.faults(all_nodes.rows, query.get("group"))],
        "total": len(all_nodes),
        "found": len(rows),
        "lead": (said := headline.sentence(all_nodes, everybody)).partition(" ")[0],
        "sentence": said.partition(" ")[2],
        "facts": headline.facts(all_nodes),
        "shade": short(asked.shade),
        "room": capacity.told(room, all_nodes) if room else "",
        "room_fault": fault,
        "drawer": drawer(all_nodes, asked, room),
    }
    return shown | _view(all_nodes, groups, asked, number, room)


def _all_groups(all_nodes: Fleet, asked: Wish) -> list[Group]:
    return grouped(all_nodes, all_nodes.all, asked.keys, asked.shade)


def _room(simulation: Simulation, all_nodes: Fleet, asked: Wish) -> tuple[capacity.Room | None, str]:
    if not asked.fit or not len(all_nodes):
        return None, ""
    try:
        return capacity.room(simulation, all_nodes, asked.fit), ""
    except Invalid as fault:
        return None, f"{fault}."


def _view(
    all_nodes: Fleet, groups: list[Group], asked: Wish, number: int, room: capacity.Room | None
) -> dict[str, Any]:
    if asked.view == "map":
        return {"picture": picture(all_nodes, groups, asked.shade)}
    if asked.view == "tiles":
        return {"picture": tile_picture(all_nodes, groups)}
    rows, size = in_order(groups), PAGE[asked.view]
    first = max(0, min(number - 1, (len(rows) - 1) // size)) * size
    page = rows[first : first + size]
    at, pages = first // size + 1, -(-len(rows) // size)
    paging = {"first": first + 1, "last": first + len(page), "number": at, "pages": pages}
    columns = _columns(all_nodes, asked)
    make = _bars if asked.view == "bars" else _lines
    return {
        "sections": _sections(all_nodes, groups, set(page.tolist()), make, asked, room),
        "paging": paging | {"before": at - 1, "after": at + 1},
        "span": 4 + 2 * len(columns) + (room is not None),
        "totals": line(all_nodes, rows, asked) if len(rows) else None,
        "label_columns": [key.alias for key in asked.keys],
        "with_room": room is not None,
    }


def _sections(
    all_nodes: Fleet, groups: list[Group], shown: set[int], make: Any, asked: Wish, room: capacity.Room | None
) -> list[dict[str, Any]]:
    """The innermost groups of which the page shows nodes, with the name of the outer one where it changes."""
    made = []
    for outer in groups:
        heading = _head(outer) if outer.inner else None
        for one in outer.inner or [outer]:
            rows = [make(all_nodes, row, asked, room) for row in one.rows.tolist() if row in shown]
            if rows:
                made.append({"outer": heading, "head": _head(one), "rows": rows})
                heading = None
    return made


def _head(group: Group) -> dict[str, Any]:
    nodes = count(len(group.rows), "node")
    return {"name": group.name, "nodes": nodes, "percent": percent(group.requested, group.allocatable) or "–"}


def _columns(all_nodes: Fleet, asked: Wish) -> list[str]:
    """Resources with a column or a bar of their own."""
    extra = extra_resource(all_nodes.used)
    named = [CPU, MEMORY, extra, asked.shade]
    return [name for name in dict.fromkeys(named) if name and name != PODS]


def _bars(all_nodes: Fleet, row: int, asked: Wish, room: capacity.Room | None) -> dict[str, Any]:
    info, names, looks = all_nodes.used.infos[row], _columns(all_nodes, asked), all_nodes.rows.looks
    made = {bar.name: bar for bar in bars(info, looks, names)}
    facts = all_nodes.rows.facts[row]
    return {
        "name": all_nodes.names[row],
        "state": facts.state,
        "is_unready": facts.is_unready,
        "taints": facts.taints,
        "cells": [made.get(name) for name in names],
        "pods": len(info.pods),
        "most_pods": int(all_nodes.used.allocatable[PODS][row]),
        "copies": int(room.copies[row]) if room else None,
        "over": bool(all_nodes.over[row]),
        "owners": owners(info, looks, asked.shade)[:OWNERS] if len(all_nodes) <= FEW else [],
    }


def _lines(all_nodes: Fleet, row: int, asked: Wish, room: capacity.Room | None) -> dict[str, Any]:
    node = all_nodes.rows.objects[row]
    labels = node.labels if node else {}
    return {
        "name": all_nodes.names[row],
        "labels": [labels.get(key.key, "") for key in asked.keys],
        "taints": all_nodes.rows.facts[row].taints,
        "copies": int(room.copies[row]) if room else None,
        **line(all_nodes, all_nodes.all[row : row + 1], asked),
    }


def about(name: str, amount: int, *, is_sum: bool) -> str:
    """Bytes in the largest unit that leaves two digits; cpu that several nodes have together in cores."""
    if name == CPU and is_sum:
        return cores_about(amount)
    return memory_about(amount) if name in (MEMORY, EPHEMERAL_STORAGE) else quantity(name, amount)


def line(all_nodes: Fleet, rows: Rows, asked: Wish) -> dict[str, Any]:
    """Figures of one node, or of several together."""
    used = all_nodes.used
    figures = []
    for name in _columns(all_nodes, asked):
        part, whole = int(used.requested[name][rows].sum()), int(used.allocatable[name][rows].sum())
        width = round(100 * part / whole) if whole else 0
        figures.append(
            {
                "name": name,
                "short": short(name),
                "requests": f"{short(name)} requests",
                "text": about(name, part, is_sum=len(rows) > 1),
                "of": f"{quantity(name, part)} of {quantity(name, whole)}",
                "percent": percent(part, whole),
                "width": width,
                "none": not whole and not part,
            }
        )
    pods, most = (int(of[PODS][rows].sum()) for of in (used.requested, used.allocatable))
    return {"figures": figures, "pods": pods, "most_pods": most, "nodes": len(rows)}
