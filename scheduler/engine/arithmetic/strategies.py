"""Formulas of resource scoring, on arrays and with Go's arithmetic: truncating division, halves away from zero.

Source: kube-scheduler v1.34.1 plugins/noderesources/{least_allocated,most_allocated,requested_to_capacity_ratio}.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from scheduler.engine.framework import MAX_NODE_SCORE, BoolArray, Int64Array

Weighted: TypeAlias = Sequence[tuple[Int64Array, BoolArray, int]]
"""(scores, on which nodes the resource counts, weight) per resource."""


def least_allocated(requested: Int64Array, capacity: Int64Array) -> Int64Array:
    """Share that stays free, 0…100; 0 if the pod would not fit. Where capacity is 0 the result means nothing."""
    free: Int64Array = np.maximum(capacity - requested, 0)
    return free * MAX_NODE_SCORE // np.maximum(capacity, 1)


def most_allocated(requested: Int64Array, capacity: Int64Array) -> Int64Array:
    """Share that is taken, 0…100."""
    return np.minimum(requested, capacity) * MAX_NODE_SCORE // np.maximum(capacity, 1)


def broken_line(requested: Int64Array, capacity: Int64Array, shape: Sequence[tuple[int, int]]) -> Int64Array:
    """The score at a utilisation in per cent, on a line through points (utilisation, score)."""
    used = np.where(requested > capacity, MAX_NODE_SCORE, requested * MAX_NODE_SCORE // np.maximum(capacity, 1))
    scores = np.full(len(used), shape[-1][1], np.int64)
    for (low, at_low), (high, at_high) in reversed(list(pairwise(shape))):
        rise = (at_high - at_low) * (used - low)
        between = at_low + np.sign(rise) * (np.abs(rise) // (high - low))
        scores = np.where(used <= high, between, scores)
    return np.where(used <= shape[0][0], shape[0][1], scores).astype(np.int64)


def weighted_mean(parts: Weighted, size: int) -> Int64Array:
    """Truncating mean over the resources that count; 0 where none does. int64 of shape (size,)."""
    total, weights = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for scores, counts, weight in parts:
        total += scores * counts * weight
        weights += counts * np.int64(weight)
    return total // np.maximum(weights, 1)


def ratio_mean(parts: Weighted, size: int) -> Int64Array:
    """Mean rounded half away from zero over the resources whose score is above 0."""
    total, weights = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for scores, counts, weight in parts:
        positive = counts & (scores > 0)
        total += scores * positive * weight
        weights += positive * np.int64(weight)
    mean = total / np.maximum(weights, 1)
    whole = np.floor(mean)
    return (whole + (mean - whole >= 0.5)).astype(np.int64)
