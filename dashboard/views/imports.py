"""The import page: bring a file, text or a sample; see how far its job is; read what was found, and choose."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.build.import_steps import steps_of, waits_for
from dashboard.import_form import ImportForm
from dashboard.views.common import refuse, show
from scheduler.manifests.kinds import KUBECTL
from scheduler.manifests.limits import DEFAULT, MIB
from scheduler.manifests.samples import SAMPLES
from scheduler.models import Cluster, Job
from scheduler.services import import_jobs
from scheduler.services.access import IMPORT, REPLACE

ENDED = (Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED)
View = Callable[..., HttpResponseBase]


def may_import(view: View) -> View:
    """Only for users who may add clusters; others are asked to log in, or refused."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if request.user.has_perm(IMPORT):
            return view(request, **kwargs)
        if request.user.is_authenticated:
            raise PermissionDenied("You may not add clusters: ask for the permission to add clusters.")
        if request.path.endswith(".json"):
            return refuse("Log in first.", 403)
        return redirect_to_login(reverse("import"))

    return guarded


def own_job(view: View) -> View:
    """The view is given the user's own import job (any, for a superuser) in place of its number."""

    @may_import
    @wraps(view)
    def with_job(request: HttpRequest, number: int) -> HttpResponseBase:
        jobs = Job.objects.filter(kind=import_jobs.KIND)
        owned = jobs if request.user.is_superuser else jobs.filter(user__id=request.user.pk or 0)
        return view(request, get_object_or_404(owned, pk=number))

    return with_job


@require_http_methods(["GET", "HEAD", "POST"])
@may_import
def import_page(request: HttpRequest) -> HttpResponseBase:
    may_replace = request.user.has_perm(REPLACE)
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(*given, may_replace=may_replace)
    if form.is_valid():
        job = import_jobs.import_start(request.user, form.cleaned_data["name"], **form.arguments())
        return _accepted(request, job)
    if request.method == "POST" and _is_scripted(request):
        return JsonResponse({"ok": False, "errors": form.errors.get_json_data()}, status=400)
    recent = Job.objects.filter(kind=import_jobs.KIND, user__id=request.user.pk or 0)[:5]
    page = show(
        request,
        "import/page.html",
        "import",
        form=form,
        kubectl=KUBECTL,
        samples=SAMPLES,
        recent=recent,
        most_mib=settings.PODIUM_MAX_UPLOAD_MIB,
        yaml_mb=min(settings.PODIUM_MAX_UPLOAD_MIB, DEFAULT.yaml_bytes // MIB),
    )
    page.status_code = 400 if form.errors else 200
    return page


def _is_scripted(request: HttpRequest) -> bool:
    return request.headers.get("accept", "").startswith("application/json")


def _accepted(request: HttpRequest, job: Job) -> HttpResponse:
    address = reverse("import-job", args=[job.pk])
    return JsonResponse({"ok": True, "url": address}) if _is_scripted(request) else redirect(address)


@require_safe
@own_job
def import_job(request: HttpRequest, job: Job) -> HttpResponse:
    import_jobs.job_look_after(job)
    result, seen = job.result, import_jobs.with_progress(job)
    cluster = Cluster.objects.filter(name=result["cluster"]).first() if result.get("cluster") else None
    return show(
        request,
        "import/job.html",
        "import",
        job=job,
        ended=job.state in ENDED,
        steps=steps_of(seen),
        waits=waits_for(seen),
        report=result.get("report"),
        error=result.get("error", ""),
        made=cluster,
        file_name=job.arguments.get("file_name") or job.arguments.get("sample", ""),
        can_take_rest=_can_take_rest(job),
        text=import_jobs.short_text(job) if result.get("report") and not cluster else "",
    )


@require_safe
@own_job
def import_state(request: HttpRequest, job: Job) -> JsonResponse:
    """What the page polls: the job's state, its steps, and how long it has taken so far."""
    import_jobs.job_look_after(job)
    seconds = int((timezone.now() - job.created).total_seconds())
    seen = import_jobs.with_progress(job)
    told = {"steps": steps_of(seen), "waits": waits_for(seen), "seconds": seconds}
    return JsonResponse({"state": job.state, "ended": job.state in ENDED, **told})


@require_POST
@own_job
def import_cancel(request: HttpRequest, job: Job) -> HttpResponse:
    import_jobs.job_cancel(job)
    return redirect("import-job", number=job.pk)


@require_POST
@own_job
def import_rest(request: HttpRequest, job: Job) -> HttpResponse:
    """Import what is valid of a file in which something is wrong."""
    if not _can_take_rest(job):
        return redirect("import-job", number=job.pk)
    replace = job.arguments["replace"] and request.user.has_perm(REPLACE)
    arguments = {**job.arguments, "skip_invalid": True, "replace": replace}
    return redirect("import-job", number=import_jobs.import_start(request.user, job.cluster_name, **arguments).pk)


def _can_take_rest(job: Job) -> bool:
    report = job.result.get("report")
    stored = job.state != Job.State.DONE or job.result.get("cluster")
    return bool(report and not stored and report["total"]["taken"] and import_jobs.has_file(job))
