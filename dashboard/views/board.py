"""The home of a cluster, and the JSON that keeps it up to date."""

from typing import cast, get_args

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import quote_etag

from dashboard.build import lanes as building
from dashboard.build.board import board_state
from dashboard.build.marks import marks
from dashboard.build.will_make import will_make
from dashboard.payloads.queue import LaneName
from dashboard.text import clock
from dashboard.views.common import asked_number, asked_seq, cluster_view, json_response, show
from scheduler import store
from scheduler.execution import pacemaker
from scheduler.models import Cluster
from scheduler.services.access import may_write


@cluster_view
def board(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    at = asked_seq(request, cluster)
    state = board_state(cluster, at, can_write=may_write(request.user))
    seen = clock(state["cluster"]["now_us"], cluster.start_us)
    makers = [one._asdict() for one in will_make(cluster)] if at is None and not state["cluster"]["pod_count"] else []
    return show(request, "board.html", "board", cluster, state=state, at=at, clock=seen, makers=makers)


@cluster_view
def state_json(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """`?at=SEQ` for the past. Answers 304 to a browser that has this state already."""
    at, writes = asked_seq(request, cluster), may_write(request.user)
    passing = pacemaker.present_us(cluster.pk)  # the clock of a run that waits
    etag = quote_etag(
        f"{cluster.pk}.{cluster.seq}.{at}.{writes}.{cluster.wanted}.{cluster.speed}.{cluster.until}"
        f".{cluster.wanted_reason}.{passing}"
    )
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304, headers={"ETag": etag})
    response = json_response(board_state(cluster, at, can_write=writes))
    response["ETag"] = etag
    return response


@cluster_view
def marks_json(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """The timeline's newest marks, for pages that show something else; or those before event `?before=`."""
    last = min(cluster.seq, asked_number(request, "before", cluster.seq + 1) - 1)
    return json_response(
        {"marks": marks(cluster.pk, last), "head_seq": cluster.seq, "first_seq": store.born_seq(cluster.pk)}
    )


@cluster_view
def lane_json(request: HttpRequest, cluster: Cluster, lane: str) -> HttpResponse:
    """The cards of a lane from `?offset=` on, as at `?at=`."""
    if lane not in get_args(LaneName):
        raise Http404(f"There is no lane {lane}: lanes are {', '.join(get_args(LaneName))}.")
    offset = asked_number(request, "offset", 0)
    with store.reading(cluster.pk, asked_seq(request, cluster)) as simulation:
        return json_response(building.lane(simulation, cluster.pk, cast(LaneName, lane), offset))
