"""The queues of a cluster: the graph of their moves with live counts, and every lane in full."""

from django.http import HttpRequest, HttpResponse

from dashboard.build.board import cluster_state, picture
from dashboard.build.flow import flow, rules
from dashboard.build.next_pod import next_pod
from dashboard.build.will_make import will_make
from dashboard.text import clock
from dashboard.views.common import asked_seq, cluster_view, json_response, show
from scheduler import store
from scheduler.models import Cluster
from scheduler.services.access import may_write

LANES = (
    ("in_flight", "In flight", "being scheduled now"),
    ("active", "ActiveQ", "in exact pop order: priority high to low, then queue timestamp"),
    ("backoff", "BackoffQ", "by the end of the backoff; pods that failed with an error are in a heap of their own"),
    ("unschedulable", "Unschedulable", "refused by every node, until an event helps or the flush takes them"),
    ("gated", "Gated", "held before the queue until their gate opens"),
)


@cluster_view
def queue_page(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    at = asked_seq(request, cluster)
    seen = picture(cluster, cluster.seq if at is None else at)
    with store.reading(cluster.pk, seen.seq) as simulation:
        graph, how, who = flow(simulation), rules(simulation), next_pod(simulation)
    frame = cluster_state(cluster, seen, can_write=may_write(request.user) and at is None)
    state = {
        "cluster": frame,
        "lanes": seen.lanes,
        "flow": graph,
        "rules": how,
    }
    return show(
        request,
        "queue.html",
        "queue",
        cluster,
        state=state,
        who=who,
        how=how,
        lanes=LANES,
        makers=will_make(cluster) if at is None and not frame["pod_count"] else [],
        at=at,
        clock=clock(frame["now_us"], cluster.start_us),
    )


@cluster_view
def flow_json(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """The graph's figures and who is next, as at `?at=`."""
    with store.reading(cluster.pk, asked_seq(request, cluster)) as simulation:
        return json_response({"flow": flow(simulation), "rules": rules(simulation), "next": next_pod(simulation)})
