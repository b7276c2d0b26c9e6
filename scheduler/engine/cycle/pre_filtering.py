"""PreFilter: every algorithm is asked once about the pod. Some leave Filter out, some narrow the nodes, some refuse it.

Source: kube-scheduler v1.34.1 framework/runtime/framework.go, RunPreFilterPlugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import Code, Plugin, Status, unresolvable

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def run_pre_filters(cycle: Cycle) -> None:
    """Ask in order, until one ends it."""
    ended_by = next((one.name for one in cycle.asked.pre_filters if not _ask(cycle, one)), "")
    not_reached = _after(cycle, ended_by) if ended_by else ()
    cycle.skipped_filters += [name for name in cycle.asked.no_filter if name not in not_reached]


def _after(cycle: Cycle, name: str) -> list[str]:
    names = [one.name for one in cycle.at("preFilter")]
    return names[names.index(name) + 1 :]


def _ask(cycle: Cycle, plugin: Plugin) -> bool:
    """Whether the next algorithm is to be asked."""
    result = plugin.pre_filter(cycle)
    code = result.status.code
    if code is Code.SKIP:
        cycle.skipped_filters.append(plugin.name)
    elif code is not Code.SUCCESS and not _note(cycle, plugin.name, result.status):
        return False
    return result.node_names is None or _narrow(cycle, plugin.name, result.node_names)


def _narrow(cycle: Cycle, name: str, names: frozenset[str]) -> bool:
    """Whether any node is left."""
    cycle.narrowed_by.append(name)
    cycle.node_names = names if cycle.node_names is None else cycle.node_names & names
    if not cycle.node_names:
        cycle.pre_filter_status = unresolvable(_nothing_left(cycle.narrowed_by))
    return bool(cycle.node_names)


def _note(cycle: Cycle, name: str, status: Status) -> bool:
    """Take down a refusal or an error; whether the next algorithm is to be asked."""
    cycle.pre_filter_status = Status(status.code, status.reasons, name)
    if not status.is_rejected:
        cycle.fail("PreFilter", f'running PreFilter plugin "{name}": {status.message}')
    return status.code is not Code.UNSCHEDULABLE_AND_UNRESOLVABLE and not cycle.error


def _nothing_left(narrowed_by: list[str]) -> str:
    if len(narrowed_by) == 1:
        return f"node(s) didn't satisfy plugin {narrowed_by[0]}"
    return f"node(s) didn't satisfy plugin(s) [{' '.join(sorted(narrowed_by))}] simultaneously"
