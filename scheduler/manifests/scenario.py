"""Scenario files: what is to happen to a cluster and when, read and checked; nothing is stored here."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import null_free
from scheduler.engine.simulation.clock import duration_us, from_rfc3339
from scheduler.engine.words import count
from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.fields import refused_fields
from scheduler.manifests.items import Item, type_name
from scheduler.manifests.limits import DEFAULT, Limits
from scheduler.manifests.yaml_reader import read_yaml

KIND = "Scenario"
ACTIONS = ("add", "update", "patch", "delete", "cordon", "uncordon")
WRITING = ("add", "update", "patch")
MOST_STEPS = 10_000
FIELDS = {"at", "action", "object", "repeat"}
DURATION = "expected a duration such as 90s, 1m30s or 250ms"


@dataclass(frozen=True, slots=True)
class Step:
    """`after_us`: from the loading of the scenario on; None where `at_us`, an absolute moment, is given."""

    path: str
    action: str
    manifest: dict[str, Any]
    after_us: int | None = None
    at_us: int = 0


@dataclass(slots=True)
class ScenarioFile:
    """`item` finds the line of a field again; `faults` are of this file, as found up to now."""

    name: str
    item: Item
    steps: list[Step] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, path: str, message: str) -> None:
        self.faults.append(Fault(self.item.file, self.item.line(path), f"{path}: {message}" if path else message))


class ScenarioError(Invalid):
    """`faults`: all that is wrong, by file and line."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults)
        super().__init__("\n".join(str(fault).removeprefix("error: ") for fault in self.faults))


def read_scenario(name: str, text: str, limits: Limits = DEFAULT, *, strict: bool = True) -> ScenarioFile:
    """A file with one document: a list of steps, or an object of kind Scenario. Raises ScenarioError.

    `strict`: fields that Kubernetes does not know are wrong; what was stored long ago may hold some.
    """
    try:
        items = list(read_yaml(name, text, limits))
    except FileError as error:
        raise ScenarioError([error.fault]) from None
    if len(items) != 1:
        raise ScenarioError([Fault(name, 0, f"holds {count(len(items), 'document')}, expected one scenario")])
    file = ScenarioFile(name.rpartition("/")[2].partition(".")[0] or "scenario", items[0])
    file.faults += [Fault(name, line, message) for line, message in items[0].faults]
    for path, value in _values(file):
        file.steps += _steps(file, path, value)
        if strict:
            _check_fields(file, path, value)
    if len(file.steps) > MOST_STEPS:
        file.fault("", f"holds {count(len(file.steps), 'step')} with all repetitions, expected at most {MOST_STEPS:,}")
    if file.faults:
        raise ScenarioError(file.faults)
    return file


def _values(file: ScenarioFile) -> Iterator[tuple[str, Any]]:
    """Each step with its path."""
    value, prefix = file.item.value, ""
    if isinstance(value, dict):
        if value.get("kind") != KIND or not isinstance(value.get("steps"), list):
            file.fault("", f"expected a list of steps, or kind: {KIND} with steps")
            return
        metadata = value.get("metadata")
        if isinstance(metadata, dict) and isinstance(metadata.get("name"), str):
            file.name = metadata["name"][:200]
        value, prefix = value["steps"], "steps"
    if not isinstance(value, list):
        file.fault("", f"expected a list of steps, got {type_name(value)}")
        return
    if not value:
        file.fault("", "holds no step")
    for index, step in enumerate(value[: MOST_STEPS + 1]):
        yield f"{prefix}[{index}]", step


def _steps(file: ScenarioFile, path: str, value: Any) -> list[Step]:
    """The step, as often as it is to be repeated; none where it is wrong."""
    if not isinstance(value, dict):
        file.fault(path, f"expected a step with at, action and object, got {type_name(value)}")
        return []
    before = len(file.faults)
    for unknown in value.keys() - FIELDS:
        file.fault(f"{path}.{unknown}", f"unknown field, expected {', '.join(sorted(FIELDS))}")
    action, moment = value.get("action", "add"), _moment(file, path, value)
    if action not in ACTIONS:
        file.fault(f"{path}.action", f"{action!r} is no action, expected one of {', '.join(ACTIONS)}")
    manifest = _object(file, path, value)
    count, every_us = _repeat(file, path, value)
    if len(file.faults) > before or manifest is None or moment is None:
        return []
    after_us, at_us = moment
    return [
        Step(
            path,
            action,
            manifest if count is None else _numbered(manifest, number + 1),
            None if after_us is None else after_us + number * every_us,
            at_us + number * every_us,
        )
        for number in range(count or 1)
    ]


def _moment(file: ScenarioFile, path: str, value: dict[str, Any]) -> tuple[int | None, int] | None:
    """(µs after the loading, or None; absolute µs)."""
    at = value.get("at")
    if at == 0 or at == "0s":
        return 0, 0
    if isinstance(at, str) and (after_us := duration_us(at)) is not None:
        return after_us, 0
    try:
        if isinstance(at, str) and "T" in at:
            return None, from_rfc3339(at)
    except ValueError:
        pass
    got = "is missing" if at is None else f"{str(at)[:40]!r} is no moment"
    file.fault(f"{path}.at" if "at" in value else path, f"{'' if 'at' in value else 'at '}{got}, {DURATION} or a time")
    return None


def _object(file: ScenarioFile, path: str, value: dict[str, Any]) -> dict[str, Any] | None:
    manifest = value.get("object")
    if not isinstance(manifest, dict):
        message = "is missing" if manifest is None else f"expected an object, got {type_name(manifest)}"
        file.fault(
            f"{path}.object" if "object" in value else path, f"object {message}" if manifest is None else message
        )
        return None
    if not isinstance(manifest.get("kind"), str) or not manifest["kind"]:
        file.fault(f"{path}.object", "has no kind, expected one, such as kind: Pod")
        return None
    metadata = manifest.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name:
        file.fault(f"{path}.object.metadata", "name is missing, expected a name")
        return None
    if value.get("action") in ("cordon", "uncordon") and manifest["kind"] != "Node":
        file.fault(f"{path}.object.kind", f"only a Node can be cordoned, got {manifest['kind']}")
        return None
    return manifest


def _check_fields(file: ScenarioFile, path: str, value: Any) -> None:
    manifest = value.get("object") if isinstance(value, dict) else None
    if isinstance(manifest, dict) and value.get("action", "add") in WRITING:
        for fault in refused_fields(null_free(manifest)):  # a patch may take a field away
            file.fault(f"{path}.object.{fault.path}", fault.message)


def _repeat(file: ScenarioFile, path: str, value: dict[str, Any]) -> tuple[int | None, int]:
    """How often, None without numbering, and how many µs apart."""
    repeat = value.get("repeat")
    if repeat is None:
        return None, 0
    place = f"{path}.repeat"
    if not isinstance(repeat, dict) or repeat.keys() - {"count", "every"}:
        file.fault(place, "expected count and every")
        return None, 0
    count, every = repeat.get("count"), repeat.get("every", "1s")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_STEPS:
        file.fault(place, f"count must be a whole number from 1 to {MOST_STEPS}")
        return None, 0
    every_us = 0 if every in (0, "0s") else duration_us(every) if isinstance(every, str) else None
    if every_us is None:
        file.fault(place, f"every: {str(every)[:40]!r} is no duration, {DURATION}")
        return None, 0
    return count, every_us


def _numbered(manifest: dict[str, Any], number: int) -> dict[str, Any]:
    metadata = manifest["metadata"]
    return {**manifest, "metadata": {**metadata, "name": f"{metadata['name']}-{number}"}}
