"""The timeline: what happened, each event as a mark on one of three tracks."""

from typing import Any

from dashboard.payloads import Mark
from scheduler.models import Checkpoint, Event

MARK_LIMIT = 400
QUEUES = {
    "": "nowhere",
    "active": "ActiveQ",
    "backoff": "BackoffQ",
    "error_backoff": "BackoffQ",
    "unschedulable": "Unschedulable",
    "gated": "Gated",
    "in_flight": "in flight",
}
DONE = {"ObjectAdded": "added", "ObjectUpdated": "changed", "ObjectPatched": "bound", "ObjectDeleted": "deleted"}
OBJECT_KINDS = tuple(DONE)
OTHER_KINDS = ("CycleFinished", "PodMoved", "ProfileChanged", "Reset")


def marks(cluster_id: int, up_to: int, after: int = 0, limit: int = MARK_LIMIT) -> list[Mark]:
    """The newest `limit` marks with after < seq ≤ up_to, oldest first. What a cluster was made with is one mark."""
    born = born_seq(cluster_id)
    rows = Event.objects.filter(cluster_id=cluster_id, seq__gt=max(after, born), seq__lte=up_to).order_by("-seq")
    # Manifests are large and the title does not need them.
    objects = rows.filter(kind__in=OBJECT_KINDS).defer("payload")[:limit]
    others = rows.filter(kind__in=OTHER_KINDS)[:limit]
    made = [mark(row, {}) for row in objects] + [mark(row, row.payload) for row in others]
    if after == 0:
        made += [mark(row, {}) for row in Event.objects.filter(cluster_id=cluster_id, seq=1).defer("payload")]
    return sorted(made, key=lambda one: one["seq"])[-limit:]


def born_seq(cluster_id: int) -> int:
    """The last event that was written together with the cluster itself: that of its first checkpoint."""
    first = Checkpoint.objects.filter(cluster_id=cluster_id).order_by("seq").values_list("seq", flat=True).first()
    return first or 1


def mark(row: Event, payload: dict[str, Any]) -> Mark:
    made: Mark = {"seq": row.seq, "at_us": row.at_us, "track": "events", "sign": "object", "title": row.kind}
    if row.kind == "CycleFinished":
        _finished(made, row, payload["pod"], payload["decision"])
    elif row.kind == "PodMoved":
        made["track"], made["sign"] = "moves", "move"
        source, target = (QUEUES.get(payload[end], payload[end]) for end in ("source", "target"))
        made["title"] = f"{payload['pod']}: {source} → {target} ({payload['cause']})"
    elif row.kind in DONE:
        kind, _, name = row.object_key.partition("/")
        made["sign"] = "node" if kind == "Node" else "object"
        made["title"] = f"{kind} {name.removeprefix('/')} {DONE[row.kind]}"
    elif row.kind == "ProfileChanged":
        made["sign"], made["title"] = "profile", "Profiles changed"
    elif row.kind == "Reset":
        made["title"] = f"Back to event {payload['to_seq']}"
    else:
        made["title"] = "Cluster created"
    return made


def _finished(made: Mark, row: Event, pod: str, decision: dict[str, Any]) -> None:
    made["track"], made["cycle"] = "cycles", row.cycle or 0
    outcome = decision["outcome"]
    if outcome == "bound":
        made["sign"], made["title"] = "placed", f"{pod} placed on {decision['node']}"
    elif decision.get("victims"):
        made["sign"], made["title"] = "preemption", f"{pod} preempts on {decision.get('nominated_node', '')}"
    else:
        made["sign"] = "refused" if outcome == "unschedulable" else "error"
        made["title"] = f"{pod}: {decision.get('message', '')}"[:200]
