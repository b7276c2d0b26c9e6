"""One cycle: its page, its data as JSON and CSV, the arithmetic of a cell, and every node with all that refuses it."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from dashboard.build.attempt import Attempt
from dashboard.build.board import cluster_state, picture
from dashboard.build.cycle import rows_found
from dashboard.build.every_node import every_node
from dashboard.build.explain import explain_cell
from dashboard.build.explain_node import explain_node
from dashboard.build.marks import marks
from dashboard.build.records import CycleRecord, cycle_record
from dashboard.build.refused import refused_nodes
from dashboard.build.source import attempt_of, drawn
from dashboard.build.steps import NoSuchCell
from dashboard.build.table import score_table
from dashboard.build.tie_draws import tie_draws
from dashboard.build.topology import topology
from dashboard.sheets import write_csv
from dashboard.views.common import NotThere, asked_number, json_response, past_view, show
from scheduler.models import Cluster, Event
from scheduler.services.access import may_write

MOST_NODES = 500
MOST_FOUND = 200


def found(cluster: Cluster, number: int) -> CycleRecord:
    record = cycle_record(cluster.pk, number, cluster.seq) if number < 2**62 else None
    if record is None:
        others = (reverse("cycles", args=(cluster.name,)), f"Cycles of {cluster.name}")
        raise NotThere(f"`{cluster.name}` has no cycle {number}.", others)
    return record


@past_view
def cycle_page(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    view = drawn(cluster, found(cluster, number)).view
    frame = cluster_state(
        cluster, picture(cluster, cluster.seq), can_write=may_write(request.user) and not hasattr(cluster, "at")
    )
    state = {"cluster": frame, "cycle": view, "marks": marks(cluster.pk, cluster.seq)}
    earlier, later = neighbours(cluster, view["popped_seq"])
    return show(request, "cycle.html", "cycles", cluster, cycle=view, state=state, previous=earlier, next=later)


def neighbours(cluster: Cluster, popped_seq: int) -> tuple[int | None, int | None]:
    """The numbers of the cycles before and after."""
    started = Event.objects.filter(cluster=cluster, kind="CycleStarted", seq__lte=cluster.seq)
    begun = started.values_list("cycle", flat=True)
    earlier = begun.filter(seq__lt=popped_seq).order_by("-seq").first()
    return earlier, begun.filter(seq__gt=popped_seq).order_by("seq").first()


@past_view
def cycle_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    return json_response(drawn(cluster, found(cluster, number)).view)


@past_view
def cycle_csv(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """Every node that was scored, one a line, all three layers; never binned."""
    with attempted(cluster, number) as made:
        text = io.StringIO()
        write_csv(text, score_table(made))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{cluster.name}-cycle-{number}.csv"'
    return response


@past_view
def explain_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """`?node=` and `?algorithm=`: how this cell's number came about; `?node=` alone: what each filter says of it."""
    node, algorithm = request.GET.get("node", ""), request.GET.get("algorithm")
    with attempted(cluster, number) as made:
        try:
            if algorithm is None:
                return json_response(explain_node(made, node))
            return json_response(explain_cell(made, node, algorithm))
        except NoSuchCell as fault:
            raise Http404(str(fault)) from None


@past_view
def nodes_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """All nodes; with `?verdict=refused` a page of the refused ones: `q`, `first=1` (in the first refusal), `offset`,
    `limit`."""
    if request.GET.get("verdict") != "refused":
        with attempted(cluster, number) as made:
            return json_response({"cycle": number, "nodes": every_node(made)})
    offset, limit = asked_number(request, "offset", 0), min(MOST_NODES, asked_number(request, "limit", 100))
    with attempted(cluster, number) as made:
        first_only = request.GET.get("first") == "1"
        return json_response(
            refused_nodes(made, request.GET.get("q", "").strip(), offset, limit, first_only=first_only)
        )


@past_view
def rows_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """`?q=`: the scores of the nodes that have it in their name, the best first; at most 200."""
    with attempted(cluster, number) as made:
        return json_response(rows_found(made, request.GET.get("q", "").strip(), MOST_FOUND))


@past_view
def draws_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """What the draw among ties would have taken with other seeds."""
    with attempted(cluster, number) as made:
        return json_response({"draws": tie_draws(made)})


@past_view
def topology_json(request: HttpRequest, cluster: Cluster, number: int) -> HttpResponse:
    """Its spread constraints by domain, its pod affinity by term."""
    with attempted(cluster, number) as made:
        return json_response(topology(made))


@contextmanager
def attempted(cluster: Cluster, number: int) -> Iterator[Attempt]:
    record: CycleRecord = found(cluster, number)
    with attempt_of(cluster, record) as made:
        yield made
