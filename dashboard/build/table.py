"""The score matrix as a plain table for export: a head and one line a node, best first, every layer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dashboard.build.attempt import Attempt
from dashboard.build.scores import Scores, ranks, row_order
from scheduler.engine.cluster.node_tree import zone_of


def score_table(made: Attempt) -> Iterator[list[Any]]:
    names = [name for name in made.names if name in made.raw] if made.shows("Map") else []
    layers = ("raw", "normalized", "weighted")
    yield ["rank", "node", "zone", "total", *(f"{name} {layer}" for name in names for layer in layers)]
    nodes = made.cycle.snapshot.columns.nodes
    zones = [zone_of(nodes[row]) for row in made.cycle.feasible.tolist()]
    totals = made.scores.totals if made.scores is not None else None
    winner = made.scores.winner if made.scores is not None else None
    order = row_order(Scores(made.feasible_names, zones, [], [], [], totals, winner))
    rank = ranks(np.sort(totals)[::-1]).tolist() if totals is not None else []
    for line, at in enumerate(order.tolist()):
        total = int(totals[at]) if totals is not None else ""
        cells = [value for name in names for value in _cells(made, name, at)]
        yield [rank[line] if rank else "", made.feasible_names[at], zones[at], total, *cells]


def _cells(made: Attempt, name: str, at: int) -> list[Any]:
    if at in made.errors.cells.get(name, ()):
        return ["failed", "", ""]
    raw = int(made.raw[name][at])
    if not made.shows("Reduce"):
        return [raw, "", ""]
    if name not in made.normalized:
        return [raw, "failed", ""]
    normalized = int(made.normalized[name][at])
    return [raw, normalized, normalized * made.weight(name)]
