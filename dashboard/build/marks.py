"""The timeline: what happened, each event as a mark on one of three tracks."""

from typing import Any

from django.db.models import QuerySet

from dashboard.payloads.board import Mark
from scheduler.engine.words import count
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
SCENARIO_KINDS = ("ScenarioLoaded", "ScenarioStepPlayed", "ScenarioCancelled")
OTHER_KINDS = ("CycleFinished", "PodMoved", "ProfileChanged", "Reset", *SCENARIO_KINDS)


def marks(cluster_id: int, up_to: int, after: int = 0, limit: int = MARK_LIMIT) -> list[Mark]:
    """The newest `limit` marks with after < seq ≤ up_to, oldest first. What a cluster was made with is one mark."""
    born = born_seq(cluster_id)
    rows = Event.objects.filter(cluster_id=cluster_id, seq__gt=max(after, born), seq__lte=up_to).order_by("-seq")
    # Manifests are large and the title does not need them.
    objects = rows.filter(kind__in=OBJECT_KINDS).defer("payload")[:limit]
    others = rows.filter(kind__in=OTHER_KINDS)[:limit]
    told = [*others, *_of_controllers(rows, limit)]
    made = [mark(row, {}) for row in objects] + [mark(row, row.payload) for row in told]
    if after == 0:
        made += [mark(row, {}) for row in Event.objects.filter(cluster_id=cluster_id, seq=1).defer("payload")]
    return sorted(made, key=lambda one: one["seq"])[-limit:]


def _of_controllers(rows: QuerySet[Event], limit: int) -> list[Event]:
    """Looks at a workload that led to something, and warnings. What goes as it should has marks in its objects."""
    looks = list(rows.filter(kind="Reconciled")[:limit])
    after = Event.objects.filter(cluster_id=looks[0].cluster_id if looks else 0, seq__in=[row.seq + 1 for row in looks])
    led = set(after.filter(kind__in=(*OBJECT_KINDS, "EventRecorded")).values_list("seq", flat=True)) if looks else ()
    warnings = [row for row in rows.filter(kind="EventRecorded")[:limit] if row.payload["type"] == "Warning"]
    return [*(row for row in looks if row.seq + 1 in led), *warnings]


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
    elif row.kind in SCENARIO_KINDS:
        made["sign"], made["title"] = "scenario", _of_scenario(row.kind, payload)
    elif row.kind == "Reconciled":
        made["sign"], made["title"] = "controller", f"The controller of {_name(payload)} acted"
    elif row.kind == "EventRecorded":
        made["sign"], made["title"] = "error", f"{_name(payload)}: {payload['reason']}: {payload['message']}"[:200]
    elif row.kind == "Reset":
        made["title"] = f"Back to event {payload['to_seq']}"
    else:
        made["title"] = "Cluster created"
    return made


def _of_scenario(kind: str, payload: dict[str, Any]) -> str:
    if kind == "ScenarioLoaded":
        return f"Scenario {payload['name']} planned: {count(len(payload['steps']), 'step')}"
    if kind == "ScenarioCancelled":
        return f"Scenario cancelled: {count(payload['steps'], 'step')} will not be played"
    refused = f", refused: {payload['refused']}" if payload.get("refused") else ""
    return f"Scenario step {payload['number']}: {payload['action']} {_name(payload)}{refused}"[:200]


def _name(payload: dict[str, Any]) -> str:
    return f"{payload['object_kind']} {payload['namespace']}/{payload['name']}".replace(" /", " ")


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
