"""Taints keep pods away that do not tolerate them, or put them off. Source: v1.34.1 plugins/tainttoleration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.explain.scales import default_scale
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.near import is_open_by_nature
from scheduler.engine.fixes.taints import tolerate_or_remove
from scheduler.engine.framework import (
    SUCCESS,
    Int64Array,
    Nodes,
    Plugin,
    Status,
    Step,
    Verdict,
    default_normalize,
    error,
    unresolvable,
)
from scheduler.engine.objects import Taint, Toleration
from scheduler.engine.values.taints import (
    HARD_EFFECTS,
    first_untolerated,
    is_tolerated,
    plain,
    prefer_no_schedule_untolerated,
)

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring


class TaintToleration(Plugin):
    name = "TaintToleration"
    weight = 3
    filter_reads = "node"
    score_reads = "node"
    lower_is_better = True

    def shape_key(self, pod: PodInfo) -> bytes:
        return pod.shape.tolerations_key

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        sets = nodes.take(nodes.columns[("taints",)])
        statuses, table = [SUCCESS], np.zeros(len(nodes.columns.taint_sets), np.int16)
        for number in np.unique(sets).tolist():
            untolerated = first_untolerated(nodes.columns.taint_sets.values[number], _tolerations(cycle.pod))
            if untolerated is not None:
                table[number] = len(statuses)
                statuses.append(_refusal(untolerated))
        return Verdict.of(table[sets], tuple(statuses))

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Taints of other effects keep nobody away."""
        columns, tolerations = cycle.snapshot.columns, _tolerations(cycle.pod)
        taints = columns.taint_sets.values[int(columns[("taints",)][row])]
        hard = dict.fromkeys(taint for taint in taints if taint.effect in HARD_EFFECTS)
        steps = [
            Step(
                _text(taint),
                "tolerated",
                ((taint.key, taint.value or "", taint.effect), plain(tolerations)),
                is_tolerated(taint, tolerations),
            )
            for taint in hard
        ]
        return with_verdict(steps, [(_text(taint), _refusal(taint).message) for taint in hard])

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Tolerate the taints of the fewest and most common sort, or take them off a node."""
        columns, tolerations = cycle.snapshot.columns, _tolerations(cycle.pod)
        sets = columns[("taints",)][rows]
        numbers, firsts, counts = np.unique(sets, return_index=True, return_counts=True)
        found = []
        for number, first, count in zip(numbers.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            taints = [one for one in columns.taint_sets.values[number] if one.effect in HARD_EFFECTS]
            untolerated = [one for one in taints if not is_tolerated(one, tolerations)]
            found.append((untolerated, count, columns.nodes[int(rows[first])]))
        return tolerate_or_remove(cycle.pod.pod, found, has_others=bool(is_open_by_nature(cycle).any()))

    def pre_score(self, cycle: Cycle) -> Status:
        return SUCCESS

    def without_pre_score(self, cycle: Cycle) -> Status:
        return error('failed to read "PreScoreTaintToleration" from cycleState: not found')

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        sets = nodes.take(nodes.columns[("taints",)])
        table = np.zeros(len(nodes.columns.taint_sets), np.int64)
        for number in np.unique(sets).tolist():
            taints = nodes.columns.taint_sets.values[number]
            table[number] = prefer_no_schedule_untolerated(taints, _tolerations(cycle.pod))
        scores: Int64Array = table[sets]
        return scores

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        return default_normalize(scores, reverse=True)

    def explain_normalize(self, cycle: Scoring, scores: Int64Array, place: int) -> list[Step]:
        return default_scale(scores, place, reverse=True)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        taints = cycle.columns.taint_sets.values[int(cycle.columns[("taints",)][row])]
        steps = [
            Step(_text(taint), "value", (count,), count, "PreferNoSchedule, not tolerated" if count else "no matter")
            for taint in taints
            for count in [prefer_no_schedule_untolerated([taint], _tolerations(cycle.pod))]
        ]
        total = sum(step.result for step in steps)
        return [*steps, Step("score", "sum", tuple(step.result for step in steps), total)]


def _tolerations(pod: PodInfo) -> list[Toleration]:
    return pod.pod.spec.tolerations or []


def _refusal(taint: Taint) -> Status:
    return unresolvable(f"node(s) had untolerated taint {{{taint.key}: {taint.value or ''}}}")


def _text(taint: Taint) -> str:
    """As kubectl prints it."""
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"
