"""Files become objects: read, told apart, checked. Nothing is refused in silence and nothing is stored here."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from scheduler.engine.admission.admission import SYSTEM_PRIORITIES
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import ObjectKey, key_of, kind_of, strip_nulls
from scheduler.manifests import kinds
from scheduler.manifests.check import class_needed, complaints, told, unknown_class
from scheduler.manifests.faults import Fault, Faults, FileError
from scheduler.manifests.fields import Unknown, unknown_fields
from scheduler.manifests.items import Item, Line, type_name
from scheduler.manifests.json_reader import read_json
from scheduler.manifests.json_scan import Found
from scheduler.manifests.limits import DEFAULT, MIB, Limits
from scheduler.manifests.order import Order, newest_us, order_of
from scheduler.manifests.report import Report
from scheduler.manifests.sources import Budget, Data, Source, opened
from scheduler.manifests.text import as_utf8, begins_as, notation
from scheduler.manifests.texts import Place, Texts
from scheduler.manifests.unfold import Action, unfold
from scheduler.manifests.unknown import UnknownFields
from scheduler.manifests.yaml_reader import read_yaml

Manifest = dict[str, Any]
Progress = Callable[[str, int, int], None]
"""Called with the stage, what is done of it and the whole (0 if unknown). It may raise to stop the work."""

TOLD_EVERY = 500


@dataclass(slots=True)
class Entry:
    """An object whose manifest has been put aside, without nulls."""

    kind: str
    texts: Texts
    place: Place
    file: str
    line: Line
    is_wrong: bool
    needs_class: str  # the PriorityClass that alone can tell the priority of this pod, or ""
    order: Order
    newest_us: int | None
    unknown: list[Unknown]

    @property
    def manifest(self) -> Manifest:
        """Made anew, the caller's own."""
        manifest: Manifest = msgspec.json.decode(self.texts.get(self.place))
        return manifest


class Reader:
    """`entries` are the objects read so far, in file order, by key; `report` tells what became of all others.
    `unknown`: once they are checked, the fields that Kubernetes would ignore.

    A large file is held neither as text nor as objects: an entry makes its manifest when asked.
    """

    def __init__(self, limits: Limits = DEFAULT, progress: Progress | None = None, *, webhooks: bool = True) -> None:
        """`webhooks`: whether what kruise's webhook refuses is wrong here too."""
        self.limits, self.webhooks = limits, webhooks
        self.progress = progress or (lambda stage, done, total: None)
        self.report = Report(Faults(limits.faults))
        self.entries: dict[ObjectKey, Entry] = {}
        self.unknown = UnknownFields()
        self.texts = Texts()
        self.budget = Budget(limits)
        self.items = self.expected = self.yaml_bytes = 0
        self.sources = 0

    def read(self, sources: Iterable[Source]) -> None:
        given = list(sources)
        self.sources = len(given)
        for source in given:
            self.report.files.append(source.name)
            if source.skipped:
                self.report.ignored[source.name, source.skipped] += 1
                continue
            try:
                self._read(source)
            except FileError as error:
                self.report.faults.add(error.fault)

    def check(self) -> None:
        """Wrong entries leave `entries` and are told. Pods last: they name classes."""
        done, total = 0, len(self.entries)
        for wanted in (False, True):
            classes = {name for kind, _, name in self.entries if kind == "PriorityClass"} | SYSTEM_PRIORITIES.keys()
            for key, entry in list(self.entries.items()):
                if (entry.kind == "Pod") is not wanted:
                    continue
                if done % TOLD_EVERY == 0:
                    self.progress("Checking objects", done, total)
                done += 1
                self._judge(key, entry, classes)
        self.progress("Checking objects", total, total)

    def _judge(self, key: ObjectKey, entry: Entry, classes: Collection[str]) -> None:
        if entry.unknown:
            self.unknown.see(about(key), entry.unknown, entry.file, entry.line)
        missing = entry.needs_class and entry.needs_class not in classes
        if not (entry.is_wrong or missing):
            self.report.of(entry.kind).taken += 1
            return
        del self.entries[key]
        self._wrong(entry.kind)
        manifest = entry.manifest
        for complaint in self._complaints(entry.kind, manifest) or unknown_class(entry.kind, manifest, classes):
            self._fault(entry, told(complaint), complaint.path, about(key))

    # --- files --------------------------------------------------------------------------------------------------------

    def _read(self, source: Source) -> None:
        def look(head: bytes, size: int) -> None:
            self._tell_reading(source.name)
            if begins_as(head) == "yaml":
                self._bound_yaml(source.name, size)

        with opened(source, self.budget, look) as raw:
            for item in self._items(source.name, as_utf8(source.name, raw)):
                self._take(item)

    def _tell_reading(self, name: str) -> None:
        self.progress(f"Reading {name}", self.items, self.expected if self.sources == 1 else 0)

    def _bound_yaml(self, name: str, size: int) -> None:
        """How to do without is better said at once than after an hour."""
        most, all_files = self.limits.yaml_bytes, self.limits.all_yaml_bytes
        if size > most or self.yaml_bytes + size > all_files:
            wanted = f"expected at most {most // MIB} MiB in a file and {all_files // MIB} MiB in one import"
            message = f"too much YAML, {wanted}: YAML reads slowly. Use JSON: {kinds.KUBECTL}"
            raise FileError(Fault(name, 0, message))

    def _items(self, name: str, data: Data) -> Iterator[Item]:
        form = notation(data)
        if form == "empty":
            raise FileError(Fault(name, 0, "is empty, expected Kubernetes objects as YAML or JSON"))
        if form == "json":
            return read_json(name, data, self.limits, self._found(name))
        self._bound_yaml(name, len(data))
        self.yaml_bytes += len(data)
        try:
            return read_yaml(name, bytes(data[:]).decode("utf-8-sig"), self.limits)
        except UnicodeDecodeError as error:
            line = 1 + bytes(data[: error.start]).count(b"\n")
            raise FileError(Fault(name, line, "not UTF-8 text, expected YAML or JSON")) from None

    def _found(self, name: str) -> Found:
        """Takes how many items are known to be in the value that is read next."""
        before = self.items

        def found(count: int) -> None:
            self.expected = max(self.expected, before + count)
            self._tell_reading(name)

        return found

    # --- objects ------------------------------------------------------------------------------------------------------

    def _take(self, item: Item) -> None:
        self.items += 1
        if self.items % TOLD_EVERY == 0:
            self._tell_reading(item.file)
        if self.items > self.limits.objects:
            raise FileError(Fault(item.file, item.line(""), f"expected at most {self.limits.objects} objects"))
        for action, inner in unfold(item):
            self._object(action, inner)

    def _object(self, action: Action, item: Item) -> None:
        kind = _kind(item)
        if action == "BOOKMARK" or _is_bookmark(item.value):
            self.report.ignore(kind or "bookmark", "a bookmark of a watch, not an object")
        elif action == "ERROR":
            self._fault(item, f"the watch ended with an error: {_status(item.value)}", "", "")
        elif kind and not item.faults and (why := kinds.why_ignored(_api_version(item), kind)):
            self.report.ignore(kind, why)
        elif item.faults:
            self._reading_faults(item, kind)
        elif fault := _shape_fault(item, kind):
            path, message = fault
            self._fault(item, message, path, _about(kind, item.value))
            self._wrong(kind or "object without kind", found=True)
        else:
            self._keep(action, kind, item)

    def _keep(self, action: Action, kind: str, item: Item) -> None:
        manifest = _cleaned(item, kind)
        kind = kind_of(manifest["apiVersion"], kind)
        key = key_of(kind, manifest)
        known = self.entries.get(key)
        entry = self._put_aside(kind, manifest, item)
        if action == "DELETED":
            if known is not None:
                del self.entries[key]
                self.report.of(kind).ignored += 1
                self.report.ignored[kind, "deleted later in the watch"] += 1
            return
        if known is None:
            self.report.of(kind).found += 1
            self.entries[key] = entry
        elif action:
            self.entries[key] = entry
        elif known.manifest == entry.manifest:
            self.report.ignore(kind, "the same object a second time")
        else:
            place = f"{known.file}:{known.line('')}"
            self._fault(item, f"differs from the one in {place}, expected each object once", "", about(key))
            self._wrong(kind, found=True)

    def _put_aside(self, kind: str, manifest: Manifest, item: Item) -> Entry:
        unknown = unknown_fields(manifest)
        strip_nulls(manifest)
        return Entry(
            kind,
            self.texts,
            self.texts.put(msgspec.json.encode(manifest)),
            item.file,
            item.line,
            bool(self._complaints(kind, manifest)),
            class_needed(kind, manifest),
            order_of(manifest),
            newest_us((manifest,)),
            unknown,
        )

    def _complaints(self, kind: str, manifest: Manifest) -> list[Invalid]:
        return complaints(kind, manifest, null_free=True, webhooks=self.webhooks)

    # --- what is wrong ------------------------------------------------------------------------------------------------

    def _reading_faults(self, item: Item, kind: str) -> None:
        for line, message in item.faults:
            self.report.faults.add(Fault(item.file, line, message, _about(kind, item.value)))
        self._wrong(kind or "object without kind", found=True)

    def _fault(self, item: Item | Entry, message: str, path: str, object_: str) -> None:
        faults = self.report.faults
        faults.add(Fault(item.file, item.line(path) if faults.has_room else 0, message, object_))

    def _wrong(self, kind: str, found: bool = False) -> None:
        count = self.report.of(kind)
        count.wrong += 1
        count.found += found


def about(key: ObjectKey) -> str:
    kind, namespace, name = key
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


def _about(kind: str, value: Any) -> str:
    """As much of an object's identity as is there."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if not kind or not isinstance(name, str) or not name:
        return kind
    return about(key_of(kind, value))


def _kind(item: Item) -> str:
    kind = item.value.get("kind") if isinstance(item.value, dict) else None
    return kind if isinstance(kind, str) and kind else item.default_kind


def _api_version(item: Item) -> str:
    version = item.value.get("apiVersion") if isinstance(item.value, dict) else None
    return version if isinstance(version, str) and version else item.default_api_version


ADVICE: dict[type, str] = {
    str: ": save it with kubectl get -o yaml or -o json",
    list: ": write its objects as the items of a List",
}


def _shape_fault(item: Item, kind: str) -> tuple[str, str] | None:
    """The path and the message of what keeps a value from being an object at all."""
    value = item.value
    if not isinstance(value, dict):
        return "", f"expected an object, got {type_name(value)}{ADVICE.get(type(value), '')}"
    for field, default in (("kind", item.default_kind), ("apiVersion", item.default_api_version)):
        got = value.get(field)
        if not isinstance(got or default, str):
            return field, f"{field}: expected text, got {type_name(got)}"
        if not (got or default):
            example = "Pod" if field == "kind" else kinds.API_VERSIONS.get(kind, "v1")
            return "", f"has no {field}, expected one, such as {field}: {example}"
    metadata = value.get("metadata")
    if not isinstance(metadata, dict):
        return "metadata", f"metadata: expected an object, got {type_name(metadata)}"
    for field in ("name", "namespace"):
        if not isinstance(metadata.get(field), str | None):
            return f"metadata.{field}", f"metadata.{field}: expected text, got {type_name(metadata[field])}"
    return None if metadata.get("name") else ("metadata", "metadata.name: is missing, expected a name")


def _is_bookmark(value: Any) -> bool:
    """What a watch sends about once a minute: a pod with a resourceVersion and nothing else."""
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return False
    metadata = value["metadata"]
    given = {name for name, content in metadata.items() if content}
    return "resourceVersion" in given and not given - {"resourceVersion", "annotations"}


def _status(value: Any) -> str:
    message = value.get("message") if isinstance(value, dict) else None
    return str(message or "no message")[:200]


def _cleaned(item: Item, kind: str) -> Manifest:
    """Kind and version first, as every manifest begins; managedFields are bookkeeping of the API server."""
    value = item.value
    version = value.get("apiVersion") or item.default_api_version
    manifest = {"apiVersion": version, "kind": kind, **value}
    manifest["apiVersion"], manifest["kind"] = version, kind
    if "managedFields" in value["metadata"]:
        manifest["metadata"] = {name: content for name, content in value["metadata"].items() if name != "managedFields"}
    return manifest
