"""A case file that somebody brings: read, every fault told by its line, bounded, and played before it is believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from dashboard.learn.bounds import bounds
from dashboard.learn.lesson import Head, Lesson, Manifest, digest_of, named
from dashboard.learn.play import play
from scheduler.engine.errors import Invalid, PodiumError
from scheduler.engine.objects import kind_of, null_free
from scheduler.engine.profile import Profiles
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.check import complaints, told
from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.fields import refused_fields
from scheduler.manifests.items import Item, type_name
from scheduler.manifests.limits import Limits
from scheduler.manifests.scenario import WRITING, ScenarioError, read_scenario
from scheduler.manifests.unfold import unfold
from scheduler.manifests.yaml_reader import read_yaml

MOST_BYTES, MOST_FAULTS = 256 << 10, 20
LIMITS = Limits(aliases=100, alias_values=10_000, nesting=60)
AS_TEXT = {"title": 100, "question": 600, "explanation": 4_000}


class CaseError(Invalid):
    """`faults`: all that is wrong with a case, by line."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults)[:MOST_FAULTS]
        super().__init__("\n".join(str(fault).removeprefix("error: ") for fault in self.faults))


def read_case(name: str, text: str, slug: str = "", *, strict: bool = True) -> Lesson:
    """`name`: of the file, for its faults. Not played. Raises `CaseError`.

    `strict`: fields that Kubernetes does not know are wrong; what was stored long ago may hold some.
    """
    if len(text.encode()) > MOST_BYTES:
        raise CaseError([Fault(name, 0, f"is too large, expected at most {MOST_BYTES >> 10} KiB")])
    try:
        items = [inner for item in read_yaml(name, text, LIMITS) for _, inner in unfold(item)]
    except FileError as error:
        raise CaseError([error.fault]) from None
    if not items:
        raise CaseError([Fault(name, 0, "holds no object, expected a case and its objects")])
    faults = [Fault(name, line, message) for item in items for line, message in item.faults]
    head = _head(items[0], faults)
    faults += [fault for item in items[1:] for fault in _object_faults(item)]
    faults += list(_field_faults(items)) if strict else []
    if faults or head is None:
        raise CaseError(faults)
    lesson = Lesson(slug, 0, head, [item.value for item in items[1:]], digest_of(text))
    if found := [Fault(name, items[0].line(path), message) for path, message in _unfit(lesson)]:
        raise CaseError(found)
    return lesson


def checked_case(name: str, text: str, *, strict: bool = True) -> Lesson:
    """The same, played: its answers are what the scheduler does. Raises `CaseError`."""
    lesson = read_case(name, text, strict=strict)
    faults = [Fault(name, _line(name, text, path), message) for path, message in _wrong_answers(lesson)]
    if faults:
        raise CaseError(faults)
    return lesson


def _line(name: str, text: str, path: str) -> int:
    return next(iter(read_yaml(name, text, LIMITS))).line(path)


def _head(item: Item, faults: list[Fault]) -> Head | None:
    if not isinstance(item.value, dict) or item.value.get("kind") != "Lesson":
        message = "the first document is no case, expected apiVersion: podium.dev/v1 with kind: Lesson"
        faults.append(Fault(item.file, item.line(""), message))
        return None
    try:
        head = msgspec.convert(item.value, Head)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").removeprefix(".")
        faults.append(Fault(item.file, item.line(field), f"{field}: {message}" if field else message))
        return None
    for field, most in AS_TEXT.items():
        length = len(getattr(head, field).strip())
        if not 0 < length <= most:
            faults.append(Fault(item.file, item.line(field), f"{field}: has {length} characters, expected 1 to {most}"))
    return head


def _object_faults(item: Item) -> Iterator[Fault]:
    value = item.value
    if not isinstance(value, dict):
        yield Fault(item.file, item.line(""), f"expected a Kubernetes object, got {type_name(value)}")
        return
    metadata, kind = value.get("metadata"), value.get("kind")
    if not isinstance(kind, str) or not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        yield Fault(item.file, item.line(""), "no Kubernetes object, expected apiVersion, kind and metadata.name")
        return
    known = kind_of(str(value.get("apiVersion") or ""), kind)
    for one in complaints(known, value):
        yield Fault(item.file, item.line(one.path), told(one), _about(value))


def _field_faults(items: list[Item]) -> Iterator[Fault]:
    """Fields that Kubernetes does not know: of the objects, and of what steps and tasks write of them."""
    for item, path, manifest in [*_written(items[0]), *((item, "", item.value) for item in items[1:])]:
        if isinstance(manifest, dict):
            for one in refused_fields(null_free(manifest)):
                place = f"{path}.{one.path}".removeprefix(".")
                yield Fault(item.file, item.line(place), f"{path}: {one}" if path else told(one), _about(manifest))


def _written(head: Item) -> Iterator[tuple[Item, str, Any]]:
    """(the case, where, a manifest) of every step and task; what is of a wrong shape is left to others."""
    case = head.value if isinstance(head.value, dict) else {}

    def listed(holder: Any, field: str) -> Iterator[tuple[str, Any]]:
        values = holder.get(field) if isinstance(holder, dict) else None
        return ((f"{field}[{place}]", one) for place, one in enumerate(values if isinstance(values, list) else ()))

    for path, step in listed(case, "scenario"):
        if isinstance(step, dict) and step.get("action", "add") in WRITING:
            yield head, f"{path}.object", step.get("object")
    for path, task in listed(case, "tasks"):
        yield from ((head, f"{path}.{place}", manifest) for place, manifest in listed(task, "change"))


def _about(manifest: Manifest) -> str:
    metadata = manifest.get("metadata")
    return f"{manifest.get('kind')} {metadata.get('name', '') if isinstance(metadata, dict) else ''}".strip()


def _unfit(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) of a case as a whole."""
    yield from bounds(lesson)
    head = lesson.head
    yield from _subject(lesson)
    for field, read in (("configuration", Profiles.from_configuration), ("settings", _settings)):
        try:
            read(getattr(head, field))
        except (PodiumError, msgspec.ValidationError, ValueError) as error:
            yield field, f"{field}: {error}"
    if head.scenario:
        try:
            read_scenario(lesson.slug or "case", msgspec.json.encode(head.scenario).decode(), strict=False)
        except ScenarioError as error:
            yield "scenario", f"scenario: {error.faults[0].message}"
    twice = [choice for choice, times in Counter(lesson.choices).items() if times > 1]
    if twice or len(lesson.choices) < 2:
        yield "choices", f"choices: {twice[0]} is there twice" if twice else "choices: expected at least two"


def _settings(written: Manifest) -> Settings:
    return msgspec.convert(written, Settings)


def _subject(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """What the question is about must be there."""
    head = lesson.head
    there = {(one["kind"], named(one)): one for one in lesson.objects}
    if head.ask in ("where", "lane", "victim"):
        pod = there.get(("Pod", head.pod))
        if pod is None or (pod.get("spec") or {}).get("nodeName"):
            yield "pod", f"pod: {head.pod or 'nothing'} is no waiting pod of this case, expected namespace/name of one"
    if head.ask == "count":
        united, _, subset = head.subset.rpartition("/")
        if not subset or ("UnitedDeployment", united) not in there:
            yield "subset", f"subset: {head.subset or 'nothing'} is none of this case, expected namespace/name/subset"


def _wrong_answers(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Where the case says something else than happens, or cannot be played at all."""
    head = lesson.head
    for place, task in enumerate((None, *head.tasks)):
        field = f"tasks[{place - 1}].answer" if task else "answer"
        said = task.answer if task else head.answer
        try:
            answer = play(lesson, task).answer(head)
        except (
            PodiumError,
            msgspec.ValidationError,
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as error:
            yield field, f"cannot be played: {error}"
            continue
        if answer != said:
            yield field, f"{field}: the case says {said}, but the simulation comes to {answer}"
        elif task is None and answer not in lesson.choices:
            yield "choices", f"choices: {answer} is what happens, and cannot be chosen"
