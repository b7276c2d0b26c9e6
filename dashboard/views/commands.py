"""POST /c/<cluster>/commands/: what the buttons of the board ask for, as JSON `{"command": …}`.

Commands: step, step-phase, event (the next thing that happens by itself), run (with `speed`, `until`), pause, speed
(with `speed`), advance (`to_us`, else next timer), undo and redo (`seq`: the head that was seen), reset and branch
(`seq`), cordon and uncordon (`node`).
The answer is `{"ok": true, "seq": n, …}` or `{"ok": false, "error": sentence}` with a status of 400…415.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from dashboard.views.branches import tell_of_branch
from dashboard.views.common import refuse
from scheduler import execution, services
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Cluster
from scheduler.services.access import may_create, may_write

BODY_LIMIT = 10_000
NO_RUNNER = "No runner is there to drive this cluster: start one with `manage.py runner`."
NOTHING_TO_POP = "No pod can be popped now: ActiveQ is empty."
NOTHING_COMES = "Nothing will happen by itself: no pod can be popped and no timer is set."
PAST = "This page shows event {}, which is the past: nothing can be written there. Go back to now, or branch from it."
OF_THE_PAST = ("branch", "reset")


class Order(msgspec.Struct, forbid_unknown_fields=True):
    command: str
    speed: float | None = None
    to_us: int | None = None
    until: str = ""
    seq: int | None = None
    node: str = ""
    at: int | None = None  # the event that the page shows, if it is one of the past


@require_POST
def commands(request: HttpRequest, cluster: str) -> JsonResponse:
    if not may_write(request.user):
        return refuse("You may look at this cluster but not change it: ask for the permission to change clusters.", 403)
    if request.content_type != "application/json":
        return refuse("A command is sent as application/json.", 415)
    body = _body(request)
    if body is None:
        return refuse(f"A command has at most {BODY_LIMIT} bytes.", 413)
    try:
        order = msgspec.json.decode(body, type=Order)
        carry_out = COMMANDS[order.command]
    except (msgspec.DecodeError, RecursionError) as fault:
        return refuse(f"This is not a command: {fault}.", 400)
    except KeyError:
        return refuse(f"There is no command {order.command!r}: use one of {', '.join(COMMANDS)}.", 400)
    if order.at is not None and order.command not in OF_THE_PAST:
        return refuse(PAST.format(order.at), 409)
    if order.command == "branch" and not may_create(request.user):
        return refuse("You may not create clusters, so no branch: ask for the permission to add clusters.", 403)
    try:
        row = Cluster.objects.only("pk").get(name=cluster)
        done = carry_out(row.pk, order, request.user.get_username())
        if order.command == "branch":
            tell_of_branch(request, cluster, Cluster.objects.get(name=done["cluster"]))
        return JsonResponse({"ok": True, **done})
    except Cluster.DoesNotExist:
        return refuse(f"There is no cluster {cluster}.", 404)
    except Invalid as fault:
        return refuse(f"{fault}.", 400)
    except Refused as fault:
        return refuse(str(fault), 409)


def _body(request: HttpRequest) -> bytes | None:
    """None where it is too large; one that comes in pieces does not declare its length."""
    try:
        body = request.body if int(request.META.get("CONTENT_LENGTH") or 0) <= BODY_LIMIT else None
    except RequestDataTooBig:
        return None
    return body if body is not None and len(body) <= BODY_LIMIT else None


def _stepped(step: Callable[..., services.Stepped | None]) -> Callable[[int, Order, str], dict[str, Any]]:
    def carry_out(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
        stepped = step(cluster_id, actor=actor)
        if stepped is None:
            raise Refused(NOTHING_TO_POP)
        seq = stepped.committed.last_seq
        return {"seq": seq, "cycle": stepped.number, "pod": stepped.pod, "phase": stepped.phase}

    return carry_out


def _run(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    if execution.alive("runner") is False:
        raise Refused(NO_RUNNER)
    services.run_start(cluster_id, order.speed, order.until)
    return _head(cluster_id)


def _event(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    committed = services.event_step(cluster_id, actor=actor)
    if not committed.events:
        raise Refused(NOTHING_COMES)
    return {"seq": committed.last_seq}


def _undo(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    found, committed = services.undo(cluster_id, actor, order.seq)
    return {"seq": committed.last_seq, "undone": found.text}


def _redo(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    found, committed = services.redo(cluster_id, actor, order.seq)
    return {"seq": committed.last_seq, "redone": found.text}


def _reset(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    if order.seq is None:
        raise Invalid("is missing", "seq")
    return {"seq": services.cluster_reset(cluster_id, order.seq, actor).last_seq}


def _branch(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    branch = services.cluster_branch(cluster_id, order.seq, actor=actor)
    return {"seq": branch.seq, "cluster": branch.name, "address": branch.get_absolute_url()}


def _pause(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    services.run_pause(cluster_id)
    return _head(cluster_id)


def _speed(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    if order.speed is None:
        raise Invalid("is missing", "speed")
    services.run_speed(cluster_id, order.speed)
    return _head(cluster_id)


def _advance(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    return {"seq": services.clock_advance(cluster_id, order.to_us, actor=actor).last_seq}


def _cordon(cluster_id: int, order: Order, actor: str) -> dict[str, Any]:
    cordoned = order.command == "cordon"
    return {"seq": services.nodes_cordon(cluster_id, [order.node], actor, cordoned=cordoned).last_seq}


def _head(cluster_id: int) -> dict[str, Any]:
    return {"seq": Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id)}


COMMANDS: dict[str, Callable[[int, Order, str], dict[str, Any]]] = {
    "step": _stepped(services.cycle_step),
    "step-phase": _stepped(services.cycle_step_phase),
    "run": _run,
    "pause": _pause,
    "speed": _speed,
    "advance": _advance,
    "event": _event,
    "undo": _undo,
    "redo": _redo,
    "reset": _reset,
    "cordon": _cordon,
    "uncordon": _cordon,
    "branch": _branch,
}
