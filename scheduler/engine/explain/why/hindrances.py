"""What keeps a pod away: every filter, every resource of NodeResourcesFit apart, with all the nodes that it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import Filtered
from scheduler.engine.framework import BoolArray, Verdict
from scheduler.engine.objects import Taint
from scheduler.engine.values.requests import PODS
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, first_untolerated

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

FIT = "NodeResourcesFit"
NOMINATED = "nominated"
"""In place of a plugin: the node would pass, were it not for pods that are nominated there."""
NO_LABEL = "node(s) didn't match pod topology spread constraints (missing required label)"
_CLOSING = ("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "VolumeZone", "VolumeBinding")
_APART = (FIT, "InterPodAffinity", "PodTopologySpread", "VolumeBinding")
_MOST_COMBINED = 4


@dataclass(frozen=True, slots=True)
class Hindrance:
    """`rows`: bool over all rows of the snapshot. `resource`: of NodeResourcesFit what is short, else "".

    `reason`: as kube-scheduler prints it; "" where one plugin has several (taints).
    """

    plugin: str
    reason: str
    rows: BoolArray
    resource: str = ""

    @property
    def closes(self) -> bool:
        """Whether it is of the node's own kind (labels, taints, zones) and not of what is on it at the moment."""
        return is_closing(self.plugin, self.reason)


def is_closing(plugin: str, reason: str) -> bool:
    return plugin in _CLOSING or reason == NO_LABEL


def hindrances(cycle: Cycle) -> list[Hindrance]:
    """In the order of the filters; [] where PreFilter refused the pod, so that no filter can be asked."""
    if not cycle.pre_filter_status.is_success or cycle.failed_phase == "PreFilter":
        return []
    everywhere = cycle.trace.everywhere
    found = [one for plugin, verdict in everywhere.verdicts.items() for one in _of(plugin, verdict)]
    return [*_cordoned_once(cycle, found), *_nominated(everywhere)]


def _of(plugin: str, verdict: Verdict) -> Iterator[Hindrance]:
    if not verdict.refused:
        return
    if plugin not in _APART:
        reasons = {
            reason for number in np.unique(verdict.index).tolist() for reason in verdict.statuses[number].reasons
        }
        yield Hindrance(plugin, reasons.pop() if len(reasons) == 1 else "", verdict.index != 0)
        return
    for reason in dict.fromkeys(reason for one in verdict.statuses[1:] for reason in one.reasons):
        numbers = [number for number, one in enumerate(verdict.statuses) if number and reason in one.reasons]
        rows = np.isin(verdict.index, numbers)
        if rows.any():
            yield Hindrance(plugin, reason, rows, _resource(reason) if plugin == FIT else "")


def _cordoned_once(cycle: Cycle, found: list[Hindrance]) -> Iterator[Hindrance]:
    """A cordoned node has a taint that says the same: it is not told twice."""
    cordoned = next((one.rows for one in found if one.plugin == "NodeUnschedulable"), None)
    for one in found:
        if one.plugin == "TaintToleration" and cordoned is not None:
            one = replace(one, rows=one.rows & ~(cordoned & ~_tainted_otherwise(cycle)))
        if one.rows.any():
            yield one


def _tainted_otherwise(cycle: Cycle) -> BoolArray:
    columns, tolerations = cycle.snapshot.columns, cycle.pod.pod.spec.tolerations or []
    sets = columns.taint_sets.values
    table = np.array([first_untolerated(besides_cordon(taints), tolerations) is not None for taints in sets], np.bool_)
    rows: BoolArray = table[columns[("taints",)]]
    return rows


def besides_cordon(taints: Sequence[Taint]) -> list[Taint]:
    return [taint for taint in taints if taint.key != UNSCHEDULABLE_TAINT.key]


def _resource(reason: str) -> str:
    return PODS if reason == "Too many pods" else reason.removeprefix("Insufficient ")


def _nominated(filtered: Filtered) -> Iterator[Hindrance]:
    rows = np.zeros(len(filtered.rows), np.bool_)
    rows[list(filtered.with_nominated)] = True
    for verdict in filtered.verdicts.values():
        rows &= verdict.index == 0
    if rows.any():
        yield Hindrance(NOMINATED, "", rows)


def union(found: list[Hindrance], size: int) -> BoolArray:
    rows = np.zeros(size, np.bool_)
    for one in found:
        rows |= one.rows
    return rows


def alone(found: list[Hindrance], over: BoolArray) -> list[Hindrance]:
    """Those that keep the pod off all of these rows by themselves."""
    return [one for one in found if one.rows[over].all()]


def cover(found: list[Hindrance], over: BoolArray) -> list[Hindrance]:
    """The fewest that together keep the pod off all of these rows; of equally few, those that refuse most of them.

    Each is needed: without it some row would pass. [] if all together do not.
    """
    found = sorted((one for one in found if one.rows[over].any()), key=lambda one: -int(one.rows[over].sum()))
    if not union(found, len(over))[over].all():
        return []
    for size in range(1, min(len(found), _MOST_COMBINED) + 1):
        for group in combinations(found, size):
            if union(list(group), len(over))[over].all():
                return list(group)
    return _needed(found, over)


def _needed(found: list[Hindrance], over: BoolArray) -> list[Hindrance]:
    """Of many, those that are left when every one that is not needed is dropped, the least first."""
    kept = list(found)
    for one in reversed(found):
        rest = [other for other in kept if other is not one]
        if union(rest, len(over))[over].all():
            kept = rest
    return kept
