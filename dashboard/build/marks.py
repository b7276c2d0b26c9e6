"""The timeline: what happened, each event as a mark on one of three tracks."""

from collections.abc import Sequence
from typing import Any

from dashboard.build.acted import acts, statuses_written
from dashboard.build.united.told import Told
from dashboard.payloads.board import Mark
from scheduler import store
from scheduler.engine.explain.causes import named
from scheduler.engine.queue.entry import BACKOFF, ERROR_BACKOFF, NAMES, NOWHERE
from scheduler.engine.words import count
from scheduler.models import Event

MARK_LIMIT = 400
LOOKED = "The controller of "
QUEUES = {NOWHERE: "new", **NAMES, ERROR_BACKOFF: NAMES[BACKOFF]}
DONE = {"ObjectAdded": "added", "ObjectUpdated": "changed", "ObjectPatched": "changed", "ObjectDeleted": "deleted"}
OBJECT_KINDS = tuple(DONE)
SCENARIO_KINDS = ("ScenarioLoaded", "ScenarioStepPlayed", "ScenarioCancelled")
OTHER_KINDS = ("CycleFinished", "PodMoved", "ProfileChanged", "Reset", *SCENARIO_KINDS)


def marks(cluster_id: int, up_to: int, after: int = 0, limit: int = MARK_LIMIT) -> list[Mark]:
    """The newest `limit` marks with after < seq ≤ up_to, oldest first. What a cluster was made with is one mark."""
    born = store.born_seq(cluster_id)
    if up_to < born:
        return []
    rows = Event.objects.filter(cluster_id=cluster_id, seq__gt=max(after, born), seq__lte=up_to).order_by("-seq")
    # Manifests are large and the title does not need them. What a controller writes down of its workload is no news.
    objects = rows.filter(kind__in=OBJECT_KINDS).exclude(statuses_written()).defer("payload")[:limit]
    others = rows.filter(kind__in=OTHER_KINDS)[:limit]
    warnings = [row for row in rows.filter(kind="EventRecorded")[:limit] if row.payload["type"] == "Warning"]
    made = [mark(row, {}) for row in objects] + [mark(row, row.payload) for row in (*others, *warnings)]
    made += [_acted(mark(row, row.payload), told) for row, told in acts(rows, limit)]
    if after == 0:
        made += _birth(cluster_id, born)
    return sorted(made, key=lambda one: one["seq"])[-limit:]


def _birth(cluster_id: int, born: int) -> list[Mark]:
    """The mark that leads to the cluster as it was made: whole, before anything was scheduled."""
    found = Event.objects.filter(cluster_id=cluster_id, seq=born).values_list("seq", "at_us")
    return [
        {"seq": seq, "at_us": at_us, "track": "events", "sign": "object", "title": "Cluster created"}
        for seq, at_us in found
    ]


def _acted(made: Mark, told: Sequence[Told]) -> Mark:
    """A look of a controller, with what came of it where that is known."""
    if told:
        made["sign"] = next((one.sign for one in told if one.sign != "controller"), "controller")
        about = made["title"].removeprefix(LOOKED).removesuffix(" acted")
        made["title"] = f"{about}: {'; '.join(one.text for one in told).replace('`', '')}"[:200]
    return made


def mark(row: Event, payload: dict[str, Any]) -> Mark:
    made: Mark = {"seq": row.seq, "at_us": row.at_us, "track": "events", "sign": "object", "title": row.kind}
    if row.kind == "CycleFinished":
        _finished(made, row, payload["pod"], payload["decision"])
    elif row.kind == "PodMoved":
        made["track"], made["sign"] = "moves", "move"
        source, target = (QUEUES.get(payload[end], payload[end]) for end in ("source", "target"))
        made["title"] = f"{payload['pod']}: {source} → {target} ({named(payload['cause'])})"
    elif row.kind in DONE:
        kind, _, name = row.object_key.partition("/")
        made["sign"] = "node" if kind == "Node" else "object"
        made["title"] = f"{kind} {name.removeprefix('/')} {DONE[row.kind]}"
    elif row.kind == "ProfileChanged":
        made["sign"], made["title"] = "profile", "Profiles changed"
    elif row.kind in SCENARIO_KINDS:
        made["sign"], made["title"] = "scenario", _of_scenario(row.kind, payload)
    elif row.kind == "Reconciled":
        made["sign"], made["title"] = "controller", f"{LOOKED}{_name(payload)} acted"
    elif row.kind == "EventRecorded":
        made["sign"], made["title"] = "error", f"{_name(payload)}: {payload['reason']}: {payload['message']}"[:200]
    elif row.kind == "Reset":
        made["sign"], made["to_seq"] = "undo", payload["to_seq"]
        made["title"] = f"Back to event {payload['to_seq']}"
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
