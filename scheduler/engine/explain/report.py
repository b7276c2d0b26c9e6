"""An attempt as plain data, in the shape of the reference vectors: what `manage.py conformance` and `explain` print.

The keys and their meaning are those that a recording of the real kube-scheduler has; names of nodes are spelled out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.fit_error import event_note
from scheduler.engine.cycle.outcome import NO_NODES, refusal_message
from scheduler.engine.explain.trace import NOT_EVALUATED
from scheduler.engine.framework import Status
from scheduler.engine.values.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS, node_allocatable

Data = dict[str, Any]


def cycle_report(cycle: Cycle, cluster: ClusterState, *, compact: bool = False) -> Data:
    """Everything about a finished attempt. `compact` leaves out node sums, other failures and the weighted layer."""
    decision = cycle.decision
    assert decision is not None, "report of an unfinished cycle"
    report: Data = {"pod": cycle.pod.key, "priority": cycle.pod.priority, "best": [], "feasible": _feasible(cycle)}
    if not compact:
        report["node_info"] = {info.name: node_sums(info) for info in cluster}
        report["pod_requests"] = pod_sums(cycle.pod)
    if decision.message == NO_NODES:
        return report | {"fit_error": decision.message}
    report |= _filters(cycle, compact)
    if cycle.error:
        return report | {"error": cycle.error}
    return report | (_scores(cycle, compact) if report["feasible"] else _refusal(cycle, decision))


def gated_report(pod: PodInfo, status: Status) -> Data:
    """A pod that PreEnqueue holds back: nothing else happens to it."""
    return {
        "pod": pod.key,
        "priority": pod.priority,
        "gated": {"plugin": status.plugin, "reasons": list(status.reasons)},
    }


def _feasible(cycle: Cycle) -> list[str]:
    return sorted(cycle.snapshot.names[row] for row in cycle.feasible.tolist())


# --- sums -------------------------------------------------------------------------------------------------------------


def _amounts(amounts: Mapping[str, int], **more: int) -> Data:
    scalar = {name: amount for name, amount in amounts.items() if name not in (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)}
    return {
        "milli_cpu": amounts.get(CPU, 0),
        "memory": amounts.get(MEMORY, 0),
        "ephemeral_storage": amounts.get(EPHEMERAL_STORAGE, 0),
        "scalar": scalar,
        **more,
    }


def _total(parts: list[tuple[tuple[str, int], ...]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, amount in part:
            total[name] = total.get(name, 0) + amount
    return total


def node_sums(info: NodeInfo) -> Data:
    """What a node offers and what the pods on it add up to."""
    assert info.node is not None
    allocatable = node_allocatable(info.node)
    nonzero = _total([pod.nonzero for pod in info.pods])
    return {
        "allocatable": _amounts(allocatable, pods=allocatable.get(PODS, 0)),
        "requested": _amounts(_total([pod.requested for pod in info.pods])),
        "nonzero_requested": {"milli_cpu": nonzero.get(CPU, 0), "memory": nonzero.get(MEMORY, 0)},
        "pods": len(info.pods),
    }


def pod_sums(pod: PodInfo) -> Data:
    nonzero = dict(pod.nonzero)
    return _amounts(dict(pod.requested), nonzero_milli_cpu=nonzero[CPU], nonzero_memory=nonzero[MEMORY])


# --- filters ----------------------------------------------------------------------------------------------------------


def _filters(cycle: Cycle, compact: bool) -> Data:
    status, diagnosis = cycle.pre_filter_status, cycle.trace.diagnosis
    return {
        "prefilter": {
            "code": status.code.label,
            "plugin": status.plugin,
            "reasons": list(status.reasons),
            "skipped": sorted(cycle.skipped_filters),
            "node_names": _narrowed_to(cycle),
            "restricting_plugins": sorted(cycle.narrowed_by),
        },
        "rejected": _rejected(cycle, compact),
        "unschedulable_plugins": list(diagnosis.unschedulable_plugins),
        "pending_plugins": list(diagnosis.pending_plugins),
    }


def _narrowed_to(cycle: Cycle) -> list[str] | None:
    if cycle.node_names is None or cycle.pre_filter_status.is_rejected:
        return None
    return sorted(cycle.node_names)


def _rejected(cycle: Cycle, compact: bool) -> Data:
    names, trace = cycle.snapshot.names, cycle.trace
    rejected = {names[row]: _rejection(cycle, row, status, compact) for row, status in trace.first_failures.items()}
    unseen = {"plugin": "", "code": NOT_EVALUATED, "reasons": []}
    return rejected | {names[row]: unseen for row in trace.not_evaluated.tolist()}


def _rejection(cycle: Cycle, row: int, status: Status, compact: bool) -> Data:
    rejection = _status(status)
    failures = [] if compact else cycle.trace.all_failures(row)
    if len(failures) > 1:
        rejection["all_failures"] = [_status(failure) for failure in failures]
    return rejection


def _status(status: Status) -> Data:
    return {"plugin": status.plugin, "code": status.code.label, "reasons": list(status.reasons)}


# --- ends -------------------------------------------------------------------------------------------------------------


def _scores(cycle: Cycle, compact: bool) -> Data:
    scores, names = cycle.trace.scores, cycle.trace.feasible
    if scores is None:
        return {"best": sorted(names), "scoring_bypassed": True}
    columns = {
        name: {
            "weight": scores.weights[name],
            "raw": dict(zip(names, scores.raw[name].tolist(), strict=True)),
            "normalized": dict(zip(names, scores.normalized[name].tolist(), strict=True)),
        }
        for name in scores.raw
    }
    for name, column in columns.items():
        if not compact:
            column["weighted"] = dict(zip(names, scores.weighted(name).tolist(), strict=True))
    return {
        "prescore_skipped": sorted(cycle.skipped_scores),
        "scores": columns,
        "totals": dict(zip(names, scores.totals.tolist(), strict=True)),
        "best": sorted(names[place] for place in scores.tied.tolist()),
        "scoring_bypassed": cycle.trace.scoring_bypassed,
    }


def _refusal(cycle: Cycle, decision: Decision) -> Data:
    report = {
        "fit_error": decision.message,
        "fit_error_without_postfilter": refusal_message(cycle, cycle.trace.diagnosis, post_filter=False),
    }
    if event_note(decision.message) != decision.message:
        report["event_message"] = event_note(decision.message)
    return report | ({"preemption": preemption_report(cycle)} if cycle.post_filter_result else {})


def preemption_report(cycle: Cycle) -> Data:
    """The PostFilter phase. An algorithm that keeps a record adds to it by `details.report()`."""
    result = cycle.post_filter_result
    assert result is not None
    details = result.details.report() if hasattr(result.details, "report") else {}
    return {
        "code": result.status.code.label,
        "message": result.status.message,
        "nominated_node": result.nominated_node,
        **details,
    }
