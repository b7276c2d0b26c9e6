"""Cases that people make: of a moment of a cluster, or of a file; changed, taken along as a file, deleted."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.build.past import as_of
from dashboard.case_form import CaseForm, asks, usual_nodes
from dashboard.learn.bounds import MOST
from dashboard.learn.excerpts import Told, told_with_lines
from dashboard.learn.lesson import Lesson, library, text_of
from dashboard.learn.moment import glance, moment
from dashboard.learn.reading import MOST_BYTES, CaseError, checked_case
from dashboard.learn.saving import case_text
from dashboard.views.common import NotThere, asked_seq, cluster_or_404, show
from scheduler.engine.errors import PodiumError, Refused
from scheduler.models import Case, Cluster
from scheduler.services.access import may_create
from scheduler.services.cases import case_create, case_delete, case_replace, may_change_case

NAME = "case.yaml"
RESERVED = "new"
View = Callable[..., HttpResponseBase]


def may_make(view: View) -> View:
    """Only for users who may add clusters: a case is one in small."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if may_create(request.user):
            return view(request, **kwargs)
        if request.user.is_authenticated:
            raise PermissionDenied("You may not make cases: ask for the permission to add clusters.")
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/learn/")

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@may_make
def case_save(request: HttpRequest, cluster: str) -> HttpResponseBase:
    """The cluster, or with `?at=` what it was, as a case of one's own."""
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    of = glance(row, at or row.seq)
    if request.method != "POST" or not asks(of):
        first = {"ask": next(iter(asks(of)), ""), "nodes": usual_nodes(of)}
        return _form(request, row, at, CaseForm(of, initial=first))
    form = CaseForm(of, request.POST)
    if form.is_valid():
        try:
            wish = form.wish()
            text = case_text(moment(row, at or row.seq, wish.pod if wish.is_about_a_pod else "", form.most_nodes), wish)
            return _stored(request, checked_case(NAME, text, strict=False), text)  # what the cluster holds is taken
        except CaseError as fault:
            form.add_error(None, [one.message for one in fault.faults])
        except PodiumError as fault:
            form.add_error(None, f"No case can be made of this. {fault}")
    return _form(request, row, at, form)


@require_http_methods(["GET", "HEAD", "POST"])
@may_make
def case_new(request: HttpRequest) -> HttpResponseBase:
    """A case of a file or of text."""
    if request.method != "POST":
        return _editor(request, "")
    text, faults = _brought(request)
    if not faults:
        try:
            return _stored(request, checked_case(NAME, text), text)
        except CaseError as fault:
            faults = told_with_lines(text, fault.faults)
        except Refused as fault:
            faults = [Told(str(fault))]
    return _editor(request, text, faults)


@require_http_methods(["GET", "HEAD", "POST"])
@may_make
def case_edit(request: HttpRequest, slug: str) -> HttpResponseBase:
    case = _own(request, slug)
    if request.method != "POST":
        return _editor(request, case.text, case=case)
    text, faults = _brought(request)
    if not faults:
        try:
            head = checked_case(NAME, text).head
            case_replace(case, head.title, head.question, text)
            messages.success(request, f"Saved “{head.title}”. Its answers were played.")
            return redirect("lesson", slug=slug)
        except CaseError as fault:
            faults = told_with_lines(text, fault.faults)
    return _editor(request, text, faults, case)


@require_POST
@may_make
def case_remove(request: HttpRequest, slug: str) -> HttpResponseBase:
    case = _own(request, slug)
    case_delete(case)
    messages.success(request, f"Deleted the case “{case.title}”.")
    return redirect("learn")


@require_safe
def case_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Any case as the file that it was read from."""
    if slug in library():
        text = text_of(slug)
    elif case := Case.objects.filter(slug=slug).first():
        text = case.text
    else:
        raise NotThere(f"There is no case `{slug}`.", ("/learn/", "All cases"))
    response = HttpResponse(text, content_type="application/yaml")
    response["Content-Disposition"] = f'attachment; filename="{slug}.yaml"'
    return response


def _own(request: HttpRequest, slug: str) -> Case:
    case = Case.objects.filter(slug=slug).first()
    if case is None:
        raise NotThere(f"There is no case `{slug}` that could be changed.", ("/learn/", "All cases"))
    if not may_change_case(request.user, case):
        raise PermissionDenied("This case is somebody else’s: take its file, change it, and add it as your own.")
    return case


def _stored(request: HttpRequest, lesson: Lesson, text: str) -> HttpResponseBase:
    assert isinstance(request.user, User)
    head, taken = lesson.head, {*library(), RESERVED}
    case = case_create(head.title, head.question, text, request.user, taken)
    messages.success(request, f"Saved “{head.title}”. The simulation’s answer is {head.answer}.")
    return redirect("lesson", slug=case.slug)


def _brought(request: HttpRequest) -> tuple[str, list[Told]]:
    """The text of the file, else what was typed; and why it cannot be read."""
    file = request.FILES.get("file")
    if file is None:
        text = request.POST.get("text", "").replace("\r\n", "\n")
        return text, [] if text.strip() else [Told("Choose a file, or write a case.")]
    if (file.size or 0) > MOST_BYTES:
        return "", [Told(f"{file.name} is too large: a case has at most {MOST_BYTES >> 10} KiB.")]
    try:
        return file.read().decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return "", [Told(f"{file.name} is not UTF-8 text, expected YAML.")]


def _editor(
    request: HttpRequest, text: str, faults: list[Told] | None = None, case: Case | None = None
) -> HttpResponse:
    page = show(request, "case_file.html", "learn", text=text, faults=faults or [], case=case, most=MOST_BYTES >> 10)
    page.status_code = 400 if faults else 200
    return page


def _form(request: HttpRequest, row: Cluster, at: int | None, form: CaseForm) -> HttpResponse:
    of, shown = form.of, row if at is None else as_of(row, at)
    most = min(of.nodes, MOST["nodes"])
    page = show(request, "case_save.html", "export", shown, of=of, form=form, asks=asks(of), most=most)
    page.status_code = 400 if form.errors else 200
    return page
