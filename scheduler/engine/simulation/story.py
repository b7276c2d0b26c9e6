"""What happened to one pod, told in order from the events of a log."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from scheduler.engine import events
from scheduler.engine.events import Event, Happening
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, GATED, UNSCHEDULABLE

_PLACES = {
    ACTIVE: "activeQ",
    BACKOFF: "backoffQ",
    ERROR_BACKOFF: "the error backoffQ",
    UNSCHEDULABLE: "unschedulablePods",
    GATED: "unschedulablePods, gated",
}


class Chapter(msgspec.Struct, frozen=True):
    """One thing that happened to the pod. `sentence` is for people; `cycle` the attempt that it belongs to, if any."""

    seq: int
    at_us: int
    kind: str
    sentence: str
    cycle: int | None = None


def story(log: Iterable[Event], pod: str) -> list[Chapter]:
    """Everything that these events say about the pod `namespace/name`, oldest first."""
    chapters = []
    for event in log:
        sentence = _sentence(event.happening, pod)
        if sentence:
            cycle = getattr(event.happening, "number", None)
            chapters.append(Chapter(event.seq, event.at_us, event.kind, sentence, cycle))
    return chapters


def _sentence(happening: Happening, pod: str) -> str:
    """What the event says about the pod, "" if it is about something else."""
    if isinstance(happening, (events.ObjectAdded, events.ObjectUpdated, events.ObjectDeleted)):
        return _of_object(happening, pod)
    if getattr(happening, "pod", None) != pod:
        return ""
    if isinstance(happening, events.PodMoved):
        return _moved(happening)
    if isinstance(happening, events.CycleStarted):
        return f"Popped from {_PLACES[happening.source]} for attempt {happening.attempt}."
    if isinstance(happening, events.CycleFinished):
        return _finished(happening)
    if isinstance(happening, events.PodNominated):
        return f"Nominated to node {happening.node}." if happening.node else "Its nomination was taken away."
    return "Left the queue." if isinstance(happening, events.PodUnqueued) else ""


def _of_object(happening: events.ObjectAdded | events.ObjectUpdated | events.ObjectDeleted, pod: str) -> str:
    if events.about(happening) != f"Pod/{pod}":
        return ""
    if isinstance(happening, events.ObjectAdded):
        return "Created."
    if isinstance(happening, events.ObjectUpdated):
        return "Updated."
    if happening.cause == "preempted":
        return f"Evicted to make room for {happening.by}."
    return "Ended: its lifetime was over." if happening.cause == "completed" else "Deleted."


def _moved(move: events.PodMoved) -> str:
    hint = f", on the hint of {move.hint}" if move.hint else ""
    gate = f" by {move.entry.gating_plugin}" if move.entry.gating_plugin else ""
    return f"Moved to {_PLACES[move.target]}{gate} ({move.cause}{hint})."


def _finished(cycle: events.CycleFinished) -> str:
    decision = cycle.decision
    if decision["outcome"] == "bound":
        return f"Placed on node {decision['node']}."
    return decision.get("message") or "The attempt failed."
