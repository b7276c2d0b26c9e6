"""Prefers nodes whose resources would be used evenly. Source: v1.34.1 plugins/noderesources/balanced_allocation.go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic.allocation import DEFAULT_RESOURCES, Allocation, ResourceSpec, allocations
from scheduler.engine.framework import MAX_NODE_SCORE, SKIP, SUCCESS, Int64Array, Nodes, Plugin, Status, Step

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

Float64Array = NDArray[np.float64]


class NodeResourcesBalancedAllocationArgs(msgspec.Struct, frozen=True):
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES


class NodeResourcesBalancedAllocation(Plugin):
    name = "NodeResourcesBalancedAllocation"
    weight = 1
    Args = NodeResourcesBalancedAllocationArgs
    score_reads = "columns"

    def __init__(self, args: NodeResourcesBalancedAllocationArgs | None = None) -> None:
        super().__init__(args)
        self.resources = self.args.resources or DEFAULT_RESOURCES

    def shape_key(self, pod: PodInfo) -> tuple[tuple[str, int], ...]:
        return tuple(pod.shape.requests.items())

    def pre_score(self, cycle: Cycle) -> Status:
        return SUCCESS if any(cycle.pod.shape.requests.get(one.name, 0) for one in self.resources) else SKIP

    def without_pre_score(self, cycle: Cycle) -> Status:
        return self.pre_score(cycle)

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        found = allocations(nodes, self.resources, cycle.pod.shape.requests, nonzero=False)
        return ((1 - _deviation(found, len(nodes))) * float(MAX_NODE_SCORE)).astype(np.int64)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        nodes = Nodes(cycle.columns, np.array([row], np.int64))
        found = allocations(nodes, self.resources, cycle.pod.shape.requests, nonzero=False)
        steps = [
            Step(one.name, "fraction", (int(one.requested[0]), int(one.capacity[0])), float(_fraction(one)[0]))
            for one in found
            if one.capacity[0]
        ]
        deviation = float(_deviation(found, 1)[0])
        return [
            *steps,
            Step("deviation", "deviation", tuple(step.name for step in steps), deviation, "standard deviation"),
            Step("score", "evenness", ("deviation",), int((1 - deviation) * float(MAX_NODE_SCORE))),
        ]


def _fraction(one: Allocation) -> Float64Array:
    """Requested of allocatable, at most 1."""
    return np.minimum(1.0, one.requested / np.maximum(one.capacity, 1))


def _deviation(found: list[Allocation], size: int) -> Float64Array:
    """Standard deviation of the fractions of the resources that each node has, in the original's order of steps."""
    counts, total = np.zeros(size, np.int64), np.zeros(size)
    fractions = [(_fraction(one), one.capacity > 0) for one in found]
    for fraction, has in fractions:
        counts += has
        total += np.where(has, fraction, 0.0)
    mean, squares, pair = total / np.maximum(counts, 1), np.zeros(size), np.zeros(size)
    for fraction, has in fractions:
        squares += np.where(has, (fraction - mean) * (fraction - mean), 0.0)
        pair = np.where(has, fraction - pair, pair)
    spread = np.sqrt(squares / np.maximum(counts, 1))
    return np.where(counts == 2, np.abs(pair / 2), np.where(counts > 2, spread, 0.0))
