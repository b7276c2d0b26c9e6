"""Map: one algorithm asked about a part of the feasible nodes, or about all of them where it wants the whole list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.score_errors import CellErrors
from scheduler.engine.cycle.unprepared import raw
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Int64Array, Nodes, Plugin

if TYPE_CHECKING:
    from scheduler.engine.cycle.prepared import Scoring


def raw_scores(scoring: Scoring, plugin: Plugin, first: int, last: int, errors: CellErrors | None) -> Int64Array:
    """Raw scores of the feasible nodes first…last-1. Without `errors`, raises the PluginError of an algorithm.

    With them, a range that fails is halved until those that fail stand alone: their cells are 0 and their errors are
    written down, whatever the range was. A whole list fails as a whole.
    """
    try:
        return raw(scoring, plugin, Nodes(scoring.columns, scoring.rows[first:last]))
    except PluginError as problem:
        if errors is None:
            raise
        if last - first > 1 and not plugin.whole_list:
            middle = (first + last) // 2
            halves = (raw_scores(scoring, plugin, *half, errors) for half in ((first, middle), (middle, last)))
            return np.concatenate(list(halves))
        errors.setdefault(plugin.name, {}).update(dict.fromkeys(range(first, last), str(problem)))
        return np.zeros(last - first, np.int64)
