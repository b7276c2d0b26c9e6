"""Every node of an attempt as a plain table for export."""

from collections.abc import Iterator
from typing import Any

from dashboard.build.why.columns import FEASIBLE, REFUSED, Columns
from dashboard.build.why.evidence import Evidence
from scheduler.engine.explain.why.room import Room
from scheduler.engine.values.quantity import format_amount

VERDICTS = {FEASIBLE: "feasible", REFUSED: "refused"}


def node_table(found: Evidence | None) -> Iterator[list[Any]]:
    """A head, then a line a node in the order of the page."""
    table = found.columns if found is not None else None
    if table is None:
        yield ["node"]
        return
    heads = [f"{one.resource} {what}" for one in table.rooms for what in ("free", "allocatable", "short by")]
    yield ["node", "zone", "instance type", "verdict", "total", "distance", *heads, "reasons"]
    for row in table.order:
        yield _line(table, row)


def _line(table: Columns, row: int) -> list[Any]:
    total = (table.totals or {}).get(row, "")
    verdict = VERDICTS.get(int(table.verdicts[row]), "not looked at")
    amounts = [text for one in table.rooms for text in _amounts(one, row)]
    said = "; ".join(table.reasons[number][1] for number in table.of[row])
    return [table.names[row], table.zones[row], table.types[row], verdict, total, table.distance[row], *amounts, said]


def _amounts(room: Room, row: int) -> list[str]:
    amounts = (int(room.free[row]), int(room.allocatable[row]), int(room.missing[row]))
    return [format_amount(room.resource, amount) for amount in amounts]
