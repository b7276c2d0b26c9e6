"""The time of a cluster: run until a condition, undo, branch, scenario, and the settings of clock and queue."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from dashboard import time_form
from dashboard.build.awaited import awaited
from dashboard.build.origin import branches_of
from dashboard.build.past import as_of
from dashboard.build.present import at_present
from dashboard.text import clock
from dashboard.views.branches import tell_of_branch
from dashboard.views.common import asked_seq, cluster_or_404, show, whole_number
from scheduler import execution, services, store
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.simulation.settings import PRESETS
from scheduler.manifests.scenario import ACTIONS, ScenarioError, read_scenario
from scheduler.models import Cluster
from scheduler.services.access import may_create, may_write

SCENARIO_BYTES = 2 << 20
STEPS_SHOWN = 100
DEEDS_SHOWN = 12
BRANCHES_SHOWN = 5
LOG_IN = "Log in with the permission to change clusters."
NO_PERMISSION = "You may look but not change: the permission “Can change cluster” is missing."
NO_RUNNER = "No runner is there to drive this cluster: start one with `manage.py runner`."


@dataclass
class _Faults:
    """What to say beside which form, and what had been typed."""

    by_form: dict[str, list[str]] = field(default_factory=dict)
    lines: tuple[list[time_form.Line], list[time_form.Line]] | None = None
    text: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def time_page(request: HttpRequest, cluster: str) -> HttpResponseBase:
    row, faults = at_present(cluster_or_404(cluster)), _Faults()
    at = asked_seq(request, row)
    if request.method != "POST":
        return _show(request, row, at, faults)
    if not may_write(request.user):
        raise PermissionDenied("You may look at this cluster but not change it.")
    wanted = request.POST.get("form", "")
    if at is not None and wanted != "branch":
        raise PermissionDenied(f"This page shows event {at}, which is the past: nothing can be written there.")
    try:
        if (done := FORMS[wanted](request, row, faults)) is not None:
            return done
    except KeyError:
        faults.by_form["run"] = ["There is no such form."]
    except ScenarioError as fault:
        faults.by_form["scenario"] = [str(one).removeprefix("error: ") for one in fault.faults[:20]]
    except (Invalid, Refused) as fault:
        faults.by_form[wanted] = [str(fault)]
    return _show(request, row, at, faults, status=400)


def _run(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    if execution.alive("runner") is False:
        raise Refused(NO_RUNNER)
    until = ",".join(filter(None, (request.POST.get("until", "").strip(), _cap(request))))
    services.run_start(row.pk, 0 if request.POST.get("flat") else None, until)
    return redirect("board", cluster=row.name)


def _cap(request: HttpRequest) -> str:
    cap = request.POST.get("cap", "").strip()
    return f"cycle=+{cap}" if cap else ""


def _undo(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    head, to_seq = _event_number(request, "head"), _event_number(request, "to")
    if to_seq is not None:
        services.undo_to(row.pk, to_seq, request.user.get_username(), head or 0)
        _say_where(request, row, "Undone", to_seq)
    elif request.POST.get("redo"):
        brought, _ = services.redo(row.pk, request.user.get_username(), head)
        _say_where(request, row, f"Redone: {brought.text}", brought.to_seq)
    else:
        found, _ = services.undo(row.pk, request.user.get_username(), head)
        _say_where(request, row, f"Undone: {found.text}", found.to_seq)
    return redirect("time", cluster=row.name)


def _say_where(request: HttpRequest, row: Cluster, done: str, seq: int) -> None:
    said = '{}. The cluster is again as it was at <a href="{}?at={}">event {}</a>.'
    messages.success(request, format_html(said, done, reverse("time", args=(row.name,)), seq, seq))


def _branch(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    if not may_create(request.user):
        raise PermissionDenied("You may not create clusters, so no branch: ask for the permission to add clusters.")
    seq, name = _event_number(request, "seq"), request.POST.get("name", "").strip()
    branch = services.cluster_branch(row.pk, seq, name, request.user.get_username())
    tell_of_branch(request, row.name, branch)
    return redirect("board", cluster=branch.name)


def _event_number(request: HttpRequest, field: str) -> int | None:
    """None where nothing was written. Raises Invalid."""
    text = request.POST.get(field, "").strip()
    seq = whole_number(text)
    if text and seq is None:
        raise Invalid("must be the number of an event", "event")
    return seq


def _scenario(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    upload, faults.text = request.FILES.get("file"), request.POST.get("text", "")
    name, text = ("scenario", faults.text)
    if isinstance(upload, UploadedFile):
        if (upload.size or 0) > SCENARIO_BYTES:
            raise Invalid(f"has more than {SCENARIO_BYTES >> 20} MiB", "file")
        name = (upload.name or "scenario")[:200]
        try:
            text = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Invalid("is not UTF-8 text", "file") from None
    committed = services.scenario_load(row.pk, read_scenario(name, text), request.user.get_username())
    messages.success(request, f"The scenario is planned (event {committed.last_seq}): a run plays it.")
    return redirect("time", cluster=row.name)


def _cancel(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    services.scenario_cancel(row.pk, request.user.get_username())
    messages.success(request, "The steps that were still to come are cancelled.")
    return redirect("time", cluster=row.name)


def _settings(request: HttpRequest, row: Cluster, faults: _Faults) -> HttpResponseBase | None:
    with store.reading(row.pk) as simulation:
        configuration, settings = simulation.configuration, simulation.settings
    if name := request.POST.get("preset"):
        wished = time_form.preset(name, configuration, settings)
    else:
        faults.lines = time_form.lines(settings, configuration)
        found = time_form.posted(request.POST.dict(), *faults.lines, configuration)
        if found is None:
            return None
        wished = found
    services.profile_change(row.pk, wished[1], request.user.get_username(), wished[0])
    messages.success(request, "Saved. It holds from the next event on; waiting pods keep their backoff.")
    return redirect("time", cluster=row.name)


FORMS: dict[str, Callable[[HttpRequest, Cluster, _Faults], HttpResponseBase | None]] = {
    "run": _run,
    "undo": _undo,
    "branch": _branch,
    "scenario": _scenario,
    "cancel": _cancel,
    "settings": _settings,
}


def _show(request: HttpRequest, row: Cluster, at: int | None, faults: _Faults, status: int = 200) -> HttpResponse:
    shown = row if at is None else as_of(row, at)
    response = show(
        request,
        "time.html",
        "time",
        shown,
        at=at,
        last=row.seq,
        faults=faults.by_form,
        typed=request.POST,
        text=faults.text,
        actions=ACTIONS,
        presets=list(PRESETS),
        may_create=may_create(request.user),
        off=_off(request, at),
        awaited=_awaited(row) if at is None else [],
        branches=branches_of(row, BRANCHES_SHOWN),
        **_state(row, at, faults),
        **_undoable(row),
    )
    response.status_code = status
    return response


def _state(row: Cluster, at: int | None, faults: _Faults) -> dict[str, Any]:
    """The clock, what the scenario still plays, and the fields of clock and queue with what had been typed."""
    with store.reading(row.pk, at) as simulation:
        texts, switches = faults.lines or time_form.lines(simulation.settings, simulation.configuration)
        steps = [(clock(step.at_us, row.start_us), step) for _, step in simulation.agenda.steps()[:STEPS_SHOWN]]
        return {
            "clock": clock(row.now_us if at is None else simulation.now_us, row.start_us),
            "steps": steps,
            "to_come": len(simulation.agenda),
            "texts": texts,
            "switches": switches,
            "settings_key": zlib.crc32(repr([(line.name, line.value) for line in (*texts, *switches)]).encode()),
            "preset": time_form.preset_of(simulation.settings),
        }


def _off(request: HttpRequest, at: int | None) -> str:
    """Why the fields cannot be used, "" if they can."""
    if at is not None:
        return "This is the past: go back to now first."
    if may_write(request.user):
        return ""
    return NO_PERMISSION if request.user.is_authenticated else LOG_IN


def _awaited(row: Cluster) -> list[dict[str, Any]]:
    """What the run stops at; of a moment the clock that shows it."""
    return [
        {**one, "clock": "" if one["at_us"] is None else clock(one["at_us"], row.start_us)[:-4]} for one in awaited(row)
    ]


def _undoable(row: Cluster) -> dict[str, Any]:
    """What undo would take back, what further back it could, `further`, and what redo would bring back."""
    found, redo = services.undoables(row.pk, DEEDS_SHOWN), services.redoable(row.pk)
    no_undo = "" if found else "There is nothing to undo: the cluster is as it was made."
    deeds = {"undo": found[0] if found else None, "no_undo": no_undo, "further": found[1:]}
    return {**deeds, "redo": redo, "no_redo": "" if redo else services.NOTHING_TO_REDO}
