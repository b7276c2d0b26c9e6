"""The nodes as data: lines for a CSV file, one object for programs."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dashboard.build.nodes.fleet import Fleet, Rows, fleet
from dashboard.build.nodes.groups import Group, grouped, ordered
from dashboard.build.nodes.keys import label_keys
from dashboard.build.nodes.picture import in_order
from dashboard.build.nodes.selection import selected
from dashboard.build.nodes.wish import Wish, wish
from dashboard.text import timestamp
from scheduler.engine.simulation.simulation import Simulation


def chosen(
    simulation: Simulation, cluster_id: int, query: Mapping[str, str], ages: Mapping[str, int]
) -> tuple[Fleet, Wish, list[Group]]:
    """The nodes that the page would show, in its groups and its order."""
    all_nodes = fleet(simulation, cluster_id)
    asked = wish(all_nodes, query)
    rows = ordered(all_nodes, all_nodes.all[selected(all_nodes, asked.q).mask], asked.sort, dict(ages))
    return all_nodes, asked, grouped(all_nodes, rows, asked.keys, asked.shade)


def table(all_nodes: Fleet, groups: list[Group], ages: Mapping[str, int]) -> Iterator[list[Any]]:
    """The head, then a line a node. Amounts in scheduler units: millicores, bytes, devices."""
    keys = [one.key for one in label_keys(all_nodes.rows)]
    figures = [f"{name} {kind}" for name in all_nodes.resources for kind in ("allocatable", "requested", "free")]
    yield ["name", "state", "created", *figures, "taints", *keys]
    for row in in_order(groups).tolist():
        facts, node = all_nodes.rows.facts[row], all_nodes.rows.objects[row]
        created = ages.get(all_nodes.names[row], 0)
        amounts = [amount for name in all_nodes.resources for amount in _amounts(all_nodes, name, row)]
        labels = node.labels if node else {}
        stamp = timestamp(created) if created else ""
        yield [all_nodes.names[row], facts.state, stamp, *amounts, " ".join(facts.taints), *map(labels.get, keys)]


def _amounts(all_nodes: Fleet, name: str, row: int) -> tuple[int, int, int]:
    whole, part = int(all_nodes.used.allocatable[name][row]), int(all_nodes.used.requested[name][row])
    return whole, part, whole - part


def state(all_nodes: Fleet, asked: Wish, groups: list[Group]) -> dict[str, Any]:
    """`nodes.json`: what was asked, totals, groups, and every node. Amounts in scheduler units."""
    rows = in_order(groups)
    return {
        "asked": {"group": asked.group, "shade": asked.shade, "sort": asked.sort, "q": asked.q},
        "total": _sums(all_nodes, rows),
        "groups": [_group(all_nodes, one) for one in groups],
        "nodes": [_node(all_nodes, row) for row in rows.tolist()],
    }


def _sums(all_nodes: Fleet, rows: Rows) -> dict[str, Any]:
    used = all_nodes.used
    return {
        "nodes": len(rows),
        "allocatable": {name: int(used.allocatable[name][rows].sum()) for name in all_nodes.resources},
        "requested": {name: int(used.requested[name][rows].sum()) for name in all_nodes.resources},
    }


def _group(all_nodes: Fleet, group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        **_sums(all_nodes, group.rows),
        "groups": [_group(all_nodes, one) for one in group.inner],
    }


def _node(all_nodes: Fleet, row: int) -> dict[str, Any]:
    node = all_nodes.rows.objects[row]
    sums = _sums(all_nodes, np.array([row]))
    del sums["nodes"]
    labels = dict(node.labels) if node else {}
    facts = all_nodes.rows.facts[row]
    return {"name": all_nodes.names[row], "state": facts.state, "labels": labels, "taints": facts.taints, **sums}
