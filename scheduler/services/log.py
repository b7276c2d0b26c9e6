"""Events as rows of the log."""

from collections.abc import Iterable
from typing import Any

from scheduler.engine.codec import codec
from scheduler.engine.events import CycleFinished
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.moves import move_of
from scheduler.models import Event
from scheduler.services.sql import insert_values, values


def append(cluster_id: int, events: Iterable[Happened], actor: str = "") -> None:
    """Must run inside the transaction that moves the head of the log."""
    given = {"cluster_id": cluster_id, "actor": actor[:150]}
    insert_values(Event, [values(Event, columns_of(event) | given) for event in events])


def columns_of(event: Happened) -> dict[str, Any]:
    """All columns but the cluster and the actor; the payload as JSON text."""
    return {
        "outcome": outcome_of(event),
        "payload": codec.payload_text(event),
        **codec.event_head(event),
        **columns_of_move(event),
    }


def outcome_of(event: Happened) -> str:
    happening = event.happening
    return str(happening.decision["outcome"]) if isinstance(happening, CycleFinished) else ""


def columns_of_move(event: Happened) -> dict[str, str]:
    """From where to where the event moves a pod, and why; {} if it moves none."""
    move = move_of(event.happening)
    return {} if move is None else {**move._asdict(), "cause": move.cause[:64], "hint": move.hint[:100]}
