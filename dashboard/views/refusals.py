"""What Django itself refuses, said as everything else here: JSON addresses in JSON, pages as a page in plain words."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, reverse

from dashboard.access import may_read, wants_json
from dashboard.build.past import as_of
from dashboard.views.above import cluster_name, way_on
from dashboard.views.common import asked_seq, refuse, show
from scheduler.models import Cluster

PAGES = {"pod": "pods", "node": "nodes", "cycle": "cycles", "uniteddeployment": "uniteddeployments"}
STALE = "This page is out of date, or it is not ours: load it anew and try again."
NOTHING = "There is nothing at this address."
SENDS = "This address does what a button asks for and has no page of its own. Nothing was changed."
READS = "This address can only be read. Nothing was changed."


class RefusedMethods:
    """Middleware: a view answers nothing to a method that it does not take, and a browser would show its own page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.content:
            return response
        sentence = READS if "GET" in response["Allow"] else SENDS
        told = refuse(sentence, 405) if wants_json(request) else _page(request, 405, sentence, way_on(request.path))
        response.content, response["Content-Type"] = told.content, told["Content-Type"]
        return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request itself cannot be understood, or is too large; depends on nothing that may be broken."""
    sentence = "The server cannot make sense of this request."
    return refuse(sentence, 400) if wants_json(request) else render(None, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    sentence, login = _sentence(exception), ""
    if not request.user.is_authenticated:
        back = {"next": request.get_full_path()} if request.method == "GET" else {}
        login = f"{reverse('login')}?{urlencode(back)}".rstrip("?")
    return _in_json(request, sentence, 403) or _page(request, 403, sentence, way_on(request.path), login=login)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    sentence = _sentence(exception)
    links = [way_on(request.path)] if isinstance(exception, Resolver404) else getattr(exception, "links", ())
    return _in_json(request, sentence, 404) or _page(request, 404, sentence, *links)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A write without the token of our own page: forged, or sent by a page from before the last login."""
    if wants_json(request):
        return refuse(STALE, 403)
    before = urlsplit(request.headers.get("referer", ""))
    ours = before.netloc == request.get_host() and not before.path.startswith("//")
    link = (f"{before.path}?{before.query}".rstrip("?"), "Load it anew") if ours else way_on(request.path)
    return _page(request, 403, STALE, link, stale=True)


def _page(request: HttpRequest, status: int, sentence: str, *links: tuple[str, str], **more: Any) -> HttpResponse:
    """`links`: (address, text) of where to go on. A cluster that is there, and may be seen, keeps its menu."""
    match = request.resolver_match
    cluster = _cluster(request) if may_read(request) else None
    page = PAGES.get((match.url_name or "").partition("-")[0], "") if match is not None else ""
    links = tuple(dict.fromkeys(link for link in links if link[0] != "/"))
    response = show(request, f"{status}.html", page, cluster, sentence=sentence, links=links, **more)
    response.status_code = status
    return response


def _cluster(request: HttpRequest) -> Cluster | None:
    """The one that the address is below, as it was at the moment that is asked for, if there was one."""
    cluster = Cluster.objects.filter(name=cluster_name(request.path)).first()
    if cluster is not None:
        with suppress(Http404):
            at = asked_seq(request, cluster)
            return cluster if at is None else as_of(cluster, at)
    return cluster


def _in_json(request: HttpRequest, sentence: str, status: int) -> HttpResponse | None:
    return refuse(sentence.replace("`", "") or NOTHING, status) if wants_json(request) else None


def _sentence(exception: Exception) -> str:
    """What a view itself said, names in backticks; nothing that Django says of addresses that it does not know."""
    sentence = "" if isinstance(exception, Resolver404) else str(exception).strip()
    return sentence if " " in sentence and len(sentence) < 500 else ""
