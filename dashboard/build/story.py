"""Why a pod was, or was not, retried: events of the log, and what each plugin that refused the pod says to them.

Moves are in the log, those by a timer as well; what left the pod where it was is asked anew, on the state just before
each event.
"""

from typing import Any, NamedTuple

from django.db.models import Q

from dashboard.build.conclusion import conclusion
from dashboard.build.marks import DONE
from dashboard.build.records import counting
from dashboard.payloads.story import PodStory, StoryAnswer, StoryEvent
from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.events import Happening
from scheduler.engine.explain.causes import meaning
from scheduler.engine.hints.event import (
    ATTEMPT_FAILURE,
    BACKOFF_COMPLETE,
    FORCE_ACTIVATE,
    RESOURCES,
    UNSCHEDULABLE_TIMEOUT,
)
from scheduler.engine.queue.entry import UNSCHEDULABLE
from scheduler.engine.simulation.moves import POP_FROM_BACKOFF, move_of
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.story_hints import Reasoned, reasoned
from scheduler.engine.simulation.time import flushed_us
from scheduler.models import Cluster, Event

CHANGES, BINDINGS, TIMERS = 30, 10, 10  # events of each kind that are looked at
FARTHEST = 20_000  # events between the first and the last one looked at
KINDS = ("Node", *RESOURCES)
WHAT = {
    UNSCHEDULABLE_TIMEOUT.label: "The periodic flush",
    BACKOFF_COMPLETE: "Its backoff ended",
    POP_FROM_BACKOFF: "Taken early from BackoffQ",
    FORCE_ACTIVATE.label: "A retry was asked for",
}
"""Retries that no change of an object caused, by the cause of their move."""


class Told(NamedTuple):
    row: Event
    what: str


def story(cluster: Cluster, key: str, up_to: int, chosen: int | None = None) -> PodStory:
    """The newest events that could concern the pod `namespace/name`, and `chosen`, each with its answers."""
    rows = candidates(cluster, key, up_to)
    near = [row for row in rows if row.seq > rows[0].seq - FARTHEST]
    if chosen is not None and chosen not in {row.seq for row in near}:
        near += Event.objects.filter(cluster=cluster, seq=chosen, seq__lte=up_to)
    near = [row for row in near if row.seq > 1]  # before the first event there was no cluster to ask
    near.sort(key=lambda row: row.seq)  # states are cheapest in the order of the log
    events = [weigh(cluster, key, row) for row in near]
    left_out = len(rows) - len(near)
    return {
        "pod": key,
        "seq": up_to,
        "events": events[::-1],
        "flush_us": _flush(cluster, key, up_to),
        "left_out": left_out,
    }


def _flush(cluster: Cluster, key: str, up_to: int) -> int | None:
    with store.reading(cluster.pk, up_to) as simulation:
        queued = simulation.queued(key)
        if queued is None or queued.place != UNSCHEDULABLE:
            return None
        return flushed_us(simulation, queued.entry.timestamp_us)


def candidates(cluster: Cluster, key: str, up_to: int) -> list[Event]:
    """Events since the pod's arrival that may wake a waiting pod, newest first."""
    born = Event.objects.filter(cluster=cluster, object_key=f"Pod/{key}", target__gt="").order_by("seq").first()
    if born is None:
        return []
    since = Event.objects.filter(counting(cluster.pk, up_to), cluster=cluster, seq__gt=born.seq).order_by("-seq")
    wakes = Q(object_key=f"Pod/{key}") | Q(kind="ObjectDeleted") | ~Q(object_key__startswith="Pod/")
    changes = since.filter(wakes, kind__in=tuple(DONE))[:CHANGES]
    bindings = since.filter(kind="CycleFinished", outcome="bound").exclude(object_key=f"Pod/{key}")[:BINDINGS]
    timers = since.filter(object_key=f"Pod/{key}", cause__in=tuple(WHAT))[:TIMERS]
    found = {row.seq: row for row in (*changes, *bindings) if _may_concern(row, key)} | {row.seq: row for row in timers}
    return [found[seq] for seq in sorted(found, reverse=True)]


def _may_concern(row: Event, key: str) -> bool:
    kind = row.object_key.partition("/")[0]
    own = row.object_key == f"Pod/{key}"
    return kind in KINDS or (kind == "Pod" and not (own and row.kind in ("ObjectAdded", "ObjectDeleted")))


def weigh(cluster: Cluster, key: str, row: Event) -> StoryEvent:
    """One event: where the pod was, what its plugins say, and what became of it."""
    happening = codec.event_from_row(row.seq, row.at_us, row.version, row.kind, row.payload).happening
    move = _own_move(row, happening) or _move_after(cluster, key, row)
    with store.reading(cluster.pk, row.seq - 1) as before:
        told = reasoned(before, happening, key)
        said = conclusion(before, key, told, move)
        place = _place(before, key)
    return {
        "seq": row.seq,
        "at_us": row.at_us,
        "what": _what(row),
        "cycle": row.cycle,
        "place": place,
        "moved": move["target"] if move else "",
        "cause": move["cause"] if move else "",
        "means": meaning(move["cause"]) if move else "",
        "outcome": "moved" if move else "stayed" if told else "not_asked",
        "conclusion": said,
        "answers": [_answer(one) for one in told],
    }


def _place(before: Simulation, key: str) -> str:
    queued = before.queued(key)
    return queued.place if queued else ""


def _answer(one: Reasoned) -> StoryAnswer:
    helps = one.answer.helps
    return {
        "plugin": one.answer.plugin,
        "event": one.answer.event,
        "means": meaning(one.answer.event),
        "verdict": "deaf" if helps is None else "queue" if helps else "skip",
        "because": one.because,
    }


def _what(row: Event) -> str:
    """`Node worker-3 added`, `Pod default/web placed on node-1`."""
    if row.cause in WHAT:
        return WHAT[row.cause]
    kind, _, name = row.object_key.partition("/")
    if row.kind == "CycleFinished":
        return f"Pod {name} placed on {row.payload['decision']['node']}"
    return f"{kind} {name.removeprefix('/')} {DONE[row.kind]}" if row.kind in DONE else row.kind


def _own_move(row: Event, happening: Happening) -> dict[str, Any] | None:
    """The move that the event is itself, if a timer or somebody's wish caused it."""
    move = move_of(happening) if row.cause in WHAT else None
    return None if move is None else move._asdict()


def _move_after(cluster: Cluster, key: str, row: Event) -> dict[str, Any] | None:
    """The pod's move that this event caused: its first one before anything else happened."""
    later = Event.objects.filter(cluster=cluster, seq__gt=row.seq)
    next_change = later.filter(kind__in=(*DONE, "CycleStarted", "CycleFinished")).order_by("seq")
    end = next_change.values_list("seq", flat=True).first()
    moves = later.filter(object_key=f"Pod/{key}", kind="PodMoved", at_us=row.at_us)
    if end is not None:
        moves = moves.filter(seq__lt=end)
    for payload in moves.order_by("seq").values_list("payload", flat=True)[:3]:
        if payload["cause"] not in (*WHAT, ATTEMPT_FAILURE):
            return dict(payload)
    return None
