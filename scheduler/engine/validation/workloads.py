"""Priority classes, volumes, and objects that select pods."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine import labels
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import (
    PersistentVolume,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    PriorityClass,
)
from scheduler.engine.validation import resources
from scheduler.engine.validation.affinity import label_selector
from scheduler.engine.validation.rules import MAX_INT32, fault, forbidden, one_of

HIGHEST_USER_PRIORITY = 10**9
PREEMPTION_POLICIES = ("Never", "PreemptLowerPriority")


def priority_class(given: PriorityClass) -> Iterator[Invalid]:
    is_system = given.name in ("system-cluster-critical", "system-node-critical")
    if given.name.startswith("system-") and not is_system:
        yield forbidden("metadata.name", "priority class names with 'system-' prefix are reserved for system use only")
    if given.value > HIGHEST_USER_PRIORITY and not is_system:
        yield forbidden("value", f"maximum allowed value of a user defined priority is {HIGHEST_USER_PRIORITY}")
    elif not -MAX_INT32 - 1 <= given.value <= MAX_INT32:
        yield fault("value", given.value, "must be a 32-bit integer")
    yield from one_of("preemptionPolicy", given.preemption_policy, PREEMPTION_POLICIES)


def selecting(given: PodDisruptionBudget) -> Iterator[Invalid]:
    yield from label_selector("spec.selector", given.spec.selector)


def persistent_volume(given: PersistentVolume) -> Iterator[Invalid]:
    yield from resources.resource_list("spec.capacity", given.spec.capacity, resources.any_name)
    required = given.spec.node_affinity.required if given.spec.node_affinity else None
    if required is not None:
        for term in labels.node_selector(required, "spec.nodeAffinity.required.nodeSelectorTerms").terms:
            if term.error:
                yield Invalid(term.error)


def persistent_volume_claim(given: PersistentVolumeClaim) -> Iterator[Invalid]:
    if given.spec.resources is not None:
        path = "spec.resources.requests"
        yield from resources.resource_list(path, given.spec.resources.requests, resources.any_name)
    yield from label_selector("spec.selector", given.spec.selector)
