"""Everything about one attempt that the page of its pod shows, computed once and kept."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.build.attempt import Attempt
from dashboard.build.kept import Kept
from dashboard.build.preemption import preemption
from dashboard.build.records import CycleRecord
from dashboard.build.sentence import sentence
from dashboard.build.source import attempt_of
from dashboard.build.why.columns import REFUSED, Columns, columns
from dashboard.build.why.free import free_chart
from dashboard.payloads.preemption import PreemptionView
from dashboard.payloads.why import FreeChart, WhyResource
from scheduler.engine.explain.reserved import told_kept
from scheduler.engine.explain.why import Cause, cause
from scheduler.engine.explain.why.hindrances import hindrances, union
from scheduler.engine.explain.why.room import Room
from scheduler.engine.framework import BoolArray
from scheduler.engine.values.quantity import format_compared
from scheduler.models import Cluster

KEPT = 12


@dataclass(frozen=True, slots=True)
class Evidence:
    """`cause`: None unless the attempt was refused. `told`: the cycle's own sentence. `lost`: why it cannot be computed
    again, then the rest is empty. `printed`: what the message counts, by reason.
    `kept`: which free room is not to be had.
    """

    told: str
    lost: str
    cause: Cause | None
    columns: Columns | None
    printed: dict[str, int]
    resources: list[WhyResource]
    free: FreeChart | None
    preemption: PreemptionView | None
    kept: str = ""


_kept: Kept[tuple[Any, ...], Evidence] = Kept(KEPT)


def evidence(cluster: Cluster, record: CycleRecord) -> Evidence:
    """Shared: read only."""
    key = (cluster.pk, cluster.created, record.popped_seq, record.phase, record.finished_seq)
    if found := _kept.get(key):
        return found
    with attempt_of(cluster, record) as made:
        return _kept.put(key, _evidence(made))


def _evidence(made: Attempt) -> Evidence:
    if made.lost or not made.shows("Filter") or _passed_over(made.record):
        return Evidence(sentence(made), made.lost, None, None, {}, [], None, None)
    table, decision = columns(made), made.record.decision
    refused = decision is not None and decision.outcome == "unschedulable"
    why = cause(made.cycle) if refused else None
    usable = _usable(made)
    scarce = next((one for one in table.rooms if why is not None and one.resource == why.resource), None)
    return Evidence(
        sentence(made),
        "",
        why,
        table,
        made.trace.diagnosis.reasons(),
        [_resource(one, usable, made.trace.names) for one in table.rooms],
        free_chart(scarce, usable) if scarce is not None else None,
        preemption(made),
        told_kept(made.trace.names, table.kept),
    )


def _passed_over(record: CycleRecord) -> bool:
    """Whether the scheduler took the pod and let it go without a look at any node, as one that is being deleted."""
    decision = record.decision
    return decision is not None and decision.outcome == "error" and not decision.node_count


def _usable(made: Attempt) -> BoolArray:
    """Nodes that no label, taint or cordon closes to the pod; all where there is none."""
    size = len(made.trace.names)
    usable: BoolArray = ~union([one for one in hindrances(made.cycle) if one.closes], size)
    return usable if usable.any() else np.ones(size, np.bool_)


def _resource(room: Room, usable: BoolArray, names: list[str]) -> WhyResource:
    best, most = room.largest(usable) if usable.any() else (-1, 0)
    whole, total = int(room.allocatable[usable].max(initial=0)), int(room.free[usable].sum())
    texts = format_compared(room.resource, room.asked, most, whole, total)
    return {
        "name": room.resource,
        "asked": room.asked,
        "text": texts[0] if room.asked > most else format_compared(room.resource, room.asked)[0],
        "usable": int(usable.sum()),
        "enough": int((~room.short & usable).sum()),
        "largest": texts[1],
        "node": names[best] if best >= 0 else "",
        "whole": texts[2],
        "total": texts[3],
    }


def refused_count(found: Evidence) -> int:
    return int((found.columns.verdicts == REFUSED).sum()) if found.columns is not None else 0
