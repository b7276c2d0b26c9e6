"""What Django itself refuses, said as everything else here: JSON addresses in JSON, pages as a page in plain words."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404
from django.views import defaults

from dashboard.access import wants_json
from dashboard.views.common import refuse, show
from scheduler.models import Cluster

PAGES = {"pod": "pods", "node": "nodes", "cycle": "cycles", "uniteddeployment": "uniteddeployments"}
STALE = "This page is out of date, or it is not ours: reload it and try again."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request itself cannot be understood, or is too large; depends on nothing that may be broken."""
    sentence = "The server cannot make sense of this request."
    return refuse(sentence, 400) if wants_json(request) else render(None, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _told(request, exception, 403) or defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if told := _told(request, exception, 404):
        return told
    match = request.resolver_match
    cluster = Cluster.objects.filter(name=match.kwargs.get("cluster", "")).first() if match is not None else None
    page = PAGES.get((match.url_name or "").partition("-")[0], "") if match is not None else ""
    context = {"sentence": _sentence(exception), "links": getattr(exception, "links", ())}
    response = show(request, "404.html", page, cluster, **context)  # a cluster that is there keeps its menu
    response.status_code = 404
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A write without the token of our own page: forged, or sent by a page from before the last login."""
    if wants_json(request):
        return refuse(STALE, 403)
    return render(request, "403.html", {"exception": STALE, "stale": True}, status=403)


def _told(request: HttpRequest, exception: Exception, status: int) -> HttpResponse | None:
    if not wants_json(request):
        return None
    return refuse(_sentence(exception).replace("`", "") or "There is nothing at this address.", status)


def _sentence(exception: Exception) -> str:
    """What a view itself said, names in backticks; nothing that Django says of addresses that it does not know."""
    sentence = "" if isinstance(exception, Resolver404) else str(exception).strip()
    return sentence if " " in sentence and len(sentence) < 500 else ""
