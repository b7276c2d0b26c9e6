"""Recordings of the real UnitedDeployment controller and webhook: one call or one pass each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from scheduler.engine.conformance.united_pass import run_pass
from scheduler.engine.conformance.united_state import canon, found, owned_pod, schedulability
from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment import validation
from scheduler.engine.uniteddeployment.allocation import AllocationError
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.defaulting import defaulted
from scheduler.engine.uniteddeployment.partitions import next_partitions
from scheduler.engine.uniteddeployment.pending import Wait, reserved, timed_out
from scheduler.engine.uniteddeployment.rendering import render
from scheduler.engine.uniteddeployment.revisions import Revision, revisions
from scheduler.engine.uniteddeployment.slow_start import slow_start
from scheduler.engine.uniteddeployment.spec import decode

Data = dict[str, Any]
_STAND_IN = "{{updatedRevision}}"
_TYPES = {
    "Required": "FieldValueRequired",
    "Invalid": "FieldValueInvalid",
    "Unsupported": "FieldValueNotSupported",
    "Forbidden:": "FieldValueForbidden",
    "Duplicate": "FieldValueDuplicate",
}


def comparable(data: Data) -> Any:
    """What is expected of a recording, without what only informs: words of the webhook and of decoders."""
    expected = _named(data)["expected"]
    if data["op"].startswith("validate"):
        return {key: _complaints(value) if "errors" in key else value for key, value in expected.items()}
    if data["op"] == "template" and "workload" not in expected:
        return "refused"
    if data["op"] == "revisions":
        return {"steps": [{**step, "stored": _by_number(step["stored"])} for step in expected["steps"]]}
    if data["op"] == "reconcile" and expected.get("panic"):
        return "refused"
    return expected


def run_united_deployment_vector(data: Data) -> Any:
    """The same of this engine."""
    return _RUNNERS[data["op"]](_named(data))


def _named(data: Data) -> Data:
    """With the real name of the template's revision wherever the recording has a stand-in for it."""
    if data["op"] != "reconcile":
        return data
    try:
        name = revisions(decode(data["united_deployment"]), (), "", "").updated.name
    except Invalid:
        return data  # its pass is refused, so nothing has a name
    named: Data = msgspec.json.decode(msgspec.json.encode(data).replace(_STAND_IN.encode(), name.encode()))
    return named


def _alloc(data: Data) -> Data:
    ud = decode(data["united_deployment"])
    existing = {one["name"]: found(one, ud) for one in data["existing_subsets"]}
    states = {one["name"]: schedulability(one) for one in data["existing_subsets"]}
    with_partitions = "next_partitions" in data["expected"]
    try:
        allocation = allocate(ud, existing, states)
    except AllocationError as error:
        return {"allocator": data["expected"]["allocator"], "error": str(error)}
    answer: Data = {"allocator": allocation.allocator, "error": None, "next_replicas": allocation.replicas}
    return answer | ({"next_partitions": next_partitions(ud, allocation.replicas)} if with_partitions else {})


def _template(data: Data) -> Any:
    given, before = data["input"], msgspec.json.encode(data["united_deployment"])
    ud = decode(data["united_deployment"])
    try:
        workload = render(
            ud,
            given["subset"],
            revision=given["revision"],
            replicas=given["replicas"],
            partition=given["partition"],
            existing=given.get("existing_workload"),
        )
    except Invalid:
        return "refused"
    workload.pop("status", None)
    changed = msgspec.json.encode(data["united_deployment"]) != before
    return {"error": None, "workload": canon(workload), "ud_mutated": changed}


def _slow_start(data: Data) -> Data:
    given = data["input"]
    batches: dict[int, list[int]] = {}

    def call(item: int, batch: int) -> bool:
        batches.setdefault(batch, []).append(item)
        return item not in given["fail_indexes"]

    successes, failed = slow_start(range(given["count"]), call, given["initial_batch_size"])
    return {"batches": list(batches.values()), "successes": successes, "failed": failed}


def _pod_reserved(data: Data) -> Data:
    given, now = data["input"], 0
    pod, limit = owned_pod(given["pod"], now), given["pending_timeout_seconds"] * SECOND_US
    since, settle = -given["updated_condition_age_seconds"] * SECOND_US, given["min_ready_seconds"] * SECOND_US
    wait = reserved(pod, given["updated_revision"], since, limit=limit, settle=settle, now=now)
    plain = timed_out(pod, limit, now)
    return {
        "reserved": wait.met,
        "check_after_seconds": _seconds(wait),
        "update_timeout_pods": int(wait.update_timeout),
        "pending_timeout": {"timed_out": plain.met, "check_after_seconds": _seconds(plain)},
    }


def _seconds(wait: Wait) -> int | None:
    return None if wait.after is None else wait.after // SECOND_US


def _revisions(data: Data) -> Data:
    stored: tuple[Revision, ...] = ()
    current = updated = ""
    known: dict[str, str] = {}
    steps = []
    for step in data["steps"]:
        answer = revisions(decode(step["ud"]), stored, current, updated)
        stored, updated, current = answer.stored, answer.updated.name, current or answer.current.name
        label = {one: known.setdefault(one, f"r{len(known) + 1}") for one in (answer.current.name, updated)}
        steps.append(
            {
                "current": label[answer.current.name],
                "updated": label[updated],
                "updated_revision_number": answer.updated.number,
                "collision_count": answer.collision_count,
                "stored": _by_number([{"label": known[one.name], "revision": one.number} for one in stored]),
                "updated_condition": str(answer.current.name == updated),
            }
        )
        current = updated if step["promote"] else current
    return {"steps": steps}


def _by_number(stored: list[Data]) -> list[Data]:
    return sorted(stored, key=lambda one: (one["revision"], one["label"]))


def _validate(data: Data) -> Data:
    manifest = data["united_deployment"]
    filled = defaulted(manifest)
    spec = filled["spec"]
    subsets = (spec.get("topology") or {}).get("subsets") or []
    fields = ("name", "minReplicas", "maxReplicas")
    answer = {
        "errors": _complaints(validation.validate(manifest)),
        "errors_after_defaulting": _complaints(validation.validate(filled)),
        "defaulted_replicas": spec["replicas"],
        "defaulted_revision_history_limit": spec["revisionHistoryLimit"],
        "defaulted_update_strategy": _without_partitions(spec["updateStrategy"]),
        "defaulted_subsets": [{key: one.get(key) for key in fields} for one in subsets] or None,
    }
    if data["op"] == "validate_update":
        answer["update_errors"] = _complaints(validation.validate_update(data["old_united_deployment"], manifest))
    return answer


def _without_partitions(strategy: Data) -> Data:
    """The API writes no partitions where there are none."""
    manual = strategy.get("manualUpdate")
    given = {key: value for key, value in (manual or {}).items() if value}
    return strategy if manual is None else {**strategy, "manualUpdate": given}


def _complaints(found: list[Any]) -> list[str]:
    """Type and path of each; the words are not compared."""
    pairs = [
        (_TYPES[one.message.split()[0]], one.path) if isinstance(one, Invalid) else (one["type"], one["field"])
        for one in found
    ]
    return sorted(f"{kind} {path}" for kind, path in pairs)


_RUNNERS: dict[str, Callable[[Data], Any]] = {
    "alloc": _alloc,
    "template": _template,
    "slowstart": _slow_start,
    "pod_reserved": _pod_reserved,
    "reconcile": run_pass,
    "revisions": _revisions,
    "validate": _validate,
    "validate_update": _validate,
}
