"""The scheduler profiles of a cluster: which algorithms run, in which order, with which weights."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard.build.past import as_of
from dashboard.profiles import Form, configuration_of, fill, form_of, tell
from dashboard.views.common import asked_seq, cluster_or_404, show
from scheduler import services, store
from scheduler.engine import plugins
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.profile import Profiles
from scheduler.models import Cluster
from scheduler.services.access import may_write


@require_http_methods(["GET", "HEAD", "POST"])
def profile_page(request: HttpRequest, cluster: str) -> HttpResponse:
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    if at is not None:
        row = as_of(row, at)
    with store.reading(row.pk, row.seq) as simulation:
        shared, configuration = simulation.profiles, simulation.configuration
    profiles = list(shared)
    forms = [form_of(profile, index) for index, profile in enumerate(profiles)]
    if request.method != "POST":
        return _show(request, row, shared, forms)
    if not may_write(request.user):
        raise PermissionDenied("You may look at the profiles but not change them.")
    if at is not None:
        raise PermissionDenied(f"This page shows event {at}, which is the past: nothing can be written there.")
    for form in forms:
        if "drop" in request.POST:
            form.dropped = True
        else:
            fill(form, request.POST.dict())
    if all(form.is_valid for form in forms):
        wished = configuration_of(configuration, forms, profiles)
        try:
            services.profile_change(row.pk, wished, actor=request.user.get_username())
            messages.success(request, "Saved. The next cycle uses it; waiting pods stay where they are.")
            return redirect("profiles", cluster=row.name)
        except Invalid as fault:
            tell(forms, fault)
        except Refused as fault:
            forms[0].error = str(fault)
    return _show(request, row, shared, forms, status=400)


def _show(
    request: HttpRequest, cluster: Cluster, shared: Profiles, forms: list[Form], status: int = 200
) -> HttpResponse:
    response = show(
        request,
        "profiles.html",
        "profiles",
        cluster,
        forms=forms,
        shared=shared,
        files=plugins.faults(),
        missing=sorted({name for form in forms for name in form.faults if name}),
    )
    response.status_code = status
    return response
