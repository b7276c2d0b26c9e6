"""What somebody would like a UnitedDeployment to be: fields of the page, written into its manifest."""

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler.engine.controllers.united import FAIL
from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.defaulting import fill_in
from scheduler.engine.uniteddeployment.spec import CRITICAL_SECONDS, UNSCHEDULABLE_SECONDS, WorkloadKind
from scheduler.engine.uniteddeployment.validation import validate
from scheduler.engine.words import listed

Manifest = dict[str, Any]
STRATEGIES = ("Fixed", "Adaptive", "Reserve")
SUBSET_FIELDS = {"replicas": "replicas", "min": "minReplicas", "max": "maxReplicas"}
FAULTS = ("create", "update", "delete")
LONGEST = 200
_SUBSET = re.compile(r"spec\.topology\.subsets\[(\d+)\]\.(\w+)")


@dataclass
class Field:
    """`value`: as it stands in the form; `stored`: as it is now."""

    name: str
    value: str
    stored: str
    error: str = ""

    @property
    def is_changed(self) -> bool:
        return self.value != self.stored


@dataclass
class Wish:
    """`manifest`: the stored one with the changed fields written into it. `faults`: what belongs to no field."""

    fields: dict[str, Field]
    manifest: Manifest
    faults: list[str] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        return any(one.is_changed for one in self.fields.values())

    @property
    def is_wrong(self) -> bool:
        return bool(self.why_wrong)

    @property
    def why_wrong(self) -> str:
        """The first of what is wrong with it, "" if nothing is."""
        return next(iter([*self.faults, *(one.error for one in self.fields.values() if one.error)]), "")


def wish(stored: Manifest, given: Mapping[str, str]) -> Wish:
    """What is absent from `given` is wished as it is. Faults are told in the webhook's words, at their fields."""
    fields = {one.name: one for one in _stored(stored)}
    for name, one in fields.items():
        one.value = str(given.get(name, one.stored)).strip()[:LONGEST]
    made = Wish(
        fields, edited(stored, {one.name: one.value for one in fields.values() if one.is_changed}, made_of(fields))
    )
    if made.is_changed:
        tell(made, validate(made.manifest))
    return made


def made_of(fields: Mapping[str, Field]) -> Callable[[str, str], None]:
    """Says what is wrong at a field."""

    def say(name: str, message: str) -> None:
        fields[name].error = fields[name].error or message

    return say


def tell(made: Wish, faults: Iterable[Invalid]) -> None:
    for fault in faults:
        name = _field_of(fault.path, made.manifest)
        if name in made.fields:
            made.fields[name].error = made.fields[name].error or str(fault)
        elif str(fault) not in made.faults:
            made.faults.append(str(fault))


def _field_of(path: str, manifest: Manifest) -> str:
    if path in ("spec.replicas", "spec.topology.scheduleStrategy"):
        return {"spec.replicas": "replicas"}.get(path, "strategy")
    found = _SUBSET.match(path)
    if found is None:
        return ""
    names = {value: key for key, value in SUBSET_FIELDS.items()}
    subset = _subsets(manifest)[int(found[1])]
    return f"{names.get(found[2], '')}.{subset.get('name')}"


def differences(before: Manifest, after: Manifest) -> list[str]:
    """What somebody changed, field by field, in words; what no field of the page tells of is told as a whole."""
    old, new = ({one.name: one.value for one in _stored(manifest)} for manifest in (before, after))
    changed = [name for name in {**old, **new} if old.get(name, "") != new.get(name, "")]
    found = [f"{_said(name)} {old.get(name) or 'none'} → {new.get(name) or 'none'}" for name in changed]
    names = [[one.get("name") for one in _subsets(manifest)] for manifest in (before, after)]
    gone, come = ([f"`{one}`" for one in names[side] if one not in names[1 - side]] for side in (0, 1))
    found += [f"subset {listed(come)} added"] if come else []
    found += [f"subset {listed(gone)} taken out"] if gone else []
    return found if found or before.get("spec") == after.get("spec") else ["changed"]


def _said(name: str) -> str:
    """A field as a person says it: `partition of spot-pool`."""
    what, _, subset = name.partition(".")
    if subset:
        return f"{what} of `{subset}`"
    return {"critical": "reschedule after, s:", "duration": "unschedulable for, s:"}.get(name, name.replace("-", " "))


# --- from the manifest ------------------------------------------------------------------------------------------------


def _stored(manifest: Manifest) -> Iterator[Field]:
    spec = manifest.get("spec") or {}
    strategy = (spec.get("topology") or {}).get("scheduleStrategy") or {}
    adaptive = strategy.get("adaptive") or {}
    kind = "Reserve" if adaptive.get("reserveUnschedulablePods") else "Adaptive"
    yield _field("replicas", spec.get("replicas"))
    yield _field("strategy", kind if strategy.get("type") == "Adaptive" else "Fixed")
    yield _field("critical", adaptive.get("rescheduleCriticalSeconds", CRITICAL_SECONDS))
    yield _field("duration", adaptive.get("unschedulableDuration", UNSCHEDULABLE_SECONDS))
    yield _field("image", _container(manifest).get("image"))
    annotations = (manifest.get("metadata") or {}).get("annotations") or {}
    for what in FAULTS:
        yield _field(f"fail-{what}", annotations.get(f"{FAIL}{what}"))
    partitions = _partitions(spec)
    for subset in _subsets(manifest):
        for short, long in SUBSET_FIELDS.items():
            yield _field(f"{short}.{subset.get('name')}", subset.get(long))
        yield _field(f"partition.{subset.get('name')}", partitions.get(subset.get("name", "")))


def _field(name: str, value: Any) -> Field:
    text = "" if value is None else str(value)
    return Field(name, text, text)


def _subsets(manifest: Manifest) -> list[Manifest]:
    return list(((manifest.get("spec") or {}).get("topology") or {}).get("subsets") or ())


def _partitions(spec: Manifest) -> Manifest:
    return ((spec.get("updateStrategy") or {}).get("manualUpdate") or {}).get("partitions") or {}


def _container(manifest: Manifest) -> Manifest:
    """The first container of the template; {} where there is none."""
    template = (manifest.get("spec") or {}).get("template") or {}
    for kind in WorkloadKind:
        if workload := template.get(kind.field):
            pod = ((workload.get("spec") or {}).get("template") or {}).get("spec") or {}
            return next(iter(pod.get("containers") or ()), {})
    return {}


# --- into the manifest ------------------------------------------------------------------------------------------------


def edited(stored: Manifest, changes: Mapping[str, str], say: Callable[[str, str], None]) -> Manifest:
    """A new manifest. `say(field, message)` is told what cannot be written."""
    manifest = copy.deepcopy(stored)
    spec = manifest.setdefault("spec", {})
    for name, text in changes.items():
        field_name, _, subset = name.partition(".")
        try:
            if subset:
                _write_subset(manifest, field_name, subset, text)
            else:
                _write(manifest, spec, field_name, text)
        except Invalid as fault:
            say(name, fault.message)
    fill_in(manifest)
    return manifest


def _write(manifest: Manifest, spec: Manifest, name: str, text: str) -> None:
    if name == "replicas":
        _put(spec, "replicas", _number(text) if text else None)
    elif name == "image":
        if container := _container(manifest):
            _put(container, "image", text or None)
    elif name.startswith("fail-"):
        _put(manifest.setdefault("metadata", {}).setdefault("annotations", {}), f"podium.dev/{name}", text or None)
    else:
        _write_strategy(spec.setdefault("topology", {}).setdefault("scheduleStrategy", {}), name, text)


def _write_strategy(strategy: Manifest, name: str, text: str) -> None:
    adaptive = strategy.get("adaptive") or {}
    if name == "strategy":
        if text not in STRATEGIES:
            raise Invalid(f"must be one of {', '.join(STRATEGIES)}")
        strategy["type"] = "Fixed" if text == "Fixed" else "Adaptive"
        _put(adaptive, "reserveUnschedulablePods", True if text == "Reserve" else None)
    else:
        long = {"critical": "rescheduleCriticalSeconds", "duration": "unschedulableDuration"}[name]
        _put(adaptive, long, _number(text) if text else None)
    _put(strategy, "adaptive", adaptive or None)


def _write_subset(manifest: Manifest, name: str, subset: str, text: str) -> None:
    if name == "partition":
        update = manifest["spec"].setdefault("updateStrategy", {})
        manual = update["manualUpdate"] = update.get("manualUpdate") or {}
        partitions = manual["partitions"] = manual.get("partitions") or {}
        _put(partitions, subset, _number(text) if text else None)
        return
    one = next(one for one in _subsets(manifest) if one.get("name") == subset)
    _put(one, SUBSET_FIELDS[name], None if not text else int(text) if text.isascii() and text.isdigit() else text)


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise Invalid("Write a whole number.")
    return int(text)


def _put(place: Manifest, name: str, value: Any) -> None:
    if value is None:
        place.pop(name, None)
    else:
        place[name] = value
