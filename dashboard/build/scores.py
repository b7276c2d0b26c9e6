"""The score matrix as rows for the heatmap: best first, and binned by rank where there are too many to draw singly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.payloads.cycle import ScoreRows
from scheduler.engine.framework import Int64Array

SINGLE_ROWS = 500  # as many rows are drawn singly
TOP_ROWS = 50  # beyond that these stay single

Columns = Sequence[Int64Array | None]
"""A layer: one array over the feasible nodes an algorithm, None for one that did not score."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What is known of the feasible nodes at some phase. `names`, `zones`: in the order found."""

    names: Sequence[str]
    zones: Sequence[str]
    raw: Columns
    normalized: Columns
    weighted: Columns
    totals: Int64Array | None = None
    winner: int | None = None  # index into names
    failed: Sequence[Mapping[int, str]] = ()  # by algorithm: index into names → what its map said


def score_rows(scores: Scores) -> ScoreRows:
    order = row_order(scores)
    starts, sizes = row_bins(len(order))
    bins = list(zip(starts.tolist(), sizes.tolist(), strict=True))

    def column(values: Int64Array | None) -> list[int] | None:
        return None if values is None else bin_means(values[order], starts, sizes).tolist()

    totals = column(scores.totals)
    return {
        "names": [scores.names[order[at]] if size == 1 else f"{at + 1}–{at + size}" for at, size in bins],
        "zones": [scores.zones[order[at]] if size == 1 else "" for at, size in bins],
        "raw": _layer(column, scores.raw),
        "normalized": _layer(column, scores.normalized),
        "weighted": _layer(column, scores.weighted),
        "failed": [_failed(cells, order, starts) for cells in scores.failed or [{}] * len(scores.raw)],
        "totals": totals,
        "rank": None if scores.totals is None else ranks(scores.totals[order])[starts].tolist(),
        "bins": sizes.tolist(),
    }


def found_rows(scores: Scores, search: str, limit: int) -> ScoreRows:
    """The best `limit` nodes of which the name has `search` in it, each a row of its own, with their rank among all."""
    order = row_order(scores)
    needle = search.casefold()
    places = [at for at, row in enumerate(order.tolist()) if needle in scores.names[row].casefold()][:limit]
    picked = order[places]

    def column(values: Int64Array | None) -> list[int] | None:
        return None if values is None else values[picked].tolist()

    return {
        "names": [scores.names[row] for row in picked.tolist()],
        "zones": [scores.zones[row] for row in picked.tolist()],
        "raw": _layer(column, scores.raw),
        "normalized": _layer(column, scores.normalized),
        "weighted": _layer(column, scores.weighted),
        "failed": [[cells.get(row) for row in picked.tolist()] if cells else None for cells in scores.failed],
        "totals": column(scores.totals),
        "rank": None if scores.totals is None else ranks(scores.totals[order])[places].tolist(),
        "bins": [1] * len(places),
    }


def _layer(column: Any, layer: Columns) -> Any:
    return [column(values) for values in layer]


def _failed(cells: Mapping[int, str], order: NDArray[np.intp], starts: NDArray[np.intp]) -> list[str | None] | None:
    """The errors of an algorithm by row; of a binned row the one of its first node."""
    if not cells:
        return None
    row: list[str | None] = [None] * len(starts)
    rank = np.argsort(order)
    for position, place in sorted((int(rank[place]), place) for place in cells):
        at = int(starts.searchsorted(position, "right")) - 1
        row[at] = row[at] or cells[place]
    return row


def row_order(scores: Scores) -> NDArray[np.intp]:
    """Highest total first, the winner before those it is tied with, otherwise in the order found."""
    count = len(scores.names)
    if scores.totals is None:
        return np.arange(count)
    behind = np.ones(count, np.int8)
    if scores.winner is not None:
        behind[scores.winner] = 0
    return np.lexsort((behind, -scores.totals))


def row_bins(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(first, size) of each row: single up to SINGLE_ROWS nodes, else the top single and the rest in even bins."""
    if count <= SINGLE_ROWS:
        return np.arange(count), np.ones(count, np.intp)
    tail = np.linspace(TOP_ROWS, count, SINGLE_ROWS - TOP_ROWS + 1).astype(np.intp)
    starts = np.concatenate((np.arange(TOP_ROWS), tail[:-1]))
    return starts, np.diff(np.append(starts, count))


def bin_means(values: Int64Array, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> Int64Array:
    """Means rounded to whole numbers; single rows keep their exact value."""
    if len(starts) == len(values):
        return values
    sums = np.add.reduceat(values, starts)
    return np.where(sizes == 1, sums, np.rint(sums / sizes)).astype(np.int64)


def ranks(descending: Int64Array) -> Int64Array:
    """1-based; equal totals share the rank of the first of them."""
    fresh = np.append(True, descending[1:] != descending[:-1])[: len(descending)]
    return np.maximum.accumulate(np.where(fresh, np.arange(1, len(descending) + 1), 0))
