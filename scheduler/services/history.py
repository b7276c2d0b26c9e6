"""How one object came to be as it is: its versions in the log, who made them, and the undoing of one edit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler import store
from scheduler.engine.errors import Refused
from scheduler.engine.objects import ObjectKey
from scheduler.engine.objects.patch import merge_patch
from scheduler.engine.words import listed
from scheduler.models import Cluster, Event
from scheduler.services import merge
from scheduler.services.commit import Committed
from scheduler.services.objects import manifest_of, object_replace

Manifest = dict[str, Any]
MOST = 500  # newest events of one object that are looked at
KINDS = ("ObjectAdded", "ObjectUpdated", "ObjectPatched", "ObjectDeleted")


@dataclass(frozen=True, slots=True)
class Version:
    """One event about an object. `before`, `after`: its manifest; None where there is none, or it is not known."""

    seq: int
    at_us: int
    kind: str
    actor: str
    cause: str
    before: Manifest | None
    after: Manifest | None

    @property
    def can_be_undone(self) -> bool:
        return self.kind == "ObjectUpdated" and self.before is not None and self.before != self.after


def versions(cluster_id: int, key: ObjectKey) -> list[Version]:
    """Newest first; what was undone does not count."""
    found: list[Version] = []
    now: Manifest | None = None
    for row in _rows(cluster_id, key):
        before, now = now, _after(row, now)
        cause = str(row.payload.get("cause") or "")
        found.append(Version(row.seq, row.at_us, row.kind, row.actor, cause, before, now))
    return found[::-1]


def edit_undo(cluster_id: int, key: ObjectKey, seq: int, actor: str = "") -> Committed:
    """Take one edit back by another edit, and keep what was changed since. Raises `Refused`, `Invalid`, `Overtaken`."""
    edit = next((one for one in versions(cluster_id, key) if one.seq == seq), None)
    if edit is None or not edit.can_be_undone or edit.before is None:
        raise Refused(f"Event {seq} is no edit of this object that could be taken back.")
    current = manifest_of(cluster_id, key)
    wanted, clashes = merge.merged(edit.after, edit.before, current)
    if clashes:
        raise Refused(f"After event {seq} {listed(clashes)} was changed again; take the later edit back first.")
    if wanted == current:
        raise Refused(f"Nothing is left of the edit of event {seq}.")
    return object_replace(cluster_id, wanted, current, actor)


def _rows(cluster_id: int, key: ObjectKey) -> Sequence[Event]:
    """Oldest first, of the events that still count."""
    head = Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id)
    told = Event.objects.filter(cluster_id=cluster_id, object_key="/".join(key), seq__lte=head)
    rows = told.filter(kind__in=KINDS) | told.filter(kind="CycleFinished", outcome="bound")
    counting = list(store.lineage(cluster_id, head))
    return [row for row in reversed(rows.order_by("-seq")[:MOST]) if _counts(row.seq, counting)]


def _counts(seq: int, lineage: Iterable[store.Stretch]) -> bool:
    return any(part.after < seq <= part.last for part in lineage)


def _after(row: Event, before: Manifest | None) -> Manifest | None:
    payload: dict[str, Any] = row.payload
    if row.kind in ("ObjectAdded", "ObjectUpdated"):
        manifest: Manifest = payload["manifest"]
        return manifest
    if row.kind == "ObjectDeleted" or before is None:
        return None
    if row.kind == "ObjectPatched":
        return merge_patch(before, payload["patch"])
    return {**before, "spec": {**(before.get("spec") or {}), "nodeName": payload["decision"]["node"]}}
