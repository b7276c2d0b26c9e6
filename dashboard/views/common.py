"""What every page of a cluster is given, and the checks that every view shares.

Context of every template: `cluster` (model, None outside of one), `page` (rail entry: board pods nodes cycles profiles
import), `clusters` (names), `can_write`, `at` (seq of the past that is shown, else None), `clock`, `scheduler_names`,
`origin` (of a branch, else None).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from dashboard.build.origin import origin_of
from dashboard.build.past import as_of
from dashboard.build.present import at_present
from dashboard.text import clock
from scheduler.models import Cluster, Event, Profile
from scheduler.services.access import may_write

ROWS_PER_PAGE = 100

View = Callable[..., HttpResponseBase]


def cluster_view(view: View) -> View:
    """A safe (GET) view below /c/<cluster>/; it is given the Cluster in place of its name."""

    @require_safe
    @wraps(view)
    def with_cluster(request: HttpRequest, cluster: str, **kwargs: Any) -> HttpResponseBase:
        return view(request, at_present(cluster_or_404(cluster)), **kwargs)

    return with_cluster


def past_view(view: View) -> View:
    """The same for pages that show any moment alike: with `?at=SEQ` they are given the cluster as it was then."""

    def then(request: HttpRequest, cluster: Cluster, **kwargs: Any) -> HttpResponseBase:
        at = asked_seq(request, cluster)
        return view(request, cluster if at is None else as_of(cluster, at), **kwargs)

    return cluster_view(wraps(view)(then))


class NotThere(Http404):
    """Something that is not there, said in a sentence, names in backticks. `links`: (address, text) of where to go."""

    def __init__(self, sentence: str, *links: tuple[str, str]) -> None:
        super().__init__(sentence)
        self.links = links


def cluster_or_404(name: str) -> Cluster:
    row = Cluster.objects.filter(name=name).first()
    if row is None:
        raise NotThere(f"There is no cluster `{name}`. It was deleted, or the link is mistyped.")
    return row


def was_there(cluster: Cluster, object_key: str) -> str:
    """What the log knows of an object that is gone; "" if it never was. `object_key`: `Pod/default/web`, `Node//n1`."""
    last = (
        Event.objects.filter(cluster=cluster, object_key=object_key).order_by("-seq").values_list("seq", "kind").first()
    )
    if last is None:
        return ""
    return (
        f"It was deleted at event {last[0]}."
        if last[1] == "ObjectDeleted"
        else f"The log last tells of it at event {last[0]}."
    )


def show(request: HttpRequest, template: str, page: str, cluster: Cluster | None = None, **more: Any) -> HttpResponse:
    """Render a page with the context that every template relies on."""
    at = more.get("at", getattr(cluster, "at", None))
    if cluster is not None:
        at_present(cluster)
    context = {
        "page": page,
        "cluster": cluster,
        "clusters": list(Cluster.objects.values_list("name", flat=True)),
        "can_write": may_write(request.user) and at is None,
        "at": at,
        "clock": clock(cluster.now_us, cluster.start_us) if cluster else "",
        "scheduler_names": scheduler_names(cluster) if cluster else [],
        "origin": origin_of(cluster, request) if cluster else None,
    }
    return render(request, template, {**context, **more})


def scheduler_names(cluster: Cluster) -> list[str]:
    """The profiles of the cluster's scheduler, as every page's head names them."""
    return list(Profile.objects.filter(cluster=cluster).values_list("scheduler_name", flat=True))


def asked_seq(request: HttpRequest, cluster: Cluster) -> int | None:
    """`?at=SEQ` as a number of the cluster's log; None means now. 404 for anything else."""
    raw = request.GET.get("at", "")
    if not raw:
        return None
    seq = whole_number(raw)
    if not seq or seq > cluster.seq:
        now = (reverse("board", args=(cluster.name,)), f"{cluster.name} now")
        raise NotThere(f"`{cluster.name}` has no event {raw[:20]}: its log ends at {cluster.seq}.", now)
    return seq


def asked_number(request: HttpRequest, name: str, default: int) -> int:
    """A whole number ≥ 0 from the query; 404 for anything else."""
    raw = request.GET.get(name, "") or str(default)
    number = whole_number(raw)
    if number is None or len(raw) > 9:
        raise Http404(f"`{name}` must be a whole number, not {raw[:20]}.")
    return number


def whole_number(text: str) -> int | None:
    """A number ≥ 0 of at most 18 digits, as databases hold it; None for any other text, also for ² and ٣."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def json_response(value: Any) -> HttpResponse:
    """Plain data (arrays of many numbers: msgspec is ten times as fast as the standard library)."""
    return HttpResponse(msgspec.json.encode(value), content_type="application/json")


def paged(request: HttpRequest, rows: QuerySet[Any] | list[Any], size: int = ROWS_PER_PAGE) -> Page[Any]:
    """The page that `?page=` asks for; the last or first one where there is no such."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def refuse(sentence: str, status: int) -> JsonResponse:
    """The one shape in which a JSON address says no."""
    return JsonResponse({"ok": False, "error": sentence}, status=status)
