"""A higher priority, so that preemption makes room."""

from __future__ import annotations

from scheduler.engine.fixes.change import Candidate, Create, Edit, Effort, Fix, Put, pod_patch
from scheduler.engine.fixes.near import Near
from scheduler.engine.objects import PriorityClass

WAYS = 3
HIGHEST = 1_000_000_000
"""What is above is for the system."""


def higher_priority(near: Near) -> list[Candidate]:
    """The classes above the pod's, the lowest first; else a new one, just above pods that it could then preempt."""
    cycle, pod = near.cycle, near.cycle.pod
    if not near.may_preempt:
        return []
    if pod.pod.spec.preemption_policy == "Never":
        return [(_may_preempt(near),)] if _is_below(near) else []
    higher = [one for one in _classes(near) if pod.priority < one.value <= HIGHEST]
    known = [_of_class(near, one) for one in higher[:WAYS]]
    placed = sorted({one.priority for info in cycle.snapshot.infos for one in info.pods} if not known else ())
    levels = [one + 1 for one in placed if pod.priority <= one < HIGHEST][:WAYS]
    return [tuple(known or [_of_new_class(near, one) for one in levels])] if known or levels else []


def _is_below(near: Near) -> bool:
    priority = near.cycle.pod.priority
    return any(pod.priority < priority for info in near.cycle.snapshot.infos for pod in info.pods)


def _classes(near: Near) -> list[PriorityClass]:
    found = near.cycle.snapshot.kind("PriorityClass").values()
    return sorted((one for one in found if isinstance(one, PriorityClass)), key=lambda one: one.value)


def _of_class(near: Near, one: PriorityClass) -> Fix:
    title = f"Raise its priority to **{one.value:,}** (class `{one.name}`) instead of {near.cycle.pod.priority:,}"
    return _raised(near, one.name, one.value, title, ())


def _of_new_class(near: Near, value: int) -> Fix:
    name = f"priority-{value}" if value >= 0 else f"priority-minus-{-value}"
    manifest = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
    }
    title = f"Raise its priority to **{value:,}** (a new class) instead of {near.cycle.pod.priority:,}"
    return _raised(near, name, value, title, (Create(("PriorityClass", "", name), manifest),))


def _raised(near: Near, name: str, value: int, title: str, first: tuple[Edit, ...]) -> Fix:
    puts = (Put(("spec", "priority"), value), Put(("spec", "priorityClassName"), name))
    return Fix("priority", title, (*first, *pod_patch(near.cycle.pod.pod, *puts)), Effort.EVICT, 1)


def _may_preempt(near: Near) -> Fix:
    patch = pod_patch(near.cycle.pod.pod, Put(("spec", "preemptionPolicy"), "PreemptLowerPriority"))
    return Fix("preempt", "Let it preempt pods of lower priority (preemptionPolicy)", patch, Effort.EVICT)
