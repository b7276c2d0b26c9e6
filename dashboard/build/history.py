"""A pod's way through queues and attempts, as the log tells it: one line an event, newest first."""

from typing import NamedTuple

from dashboard.build.marks import QUEUES
from scheduler.engine.explain.causes import named
from scheduler.models import Event

LINES = 200
SIGNS = {"bound": "tick", "unschedulable": "cross", "error": "warn"}

POPPED = {
    "active": "popped from ActiveQ",
    "backoff": "popped from BackoffQ before its backoff ended, because ActiveQ was empty",
}


class Line(NamedTuple):
    """`sign`: an icon; `cycle`: its number where one can be opened."""

    seq: int
    at_us: int
    sign: str
    text: str
    detail: str = ""
    cycle: int | None = None


def history(cluster_id: int, key: str, up_to: int, limit: int = LINES) -> list[Line]:
    """What happened to the pod `namespace/name` up to that event."""
    rows = Event.objects.filter(cluster_id=cluster_id, object_key=f"Pod/{key}", seq__lte=up_to)
    rows = rows.order_by("-seq")[:limit]
    return [_line(row) for row in rows]


def _line(row: Event) -> Line:
    payload = row.payload
    if row.kind == "PodMoved":
        return _moved(row)
    if row.kind == "CycleStarted":
        text, popped = f"Attempt {payload['attempt']} began", POPPED[payload["source"]]
        return Line(row.seq, row.at_us, "run", text, popped, row.cycle)
    if row.kind == "CycleFinished":
        return _finished(row)
    if row.kind == "PodNominated":
        node = payload["node"]
        return Line(row.seq, row.at_us, "bolt", f"Nominated to {node}" if node else "Nomination taken back")
    texts = {
        "ObjectAdded": ("plus", "Created"),
        "ObjectUpdated": ("pen", "Changed"),
        "ObjectDeleted": ("minus", "Deleted"),
    }
    sign, text = texts.get(row.kind, ("out", "Left the queues"))
    if payload.get("cause") == "evicted":
        text = f"Evicted from {payload['by']}"
    return Line(row.seq, row.at_us, sign, text, f"by {row.actor}" if row.actor else "")


def _moved(row: Event) -> Line:
    payload = row.payload
    target, source = (QUEUES.get(payload[end], payload[end]) for end in ("target", "source"))
    detail = named(payload["cause"]) + (f" · hint {payload['hint']}" if payload.get("hint") else "")
    text = f"To {target}" if payload["source"] in ("", "in_flight") else f"{source} → {target}"
    return Line(row.seq, row.at_us, "right", text, detail)


def _finished(row: Event) -> Line:
    decision = row.payload["decision"]
    outcome = decision["outcome"]
    text = (
        f"Placed on {decision['node']}" if outcome == "bound" else "Refused" if outcome == "unschedulable" else "Error"
    )
    return Line(row.seq, row.at_us, SIGNS[outcome], text, decision.get("message", ""), row.cycle)
