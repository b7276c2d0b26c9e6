"""Whether an object is one that an API server would hold: shape, names, times, then the rules of its kind."""

import re
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Any

from scheduler.engine.admission.admission import validate
from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.uniteddeployment import validation as united_deployment
from scheduler.engine.uniteddeployment.defaulting import defaulted
from scheduler.engine.validation import validate_null_free
from scheduler.manifests.items import type_name
from scheduler.manifests.locate import steps

# Written by hand and by other simulators; it changes nothing of what a scheduler counts. `notices` tells it.
HARMLESS = "Limit must be set for non overcommitable resources"
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_TYPE_ERROR = re.compile(r"Expected `(?P<wanted>[^`]+)`(?:, got `(?P<got>[^`]+)`)?")
_TYPE_NAMES = {
    "str": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "an object", "null": "null",
}  # fmt: skip
_PYTHON_TYPES = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def complaints(kind: str, manifest: dict[str, Any], null_free: bool = False, *, webhooks: bool = True) -> list[Invalid]:
    """All that is wrong, in the order of the fields; none if the object may be stored.

    `null_free`: the manifest holds no null. Without `webhooks` a UnitedDeployment may be one that kruise refuses.
    """
    faults = validate_null_free(kind, manifest) if null_free else validate(kind, manifest)
    if kind == "UnitedDeployment" and webhooks and not faults:
        faults = united_deployment.validate(defaulted(manifest))
    found = [*_times(kind, manifest), *faults]
    return [
        _explained(one, manifest) if one.message.startswith("Expected `") else one
        for one in found
        if not one.message.endswith(HARMLESS)
    ]


def told(complaint: Invalid) -> str:
    """The API server's words, and what it would have taken where it does not say so itself."""
    hint = ", expected one such as 500m, 2 or 512Mi" if "quantit" in complaint.message else ""
    return f"{complaint}{hint}"


def class_needed(kind: str, manifest: dict[str, Any]) -> str:
    """The PriorityClass that alone can tell a pod's priority; "" if there is none."""
    spec = manifest.get("spec") if kind == "Pod" else None
    name = spec.get("priorityClassName") if isinstance(spec, dict) and spec.get("priority") is None else None
    return name if isinstance(name, str) else ""


def unknown_class(kind: str, manifest: dict[str, Any], classes: Collection[str]) -> list[Invalid]:
    """A pod that needs a class that is not there: the API server refuses it."""
    name = class_needed(kind, manifest)
    if not name or name in classes:
        return []
    return [Invalid(f"no PriorityClass with name {name} was found", "spec.priorityClassName")]


def _times(kind: str, manifest: dict[str, Any]) -> list[Invalid]:
    """Those that something is computed from; of the wrong type they are told with all other fields."""
    fields = [("metadata", "creationTimestamp"), ("metadata", "deletionTimestamp")]
    fields += [("status", "startTime")] if kind == "Pod" else []
    return [
        Invalid(f'"{value}" is not a time, expected one like 2026-01-31T12:00:00Z', f"{part}.{field}")
        for part, field in fields
        if isinstance(inside := manifest.get(part), dict)
        and isinstance(value := inside.get(field), str)
        and not is_time(value)
    ]


@lru_cache(maxsize=4096)
def is_time(text: str) -> bool:
    if not _UTC.fullmatch(text) and "T" not in text:
        return False
    try:
        from_rfc3339(text)
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _explained(complaint: Invalid, manifest: dict[str, Any]) -> Invalid:
    """msgspec's complaint in our words, its `[...]` replaced by the key that is meant."""
    match = _TYPE_ERROR.match(complaint.message)
    if match is None:
        return complaint
    wanted = match["wanted"].split(" | ")
    path = _resolved(complaint.path, wanted, manifest)
    expected = " or ".join(_TYPE_NAMES.get(name, name) for name in wanted if name != "null" or len(wanted) == 1)
    got = type_name(_at(path, manifest)) if path else _TYPE_NAMES.get(match["got"] or "", "something else")
    return Invalid(f"expected {expected}, got {got}", path)


def _at(path: str, value: Any) -> Any:
    for step in steps(path):
        value = value[int(step)] if isinstance(value, list) else value.get(step) if isinstance(value, dict) else None
    return value


def _resolved(path: str, wanted: list[str], manifest: dict[str, Any]) -> str:
    while "[...]" in path:
        before, _, after = path.partition("[...]")
        parent = _at(before, manifest)
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent or [])))
        path = next(
            (f"{before}[{key}]{after}" for key in keys if _fails(f"{before}[{key}]{after}", wanted, manifest)), before
        )
    return path


def _fails(path: str, wanted: list[str], manifest: dict[str, Any]) -> bool:
    try:
        value = _at(path, manifest)
    except (IndexError, ValueError):
        return False
    kinds = tuple(_PYTHON_TYPES[name] for name in wanted if name in _PYTHON_TYPES)
    return not isinstance(value, kinds) or (isinstance(value, bool) and "bool" not in wanted)
