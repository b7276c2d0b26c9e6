"""What may not change once it is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.validation.subsets import SUBSETS
from scheduler.engine.uniteddeployment.validation.template import faults as template_faults
from scheduler.engine.validation.rules import fault, forbidden

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
        yield fault("spec.replicas", new.spec.replicas, "must be greater than or equal to 0")
    before = {one.name: one for one in old.subsets}
    for index, one in enumerate(new.subsets):
        held = before.get(one.name)
        if held is not None and (held.node_selector_term or {}) != (one.node_selector_term or {}):
            yield forbidden(f"{SUBSETS}[{index}].nodeSelectorTerm", _FIXED)
        if held is not None and (held.tolerations or []) != (one.tolerations or []):
            # Twice, as the webhook says it.
            yield forbidden(f"{SUBSETS}[{index}].tolerations", _FIXED)
            yield forbidden(f"{SUBSETS}[{index}].tolerations", _FIXED)
    kind = new.workload_kind
    if kind is WorkloadKind.STATEFUL_SET:
        yield from (error for error in template_faults(new) if ".spec.template.spec" in error.path)
    if kind in _FREE and kind is old.workload_kind:
        yield from _frozen(kind, old.template.get("spec") or {}, new.template.get("spec") or {})


def _frozen(kind: WorkloadKind, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Invalid]:
    free = _FREE[kind]
    if {k: v for k, v in old.items() if k not in free} != {k: v for k, v in new.items() if k not in free}:
        names = ", ".join(sorted(free))
        yield forbidden(f"spec.template.{kind.field}.spec", f"updates to fields other than {names} are forbidden")
