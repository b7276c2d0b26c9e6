"""Why one node passed the filters or did not: every filter of the profile with its verdict and the steps behind it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import waiting_for
from scheduler.engine.cycle.unprepared import explained_filter, verdict
from scheduler.engine.explain.checks import said
from scheduler.engine.framework import SKIP, SUCCESS, Nodes, Plugin, Status, Step

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class FilterCell:
    """`steps`: the last one's result are the reasons of `status`, () where the node passes; [] for a filter that does
    not explain itself, or that PreFilter left out (`status.code` is Skip).

    `nominated`: pods nominated to the node that were counted as if they were there.
    """

    plugin: str
    status: Status
    steps: list[Step]
    nominated: tuple[str, ...] = ()


def explain_filters(cycle: Cycle, row: int) -> list[FilterCell]:
    """Every filter of the profile on one node, also those after the first that refuses it.

    Where PreFilter left the node out, that comes first; where it refused the pod, that is all there is to say.
    To be called after Filter.
    """
    if not cycle.pre_filter_status.is_success:
        return [_of_pre_filter(cycle, row)]
    filters = [_cell(cycle, one, row) for one in cycle.at("filter")]
    recorded = cycle.trace.first_failures.get(row)
    if recorded is not None and not recorded.plugin:
        return [_left_out(cycle, row, recorded), *filters]
    return _with_nominated(cycle, row) or filters


def _with_nominated(cycle: Cycle, row: int) -> list[FilterCell]:
    """What the filters say with the nominated pods there, if that refuses the node: the search asks so first."""
    fuller, waiting = with_nominated(cycle, row), waiting_for(cycle, cycle.snapshot.names[row])
    if fuller is None:
        return []
    cells = [_cell(fuller, one, row, tuple(pod.key for pod in waiting)) for one in cycle.at("filter")]
    return cells if any(cell.status.reasons for cell in cells) else []


def with_nominated(cycle: Cycle, row: int) -> Cycle | None:
    """The attempt with the pods nominated to a node placed on it; None where there are none, or no filter ran."""
    waiting = waiting_for(cycle, cycle.snapshot.names[row]) if cycle.filtered is not None else []
    return cycle.fork({row: waiting}, {}) if waiting else None


def _cell(cycle: Cycle, plugin: Plugin, row: int, nominated: tuple[str, ...] = ()) -> FilterCell:
    if plugin not in cycle.active_filters:
        return FilterCell(plugin.name, SKIP, [])
    found = verdict(cycle, plugin, Nodes(cycle.snapshot.columns, np.array([row], np.int64)))
    status = replace(found.statuses[found.index[0]], plugin=plugin.name) if found.refused else SUCCESS
    return FilterCell(plugin.name, status, explained_filter(cycle, plugin, row), nominated)


def _of_pre_filter(cycle: Cycle, row: int) -> FilterCell:
    """An algorithm that needs no state of its PreFilter may say more than its words."""
    status = cycle.pre_filter_status
    plugin = next((one for one in cycle.at("preFilter") if one.name == status.plugin), None)
    steps = plugin.explain_pre_filter(cycle) if plugin is not None else []
    said_only = said(status.reasons, "PreFilter refused the pod before it looked at any node")
    return FilterCell(status.plugin, status, steps or said_only)


def _left_out(cycle: Cycle, row: int, status: Status) -> FilterCell:
    """PreFilter narrowed the search to nodes that the pod names: this is none of them."""
    names = tuple(sorted(cycle.node_names or ()))
    named = Step("named", "one_of", ((cycle.snapshot.names[row],), names), False, "nodes that the pod names")
    verdict = Step("verdict", "first_reason", ("named", *status.reasons), status.reasons)
    return FilterCell(" + ".join(sorted(cycle.narrowed_by)), status, [named, verdict])
