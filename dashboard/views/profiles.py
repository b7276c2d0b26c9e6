"""The scheduler profiles of a cluster: which algorithms run, in which order, with which weights."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard.build.past import as_of
from dashboard.profiles import Form, changes, configuration_of, fill, form_of, tell
from dashboard.text import listed
from dashboard.views.common import asked_seq, cluster_or_404, show
from dashboard.views.doing import tell as tell_done
from scheduler import services, store
from scheduler.engine import plugins
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.profile import Profile, Profiles
from scheduler.models import Cluster
from scheduler.services.access import may_write

MEANWHILE = "changed by somebody else since this page was opened, so nothing was saved. What you wish is still below: "
CHANGES = 8  # are named


@dataclass(frozen=True, slots=True)
class Edited:
    """The profiles of a cluster with what is typed of them. `profiles`: as they run."""

    row: Cluster
    shared: Profiles
    configuration: dict[str, Any]
    profiles: list[Profile]
    forms: list[Form]

    @property
    def base(self) -> str:
        """What the page was made of: another one means that somebody else saved meanwhile."""
        return sha256(json.dumps(self.configuration).encode()).hexdigest()[:16]


@require_http_methods(["GET", "HEAD", "POST"])
def profile_page(request: HttpRequest, cluster: str) -> HttpResponse:
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    edited = _edited(row if at is None else as_of(row, at))
    if request.method != "POST":
        return _show(request, edited)
    if not may_write(request.user):
        raise PermissionDenied("You may look at the profiles but not change them.")
    if at is not None:
        raise PermissionDenied(f"This page shows event {at}, which is the past: nothing can be written there.")
    return _saved(request, edited) or _show(request, edited, status=400)


def _edited(row: Cluster) -> Edited:
    with store.reading(row.pk, row.seq) as simulation:
        shared, configuration = simulation.profiles, simulation.configuration
    profiles = list(shared)
    return Edited(row, shared, configuration, profiles, [form_of(one, index) for index, one in enumerate(profiles)])


def _saved(request: HttpRequest, edited: Edited) -> HttpResponse | None:
    """Back to the page if all could be saved; else the forms say what is wrong with them."""
    forms, row = edited.forms, edited.row
    for form in forms:
        if "drop" in request.POST:
            form.dropped = True
        else:
            fill(form, request.POST.dict())
    if request.POST.get("base", edited.base) != edited.base:
        forms[0].error = MEANWHILE + _to_write(forms, edited.profiles)
    elif not any(form.wrong for form in forms):
        wished = configuration_of(edited.configuration, forms, edited.profiles)
        try:
            committed = services.profile_change(row.pk, wished, actor=request.user.get_username())
            tell_done(request, "Saved. The next cycle uses it; waiting pods stay where they are.", committed)
            return redirect("profiles", cluster=row.name)
        except Invalid as fault:
            tell(forms, fault)
        except Refused as fault:
            forms[0].error = str(fault)
    return None


def _to_write(forms: list[Form], profiles: list[Profile]) -> str:
    named = changes(forms, [form_of(profile, index) for index, profile in enumerate(profiles)])
    if not named:
        return "it is what runs now."
    more = [f"{len(named) - CHANGES} more"] if len(named) > CHANGES else []
    return f"Save would now change {listed([*named[:CHANGES], *more])}."


def _show(request: HttpRequest, edited: Edited, status: int = 200) -> HttpResponse:
    response = show(
        request,
        "profiles.html",
        "profiles",
        edited.row,
        forms=edited.forms,
        base=edited.base,
        here=request.path,
        unsaved=status != 200,
        shared=edited.shared,
        files=plugins.faults(),
        many=len(edited.forms) > 1,
        level=3 if len(edited.forms) > 1 else 2,
        wrong=sum(form.wrong for form in edited.forms),
        missing=sorted({name for form in edited.forms for name in form.faults if name}),
    )
    response.status_code = status
    return response
