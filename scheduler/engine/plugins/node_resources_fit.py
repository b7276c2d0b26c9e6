"""Does the pod fit into what is left of a node, and how full would it be? Source: v1.34.1 plugins/noderesources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from scheduler.engine.arithmetic.allocation import DEFAULT_RESOURCES, Allocation, ResourceSpec, allocations
from scheduler.engine.arithmetic.strategies import (
    broken_line,
    least_allocated,
    most_allocated,
    ratio_mean,
    weighted_mean,
)
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.room import ask_for_less, less_on_more_pods, more_pods
from scheduler.engine.framework import (
    PASSED,
    SUCCESS,
    BoolArray,
    Code,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    error,
)
from scheduler.engine.values.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS, is_extended_resource

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

_BASIC = (CPU, MEMORY, EPHEMERAL_STORAGE)


class UtilizationShapePoint(msgspec.Struct, frozen=True):
    """`score` from 0 to 10 at `utilization` per cent."""

    utilization: int = 0
    score: int = 0


class RequestedToCapacityRatioParam(msgspec.Struct, frozen=True):
    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategy(msgspec.Struct, frozen=True, rename="camel"):
    type: Literal["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"] = "LeastAllocated"
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None


class NodeResourcesFitArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`ignored_resources` and `ignored_resource_groups` (prefix before "/"): extended ones that Filter passes over."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy()


class NodeResourcesFit(Plugin):
    name = "NodeResourcesFit"
    weight = 1
    Args = NodeResourcesFitArgs
    filter_reads = "columns"
    score_reads = "columns"

    def __init__(self, args: NodeResourcesFitArgs | None = None) -> None:
        super().__init__(args)
        strategy: ScoringStrategy = self.args.scoring_strategy
        self.resources = strategy.resources or DEFAULT_RESOURCES
        ratio = strategy.requested_to_capacity_ratio
        self.shape = tuple((point.utilization, point.score * 10) for point in ratio.shape) if ratio else ()
        self.type = strategy.type

    def shape_key(self, pod: PodInfo) -> tuple[object, ...]:
        return (*pod.shape.requests.items(), None, *pod.shape.scoring_requests.items())

    # --- Filter -------------------------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        return PASSED

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error('error reading "PreFilterNodeResourcesFit" from cycleState: not found')

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        """Each shortage is a bit; the distinct sets of shortages become the statuses."""
        columns = nodes.columns
        full = nodes.take(columns[("requested", PODS)]) + 1 > nodes.take(columns[("allocatable", PODS)])
        reasons, bits, hopeless = [_reason(PODS)], full.astype(np.int64), np.zeros(len(nodes), np.bool_)
        for name, amount in self.checked(cycle.pod):
            allocatable = nodes.take(columns[("allocatable", name)])
            short = amount > allocatable - nodes.take(columns[("requested", name)])
            if short.any():
                bits |= short.astype(np.int64) << len(reasons)
                hopeless |= amount > allocatable
                reasons.append(_reason(name))
        return _verdict(bits, hopeless, reasons)

    def checked(self, pod: PodInfo) -> list[tuple[str, int]]:
        """What Filter compares: the basic resources that the pod asks for, then its scalar ones by name."""
        requests = pod.shape.requests
        basic = [(name, requests[name]) for name in _BASIC if requests.get(name, 0) > 0]
        scalar = [(name, requests[name]) for name in sorted(requests) if name not in _BASIC and requests[name] != 0]
        return basic + [(name, amount) for name, amount in scalar if not self._ignores(name)]

    def _ignores(self, name: str) -> bool:
        if not is_extended_resource(name):
            return False
        return name in self.args.ignored_resources or name.partition("/")[0] in self.args.ignored_resource_groups

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        columns = cycle.snapshot.columns
        asked = [(PODS, 1), *self.checked(cycle.pod)]
        numbers = [
            (int(columns[("allocatable", name)][row]), int(columns[("requested", name)][row])) for name, _ in asked
        ]
        steps = [
            Step(name, "fits", (amount, allocatable, requested), amount <= allocatable - requested)
            for (name, amount), (allocatable, requested) in zip(asked, numbers, strict=True)
        ]
        return with_verdict(steps, [(name, _reason(name)) for name, _ in asked], every=True)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Ask for as much as there is; or let a node hold one pod more; both where every node needs both."""
        columns = cycle.snapshot.columns
        room = {
            name: (columns[("allocatable", name)] - columns[("requested", name)])[rows] for name in self._names(cycle)
        }
        crowded = room[PODS] < 1
        short = {name: free < cycle.pod.requests[name] for name, free in room.items() if name != PODS}
        lacking = np.logical_or.reduce([np.zeros(len(rows), np.bool_), *short.values()])
        fixes = [
            *ask_for_less(cycle, rows, room, short, lacking & ~crowded),
            *more_pods(cycle, rows[crowded & ~lacking]),
        ]
        return fixes or less_on_more_pods(cycle, rows, room, np.flatnonzero(lacking & crowded))

    def _names(self, cycle: Cycle) -> list[str]:
        return [*(name for name, _ in self.checked(cycle.pod)), PODS]

    # --- Score --------------------------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle) -> Status:
        return SUCCESS

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        found = allocations(nodes, self.resources, cycle.pod.shape.scoring_requests, nonzero=True)
        combine = ratio_mean if self.type == "RequestedToCapacityRatio" else weighted_mean
        return combine([(self._of_resource(one), one.capacity > 0, one.weight) for one in found], len(nodes))

    def _of_resource(self, one: Allocation) -> Int64Array:
        if self.type == "LeastAllocated":
            return least_allocated(one.requested, one.capacity)
        if self.type == "MostAllocated":
            return most_allocated(one.requested, one.capacity)
        return broken_line(one.requested, one.capacity, self.shape)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        nodes = Nodes(cycle.columns, np.array([row], np.int64))
        steps, mean = list[Step](), list[object]()
        for one in allocations(nodes, self.resources, cycle.pod.shape.scoring_requests, nonzero=True):
            if not one.capacity[0]:
                continue
            inputs: tuple[object, ...] = (int(one.requested[0]), int(one.capacity[0]))
            inputs += (self.shape,) if self.type == "RequestedToCapacityRatio" else ()
            steps.append(
                Step(one.name, _OPS[self.type], inputs, int(self._of_resource(one)[0]), "requested of allocatable")
            )
            mean += [one.name, one.weight]
        op = "ratio_mean" if self.type == "RequestedToCapacityRatio" else "weighted_mean"
        return [*steps, Step("score", op, tuple(mean), int(self.score(cycle, nodes)[0]))]


_OPS = {
    "LeastAllocated": "least_allocated",
    "MostAllocated": "most_allocated",
    "RequestedToCapacityRatio": "broken_line",
}


def _reason(resource: str) -> str:
    return "Too many pods" if resource == PODS else f"Insufficient {resource}"


def _verdict(bits: Int64Array, hopeless: BoolArray, reasons: list[str]) -> Verdict:
    """`bits`: which reasons hold; `hopeless`: more is asked for than the node has even when empty."""
    if not bits.any():
        return Verdict(np.zeros(len(bits), np.int16), (SUCCESS,), 0)
    kinds, index = np.unique(bits * 2 + hopeless, return_inverse=True)
    statuses = [_status(int(kind), reasons) for kind in kinds]
    if statuses[0].is_success:
        return Verdict.of(index.astype(np.int16), tuple(statuses))
    return Verdict.of((index + 1).astype(np.int16), (SUCCESS, *statuses))


def _status(kind: int, reasons: list[str]) -> Status:
    found = tuple(reason for place, reason in enumerate(reasons) if kind >> (place + 1) & 1)
    if not found:
        return SUCCESS
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE if kind & 1 else Code.UNSCHEDULABLE, found)
