"""A recorded pass of the UnitedDeployment controller, run by this engine."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import msgspec

from scheduler.engine.conformance.united_state import canon, found
from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.actions import Faults, Update
from scheduler.engine.uniteddeployment.reconcile import Found, Pass, reconcile
from scheduler.engine.uniteddeployment.revisions import Revision
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind, decode
from scheduler.engine.uniteddeployment.status import to_manifest

Data = dict[str, Any]


def run_pass(data: Data) -> Any:
    """The pass in the recording's shape; "refused" where the real controller crashes."""
    ud = decode(data["united_deployment"])
    try:
        done = reconcile(ud, _found(data, ud), _faults(data.get("input") or {}))
    except Invalid:
        return "refused"
    answer = _answer(ud, done)
    if "next_replicas" in data["expected"] and done.allocation is not None:
        answer["next_replicas"] = done.allocation.replicas
    return answer


def _found(data: Data, ud: UnitedDeployment) -> Found:
    """Histories of another template carry the labels that the selector asks for."""
    now, labels = from_rfc3339(data["now"]), (ud.spec.selector or {}).get("matchLabels") or {}
    histories = sorted(data.get("controller_revisions") or (), key=itemgetter("name"))
    stored = tuple(Revision(one["name"], one["revision"], "another template", labels) for one in histories)
    return Found(tuple(found(one, ud, now) for one in data["existing_subsets"]), stored, now)


def _faults(given: Data) -> Faults:
    return Faults(
        create=given.get("fail_create") or {},
        delete=frozenset(given.get("fail_delete") or ()),
        update=frozenset(given.get("fail_update") or ()),
    )


def _answer(ud: UnitedDeployment, done: Pass) -> Data:
    kind = ud.workload_kind
    assert kind is not None
    return {
        "error": done.error or None,
        "requeue_after_seconds": done.requeue_us // SECOND_US,
        "creates": _rows(done.creates, ("subset", "replicas", "partition", "batch"), kind=kind.label),
        "updates": _rows([_update(kind, one) for one in done.updates], ()),
        "deletes": _rows([_delete(one.subset, one.workload, one.kind) for one in done.deletes], ()),
        "pod_reserved_label_patches": {name: str(value).lower() for name, value in done.labels.items()},
        "deleted_pods": list(done.deleted_pods),
        "events": [msgspec.to_builtins(one) for one in done.events],
        "status": canon(to_manifest(done.status)),
    }


def _rows(items: Any, fields: tuple[str, ...], **more: Any) -> list[Data]:
    """In the order of recordings: by batch, kind, subset, workload."""
    rows = [{**{field: getattr(one, field) for field in fields}, **more} if fields else one for one in items]
    return sorted(rows, key=lambda row: (row.get("batch", 0), row["kind"], row["subset"], row.get("workload", "")))


def _update(kind: WorkloadKind, one: Update) -> Data:
    fields = ("subset", "workload", "replicas", "partition", "batch")
    strategy = (one.manifest.get("spec") or {}).get("strategy" if kind is WorkloadKind.DEPLOYMENT else "updateStrategy")
    known = kind in (WorkloadKind.CLONE_SET, WorkloadKind.DEPLOYMENT)
    most = ((strategy or {}).get("rollingUpdate") or {}).get("maxUnavailable") if known else None
    return {**{field: getattr(one, field) for field in fields}, "kind": kind.label, "workload_max_unavailable": most}


def _delete(subset: str, workload: str, kind: WorkloadKind) -> Data:
    return {"subset": subset, "kind": kind.label, "workload": workload}
