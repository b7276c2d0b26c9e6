"""The scale of scores, and the usual way to bring a row to it."""

from __future__ import annotations

import numpy as np

from scheduler.engine.framework.arrays import Int64Array

MAX_NODE_SCORE = 100


def default_normalize(scores: Int64Array, *, reverse: bool = False) -> Int64Array:
    """DefaultNormalizeScore: 100 for the highest raw score; `reverse` turns the scale round. All 0 stays (or is) best.

    `scores`: int64, none negative.
    """
    highest = int(scores.max(initial=0))
    if highest == 0:
        return np.full(len(scores), MAX_NODE_SCORE, np.int64) if reverse else scores
    scaled = scores * MAX_NODE_SCORE // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled
