"""The nodes: as bars, tiles, one map or a table, grouped by any label; the same as CSV and JSON."""

import io
from typing import Any

from django.http import HttpRequest, HttpResponse

from dashboard.build.ages import aged
from dashboard.build.nodes import data, page
from dashboard.build.past import PastRows, rows_of
from dashboard.sheets import write_csv
from dashboard.text import timestamp
from dashboard.views.common import asked_number, json_response, past_view, show
from dashboard.views.download import file_stem
from scheduler import store
from scheduler.models import Cluster, Node


@past_view
def node_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    ages = created(cluster)
    with store.reading(cluster.pk, cluster.seq) as simulation:
        number = asked_number(request, "page", 1)
        context = page.context(simulation, cluster.pk, request.GET.dict(), ages, number)
    if context["drawer"]:
        row = rows_of(Node, cluster).filter(name=context["drawer"]["name"]).first()
        context["drawer"].update(row=row, status=status(row))
    template = "_node_drawer.html" if request.GET.get("part") == "drawer" else "nodes.html"
    if context["asked"].view == "table":
        _complete(context, cluster)
    context |= {"sort": context["asked"].sort, "here": _here(request), "state": {}}
    return show(request, template, "nodes", cluster, **context)


def _here(request: HttpRequest) -> str:
    """The address of the page, also where only its drawer was asked for."""
    query = request.GET.copy()
    query.pop("part", None)
    return f"{request.path}?{query.urlencode()}" if query else request.path


@past_view
def nodes_csv(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    text, ages = io.StringIO(), created(cluster)
    with store.reading(cluster.pk, cluster.seq) as simulation:
        all_nodes, _, groups = data.chosen(simulation, cluster.pk, request.GET.dict(), ages)
        write_csv(text, data.table(all_nodes, groups, ages))
    headers = {"Content-Disposition": f'attachment; filename="{file_stem(cluster)}-nodes.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


@past_view
def nodes_state(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    with store.reading(cluster.pk, cluster.seq) as simulation:
        all_nodes, asked, groups = data.chosen(simulation, cluster.pk, request.GET.dict(), created(cluster))
        found = data.state(all_nodes, asked, groups)
    return json_response({"cluster": cluster.name, "seq": cluster.seq, **found})


def created(cluster: Cluster) -> dict[str, int]:
    """When each node came, in virtual µs."""
    rows = rows_of(Node, cluster)
    if isinstance(rows, PastRows):
        return {row.name: row.created_us for row in rows}
    return dict(rows.values_list("name", "created_us"))


def _complete(context: dict[str, Any], cluster: Cluster) -> None:
    """What kubectl prints besides: status, roles, age, version."""
    lines = {one["name"]: one for section in context["sections"] for one in section["rows"]}
    rows = rows_of(Node, cluster)
    rows = rows if isinstance(rows, PastRows) else rows.filter(name__in=list(lines)).defer("manifest")
    for row in rows:
        if row.name in lines:
            known = row.created_us
            age = aged(cluster.now_us, known) if known else "<unknown>"
            stamp = timestamp(known) if known else ""
            lines[row.name].update(node=row, status=status(row), age=age, created=stamp)


def status(node: Node) -> str:
    """The STATUS word of kubectl."""
    return ("Ready" if node.ready else "NotReady") + (",SchedulingDisabled" if node.unschedulable else "")
