"""The status of a UnitedDeployment and its conditions, in the v1beta1 layout. Times are texts, as the API has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler.engine.objects.base import Value

TRUE, FALSE = "True", "False"
UPDATED = "UnitedDeploymentUpdated"
PROVISIONED = "SubsetProvisioned"
SUBSET_UPDATED = "SubsetUpdated"
SUBSET_FAILURE = "SubsetFailure"
SCHEDULABLE = "Schedulable"


class Condition(Value, frozen=True):
    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    last_transition_time: str = ""


class SubsetStatus(Value, frozen=True):
    name: str = ""
    replicas: int = 0
    ready_replicas: int = 0
    partition: int = 0
    reserved_pods: int = 0
    conditions: list[Condition] = []


class Status(Value, frozen=True):
    observed_generation: int = 0
    replicas: int = 0
    ready_replicas: int = 0
    updated_replicas: int = 0
    updated_ready_replicas: int = 0
    reserved_pods: int = 0
    current_revision: str = ""
    updated_revision: str = ""
    collision_count: int | None = None
    label_selector: str = ""
    subset_statuses: list[SubsetStatus] = []
    conditions: list[Condition] = []


def to_manifest(status: Status) -> dict[str, Any]:
    """What the API stores: zeros are left out, but for the fields that every status has."""
    always = {"replicas": 0, "updatedReplicas": 0, "currentRevision": ""}
    found: dict[str, Any] = always | msgspec.to_builtins(status)
    return found


def condition(conditions: Sequence[Condition], kind: str) -> Condition | None:
    return next((one for one in conditions if one.type == kind), None)


def with_condition(conditions: Sequence[Condition], new: Condition) -> list[Condition]:
    """With `new` at the end. The same status and reason change nothing; the time changes only with the status."""
    old = condition(conditions, new.type)
    if old is not None and (old.status, old.reason) == (new.status, new.reason):
        return list(conditions)
    if old is not None and old.status == new.status:
        new = msgspec.structs.replace(new, last_transition_time=old.last_transition_time)
    return [*without_condition(conditions, new.type), new]


def with_subset_condition(conditions: Sequence[Condition], new: Condition) -> list[Condition]:
    """With `new` in its place. The same status and reason change nothing; a new reason alone brings a new time too."""
    old = condition(conditions, new.type)
    if old is None:
        return [*conditions, new]
    kept = old if (old.status, old.reason) == (new.status, new.reason) else new
    return [kept if one is old else one for one in conditions]


def without_condition(conditions: Sequence[Condition], kind: str) -> list[Condition]:
    return [one for one in conditions if one.type != kind]
