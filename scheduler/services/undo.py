"""Taking back the last thing that happened: found in the log, described, then undone by a reset to before it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scheduler import store
from scheduler.engine.errors import Refused
from scheduler.models import Checkpoint, Cluster, Event
from scheduler.services.clusters import cluster_reset, grown
from scheduler.services.commit import Committed

LOOKED_BACK = 2_000  # events: one action with more consequences is undone by naming the event to go back to
OBJECTS = {"ObjectAdded": "added", "ObjectUpdated": "changed", "ObjectDeleted": "deleted"}
BEGINNINGS = {"Reconciled", "CycleStarted", "PhaseReached", "ProfileChanged", "ScenarioLoaded", "ScenarioCancelled"}
BY_TIMER = {"BackoffComplete": "the flush of BackoffQ", "UnschedulableTimeout": "the flush of Unschedulable"}
BY_HAND = {"ForceActivate": "the activation of pods"}
CONSEQUENCES = ("preempted", "evicted", "owner deleted", "namespace deleted")
BINDING = ("PersistentVolume", "PersistentVolumeClaim")


@dataclass(frozen=True, slots=True)
class Undoable:
    """`text`: what is taken back (`cycle 12: shop/web-7 placed on node-3`). `head`: the log's end it was found at."""

    text: str
    to_seq: int
    head: int


def undoable(cluster_id: int) -> Undoable:
    """The last action that still counts. Raises `Refused` where there is nothing to take back."""
    found = undoables(cluster_id, 1)
    if not found:
        raise Refused("There is nothing to undo: the cluster is as it was made.")
    return found[0]


def undoables(cluster_id: int, most: int) -> list[Undoable]:
    """The last actions that still count, at most so many, newest first: each with all that came after it."""
    head = Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id)
    return list(islice(_actions(cluster_id, head), most))


def undo(cluster_id: int, actor: str = "", head: int | None = None) -> tuple[Undoable, Committed]:
    """Take the last action back. `head`: the end of the log that the person saw; `Refused` if it has grown."""
    must_rest(cluster_id)
    found = undoable(cluster_id)
    if head is not None and head != found.head:
        raise Refused(f"{grown(cluster_id, head, actor)} Look again at what would be.")
    return found, cluster_reset(cluster_id, found.to_seq, actor, head=found.head)


def last_action(cluster_id: int, seq: int) -> Undoable | None:
    """The last action that counts in the state of event `seq`."""
    return next(_actions(cluster_id, seq), None)


def undo_to(cluster_id: int, to_seq: int, actor: str, head: int) -> Committed:
    """Take back all that came after event `to_seq`, in one act. `head`: the event that must still be the last one."""
    must_rest(cluster_id)
    return cluster_reset(cluster_id, to_seq, actor, head=head)


def must_rest(cluster_id: int) -> None:
    """Raises `Refused` while it runs: what would be taken back changes under one's hands."""
    if Cluster.objects.values_list("wanted", flat=True).get(pk=cluster_id) == Cluster.Wanted.RUNNING:
        raise Refused("Pause first: the cluster is running.")


def _actions(cluster_id: int, head: int) -> Iterator[Undoable]:
    """Newest first. Where the log is not read to an action's beginning, none is told but the newest."""
    born = Checkpoint.objects.filter(cluster_id=cluster_id).order_by("seq").values_list("seq", flat=True).first() or 1
    first = True
    for stretch in reversed(store.lineage(cluster_id, head)):
        rows = _rows(cluster_id, max(stretch.after, born), stretch.last)
        is_cut = len(rows) == LOOKED_BACK
        while rows:
            row = _beginning(rows)
            if is_cut and row is rows[-1] and not first:
                return
            yield Undoable(_described(row, rows), row.seq - 1, head)
            rows, first = [one for one in rows if one.seq < row.seq], False
        if stretch.after < born:
            return


def _rows(cluster_id: int, after: int, last: int) -> list[Event]:
    """Newest first."""
    rows = Event.objects.filter(cluster_id=cluster_id, seq__gt=after, seq__lte=last).order_by("-seq")
    return list(rows.defer("cluster")[:LOOKED_BACK])


def _beginning(rows: list[Event]) -> Event:
    """The event with which the last action began."""
    for place, row in enumerate(rows):
        earlier = rows[place + 1] if place + 1 < len(rows) else None
        if row.kind == "CycleFinished":
            return _beginning_of_cycle(rows, place)
        if _begins(row, earlier, rows[place + 1 :]):
            return row
    return rows[-1]


def _beginning_of_cycle(rows: list[Event], place: int) -> Event:
    """A step took the whole cycle; where its phases were shown one by one, only its end is taken back."""
    end = rows[place]
    for at, row in enumerate(rows[place + 1 :], place + 1):
        if row.cycle == end.cycle and row.kind in ("CycleStarted", "PhaseReached"):
            return row if row.kind == "CycleStarted" else rows[at - 1]
        if row.kind in OBJECTS and not row.payload.get("cause"):
            return rows[at - 1]
    return end


def _begins(row: Event, earlier: Event | None, before: list[Event]) -> bool:
    if row.kind in BEGINNINGS or row.kind == "ScenarioStepPlayed":
        return True
    if row.kind == "ObjectPatched":
        return not (_by_binding(row, before) or _by_controller(row, before))
    if row.kind in OBJECTS:
        if _by_controller(row, before) or _ends_a_job(row, earlier) or _made_anew(row, before):
            return False
        played = earlier is not None and earlier.kind == "ScenarioStepPlayed" and not earlier.payload.get("refused")
        return not (played or row.payload.get("cause") in CONSEQUENCES or _by_binding(row, before))
    if row.kind == "PodMoved" and row.payload["cause"] in BY_TIMER | BY_HAND:
        return earlier is None or not _alike(row, earlier)
    return row.kind == "ClockAdvanced"


def _by_controller(row: Event, before: list[Event]) -> bool:
    """Whether it belongs to the reconcile of a workload: what controllers make is owned, what they delete has a cause.

    A claim of a StatefulSet's pod has no owner, but comes between others of its reconcile.
    """
    looked = next((one for one in before if one.kind == "Reconciled" or one.at_us < row.at_us), None)
    if looked is None or looked.kind != "Reconciled" or looked.at_us < row.at_us:
        return False
    if row.kind in ("ObjectPatched", "ObjectDeleted"):
        return row.kind == "ObjectPatched" or bool(row.payload.get("cause"))
    metadata = row.payload["manifest"].get("metadata") or {}
    owned = any(one.get("controller") for one in metadata.get("ownerReferences") or ())
    return owned or row.object_key.startswith("PersistentVolumeClaim/")


def _ends_a_job(row: Event, earlier: Event | None) -> bool:
    """A pod that ran to its end; its Job has counted it."""
    counted = earlier is not None and earlier.kind == "ObjectPatched" and earlier.object_key.startswith("Job/")
    return row.payload.get("cause") == "completed" and counted


def _made_anew(row: Event, before: list[Event]) -> bool:
    """A pod that comes back, at the same moment, under the name under which it was evicted."""
    if row.kind != "ObjectAdded" or not row.object_key.startswith("Pod/"):
        return False
    last = next((one for one in before if one.object_key == row.object_key or one.at_us < row.at_us), None)
    evicted = last is not None and last.kind == "ObjectDeleted" and last.payload.get("cause") == "evicted"
    return evicted and last is not None and last.at_us == row.at_us


def _by_binding(row: Event, before: list[Event]) -> bool:
    """PreBind writes volumes and claims right after its cycle's end."""
    if row.object_key.partition("/")[0] not in BINDING:
        return False
    ended = next((one for one in before if one.kind == "CycleFinished"), None)
    return ended is not None and ended.at_us == row.at_us and bool(ended.payload["decision"].get("volumes"))


def _alike(row: Event, earlier: Event) -> bool:
    return earlier.kind == "PodMoved" and (earlier.at_us, earlier.payload["cause"]) == (row.at_us, row.payload["cause"])


def _described(row: Event, rows: list[Event]) -> str:
    by = f" by {row.actor}" if row.actor and row.kind in OBJECTS else ""
    kind, _, name = row.object_key.partition("/")
    name = name.removeprefix("/")
    if row.kind in OBJECTS:
        done = "ended" if row.payload.get("cause") == "completed" else OBJECTS[row.kind]
        return f"{kind} {name} {done}{by}"
    if row.cycle is not None and row.kind != "PhaseReached":
        return _cycle_told(row, rows)
    texts = {
        "Reconciled": f"the reconcile of {kind} {name}",
        "ObjectPatched": f"Pod {name} ready" if kind == "Pod" else f"a change of {kind} {name}",
        "PhaseReached": f"phase {row.payload.get('phase')} of cycle {row.cycle}",
        "ProfileChanged": "the change of profiles or settings",
        "ScenarioLoaded": f"the scenario {row.payload.get('name')}",
        "ScenarioCancelled": "the cancelling of the scenario",
        "ScenarioStepPlayed": _step_told(row.payload),
        "ClockAdvanced": "the moving of the clock",
    }
    moved = BY_TIMER | BY_HAND
    return texts.get(row.kind) or moved.get(row.payload.get("cause", "")) or f"event {row.seq} ({row.kind})"


def _step_told(payload: dict[str, Any]) -> str:
    name = "/".join(filter(None, (payload.get("namespace"), payload.get("name"))))
    return f"a step of the scenario: {payload.get('action')} {payload.get('object_kind')} {name}"


def _cycle_told(row: Event, rows: list[Event]) -> str:
    end = next((one for one in rows if one.kind == "CycleFinished" and one.cycle == row.cycle), None)
    if end is None:
        return f"the Pop of {row.payload.get('pod')} (cycle {row.cycle})"
    decision = end.payload["decision"]
    outcome = {"bound": f"placed on {decision.get('node')}", "unschedulable": "refused"}.get(end.outcome, "failed")
    return f"cycle {row.cycle}: {end.payload['pod']} {outcome}"
