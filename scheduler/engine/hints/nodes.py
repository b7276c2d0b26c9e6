"""Hints of the algorithms that look at a node by itself. Source: v1.34.1, isSchedulableAfter… of each plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from scheduler.engine.errors import Invalid
from scheduler.engine.hints.context import Context, is_placed, node, pod, same
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.values.requests import PODS, host_ports, node_allocatable, pod_requests
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, first_untolerated, is_tolerated

_Some: TypeAlias = KubernetesObject | None
Amounts: TypeAlias = Mapping[str, int]


def gates_eliminated(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return same(waiting, new)


def unschedulable_node(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = node(old), node(new)
    if after is None or after.spec.unschedulable:
        return False
    return before is None or bool(before.spec.unschedulable)


def unschedulable_toleration(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    changed = pod(new)
    return (
        changed is not None
        and same(waiting, changed)
        and is_tolerated(UNSCHEDULABLE_TAINT, changed.spec.tolerations or ())
    )


def tainted_node(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    tolerations = waiting.spec.tolerations or ()
    before, after = node(old), node(new)
    if after is None or first_untolerated(after.taints, tolerations) is not None:
        return False
    return before is None or first_untolerated(before.taints, tolerations) is not None


def toleration(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return same(waiting, new)


def affine_node(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = node(old), node(new)
    added, wanted = about.added_affinity, RequiredNodeAffinity.of(waiting)
    if after is None or (added is not None and not added.matches(after.name, after.labels)):
        return False
    if not wanted.matches(after.name, after.labels):
        if problem := wanted.error(after.name, after.labels):
            raise Invalid(problem)
        return False
    return before is None or not wanted.matches(before.name, before.labels)


def freed_ports(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    gone = pod(old)
    if gone is None or not is_placed(gone):
        return False
    used = host_ports(gone)
    return any(_conflict(wanted, taken) for wanted in host_ports(waiting) for taken in used)


def _conflict(a: tuple[str, str, int], b: tuple[str, str, int]) -> bool:
    return a[1:] == b[1:] and (a[0] == b[0] or "0.0.0.0" in (a[0], b[0]))


def freed_resources(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A pod went away (of any size), or one asks for less of something that the waiting pod wants."""
    before, after = pod(old), pod(new)
    if after is None or before is None:
        return before is not None and is_placed(before)
    if same(waiting, after):
        return True
    if not after.node_name:
        return False
    had, has = pod_requests(before, status_resources=True), pod_requests(after, status_resources=True)
    return any(amount > 0 and had.get(name, 0) > has.get(name, 0) for name, amount in pod_requests(waiting).items())


def roomier_node(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """The pod would fit on the node if it were empty, and the node is new or offers more than before."""
    before, after = node(old), node(new)
    if after is None:
        return False
    wanted, offered = pod_requests(waiting), node_allocatable(after)
    if not _fits_empty(wanted, offered):
        return False
    return before is None or _grew(wanted, node_allocatable(before), offered)


def _fits_empty(wanted: Amounts, offered: Amounts) -> bool:
    return offered.get(PODS, 0) >= 1 and all(
        amount <= offered.get(name, 0) for name, amount in wanted.items() if amount > 0
    )


def _grew(wanted: Amounts, before: Amounts, after: Amounts) -> bool:
    names = (PODS, *(name for name, amount in wanted.items() if amount > 0))
    return any(after.get(name, 0) > before.get(name, 0) for name in names)
