"""What a batch of events leaves behind, key by key: the last word on each object, pod and queue place."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Any, NamedTuple, TypedDict

from scheduler.engine import events as happenings
from scheduler.engine.events import Event
from scheduler.engine.objects import ObjectKey, key_of, merge_patch
from scheduler.engine.simulation.clock import to_rfc3339

PodKey = tuple[str, str]
"""(namespace, name)"""


def pod_key(text: str) -> PodKey:
    namespace, _, name = text.partition("/")
    return namespace, name


class ObjectState(NamedTuple):
    """An object's newest manifest, the seq that set it, and the virtual µs of the first event on it in this batch."""

    manifest: dict[str, Any]
    seq: int
    created_us: int


class Patch(TypedDict, total=False):
    """What scheduling itself writes into a pod's manifest."""

    node: str
    started: str
    nominated: str


class Merges(NamedTuple):
    """JSON merge patches of a stored manifest, oldest first, and the seq of the last one."""

    patches: tuple[dict[str, Any], ...]
    seq: int


@dataclass(slots=True)
class Changes:
    """`pods`: columns to overwrite of every pod that may stand differently now, waiting or not.

    `merges`: of objects that this batch patches without having written them whole before.
    """

    objects: dict[ObjectKey, ObjectState] = field(default_factory=dict)
    added: set[ObjectKey] = field(default_factory=set)
    deleted: set[ObjectKey] = field(default_factory=set)
    patches: dict[PodKey, Patch] = field(default_factory=dict)
    merges: dict[ObjectKey, Merges] = field(default_factory=dict)
    pods: dict[PodKey, dict[str, Any]] = field(default_factory=dict)
    configuration: dict[str, Any] | None = None
    configuration_seq: int = 0
    reset_to: int | None = None

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Changes":
        changes = cls()
        for event in events:
            changes.take(event.happening, event)
        return changes

    def pod(self, key: PodKey, event: Event, **columns: Any) -> None:
        self.pods.setdefault(key, {}).update(columns, changed_seq=event.seq)

    def patch(self, key: PodKey, **fields: str) -> None:
        self.patches.setdefault(key, {}).update(fields)  # type: ignore[typeddict-item]

    def put(self, key: ObjectKey, manifest: dict[str, Any], event: Event) -> None:
        first = self.objects.get(key)
        self.objects[key] = ObjectState(manifest, event.seq, first.created_us if first else event.at_us)
        self.merges.pop(key, None)
        if key[0] == "Pod":
            self.patches.pop(key[1:], None)
            self.pod(key[1:], event)

    @singledispatchmethod
    def take(self, happening: Any, event: Event) -> None:
        """Events that leave no trace in the tables (clock, phases, in-flight notes) fall through to here."""

    @take.register
    def _(self, happening: happenings.ClusterCreated, event: Event) -> None:
        self.configuration, self.configuration_seq = happening.configuration, event.seq

    @take.register
    def _(self, happening: happenings.ProfileChanged, event: Event) -> None:
        self.configuration, self.configuration_seq = happening.configuration, event.seq

    @take.register
    def _(self, happening: happenings.ObjectAdded, event: Event) -> None:
        key = key_of(happening.object_kind, happening.manifest)
        self.added.add(key)
        self.put(key, happening.manifest, event)

    @take.register
    def _(self, happening: happenings.ObjectUpdated, event: Event) -> None:
        self.put(key_of(happening.object_kind, happening.manifest), happening.manifest, event)

    @take.register
    def _(self, happening: happenings.ObjectPatched, event: Event) -> None:
        key = (happening.object_kind, happening.namespace, happening.name)
        if known := self.objects.get(key):
            self.objects[key] = ObjectState(merge_patch(known.manifest, happening.patch), event.seq, known.created_us)
        else:
            before = self.merges[key].patches if key in self.merges else ()
            self.merges[key] = Merges((*before, happening.patch), event.seq)
        if key[0] == "Pod":
            self.pod(key[1:], event)

    @take.register
    def _(self, happening: happenings.ObjectDeleted, event: Event) -> None:
        key = (happening.object_kind, happening.namespace, happening.name)
        if key in self.added:
            self.added.discard(key)
        else:
            self.deleted.add(key)
        self.objects.pop(key, None)
        self.merges.pop(key, None)
        if happening.object_kind == "Pod":
            self.patches.pop(key[1:], None)
            self.pods[key[1:]] = {}

    @take.register
    def _(self, happening: happenings.PodMoved, event: Event) -> None:
        self.pod(pod_key(happening.pod), event)

    @take.register
    def _(self, happening: happenings.PodUnqueued, event: Event) -> None:
        self.pod(pod_key(happening.pod), event)

    @take.register
    def _(self, happening: happenings.CycleStarted, event: Event) -> None:
        self.pod(pod_key(happening.pod), event, attempts=happening.attempt)

    @take.register
    def _(self, happening: happenings.CycleFinished, event: Event) -> None:
        key, decision = pod_key(happening.pod), happening.decision
        self.pod(key, event)
        if decision["outcome"] == "bound":
            self.patch(key, node=decision["node"], started=to_rfc3339(event.at_us))

    @take.register
    def _(self, happening: happenings.PodNominated, event: Event) -> None:
        key = pod_key(happening.pod)
        self.pod(key, event)
        self.patch(key, nominated=happening.node)

    @take.register
    def _(self, happening: happenings.ResetDone, event: Event) -> None:
        self.reset_to = happening.to_seq
