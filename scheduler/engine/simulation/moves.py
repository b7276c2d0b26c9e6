"""How a pod changes its place, whatever kind of event says so: pops, bindings and moves between the queues alike."""

from __future__ import annotations

from typing import NamedTuple

from scheduler.engine import events
from scheduler.engine.events import Happening
from scheduler.engine.queue.entry import BACKOFF, IN_FLIGHT

BOUND, GONE = "bound", "gone"
"""Places outside the queues: on a node; deleted, ended or bound from outside."""

POP, POP_FROM_BACKOFF, BIND, REMOVE = "Pop", "PopFromBackoffQ", "Bind", "Remove"
"""Causes that no PodMoved has. PopFromBackoffQ is kube-scheduler's own label."""


class Move(NamedTuple):
    """`source`, `target`: places of `queue.entry`, "" for a pod that was not queued, or one of those above.

    `cause`: the event label. `hint`: the plugin whose queueing hint decided, "" if none did.
    """

    source: str
    target: str
    cause: str
    hint: str = ""


def move_of(happening: Happening) -> Move | None:
    """The move that an event of the log is; None for one that moves no pod by itself."""
    if isinstance(happening, events.PodMoved):
        return Move(happening.source, happening.target, happening.cause, happening.hint)
    if isinstance(happening, events.PodUnqueued):
        return Move(happening.source, GONE, REMOVE)
    if isinstance(happening, events.CycleStarted):
        return Move(happening.source, IN_FLIGHT, POP_FROM_BACKOFF if happening.source == BACKOFF else POP)
    if isinstance(happening, events.CycleFinished) and happening.decision["outcome"] == "bound":
        return Move(IN_FLIGHT, BOUND, BIND)
    return None
