"""What may not change once it is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.typed import workload_spec
from scheduler.engine.uniteddeployment.validation.subsets import SUBSETS
from scheduler.engine.uniteddeployment.validation.template import stateful_spec
from scheduler.engine.validation.rules import fault, forbidden

_NEGATIVE = "must be greater than or equal to 0"
_FIXED = "may not be changed in an update"
_FREE = {
    WorkloadKind.STATEFUL_SET: frozenset(
        {"template", "updateStrategy", "persistentVolumeClaimRetentionPolicy", "minReadySeconds", "ordinals"}
    ),
    WorkloadKind.ADVANCED_STATEFUL_SET: frozenset({"template", "updateStrategy"}),
}


def changes(old: UnitedDeployment, new: UnitedDeployment) -> Iterator[Invalid]:
    """What an update changes although it may not."""
    if new.spec.replicas is not None and new.spec.replicas < 0:
        yield fault("spec.replicas", new.spec.replicas, _NEGATIVE)
    before = {one.name: one for one in old.subsets}
    for index, one in enumerate(new.subsets):
        held = before.get(one.name)
        if held is not None and (held.node_selector_term or {}) != (one.node_selector_term or {}):
            yield forbidden(f"{SUBSETS}[{index}].nodeSelectorTerm", _FIXED)
        if held is not None and (held.tolerations or []) != (one.tolerations or []):
            # Twice, as the webhook says it.
            yield forbidden(f"{SUBSETS}[{index}].tolerations", _FIXED)
            yield forbidden(f"{SUBSETS}[{index}].tolerations", _FIXED)
    kind, spec = new.workload_kind, new.template.get("spec") or {}
    if kind is None or kind is not old.workload_kind or kind is WorkloadKind.CLONE_SET:
        return
    if kind is WorkloadKind.STATEFUL_SET:
        yield from stateful_spec(new)
    if kind in _FREE:
        yield from _frozen(kind, old.template.get("spec") or {}, spec)
    if (spec.get("replicas") or 0) < 0:
        yield fault(f"spec.template.{kind.field}.spec.replicas", spec["replicas"], _NEGATIVE)


def _frozen(kind: WorkloadKind, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Invalid]:
    free = _FREE[kind]
    if _fixed(kind, old) != _fixed(kind, new):
        names = ", ".join(sorted(free))
        yield forbidden(f"spec.template.{kind.field}.spec", f"updates to fields other than {names} are forbidden")


def _fixed(kind: WorkloadKind, spec: dict[str, Any]) -> dict[str, Any]:
    """What has to stay, as the API has it: what is empty is not there, and a StatefulSet has a policy."""
    held = {"podManagementPolicy": "OrderedReady"} if kind is WorkloadKind.STATEFUL_SET else {}
    given = {key: one for key, one in workload_spec(kind, spec).items() if one not in (None, [], "", {})}
    return {key: one for key, one in (held | given).items() if key not in _FREE[kind] and key != "replicas"}
