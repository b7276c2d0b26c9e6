"""The table of nodes: kubectl's columns, and what is requested of what is allocatable."""

from typing import Any

from django.db.models import F, FloatField, QuerySet, Sum
from django.db.models.functions import Cast, NullIf
from django.http import HttpRequest, HttpResponse

from dashboard.build.ages import aged
from dashboard.build.past import PastRows, counted, rows_of
from dashboard.search import search
from dashboard.text import count, percent, timestamp
from dashboard.views.common import paged, past_view, show
from scheduler.engine.values.quantity import format_bytes, format_cpu
from scheduler.models import Cluster, Node

SORTS = {
    "name": ("name",),
    "zone": ("zone", "name"),
    "cpu": ("-cpu_share", "name"),
    "memory": ("-memory_share", "name"),
    "pods": ("-pod_count", "name"),
    "age": ("-created_us", "name"),
}
SUMMED = ("milli_cpu", "memory", "requested_milli_cpu", "requested_memory")


@past_view
def node_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    everything = rows_of(Node, cluster)
    chosen = {name: request.GET.get(name, "") for name in ("q", "zone", "state")}
    sort = request.GET.get("sort", "name")
    rows = narrowed(everything, chosen).order_by(*SORTS.get(sort.removeprefix("-"), SORTS["name"]))
    page = paged(request, rows.reverse() if sort.startswith("-") else rows)
    zones = sorted(counted(everything, "zone").items())
    return show(
        request,
        "nodes.html",
        "nodes",
        cluster,
        rows=[table_row(node, cluster.now_us) for node in page],
        paging=page,
        chosen=chosen,
        sort=sort,
        zones=[(zone, number) for zone, number in zones if zone],
        sentence=sentence(everything),
    )


def narrowed(rows: Any, chosen: dict[str, str]) -> Any:
    rows = rows.annotate(
        cpu_share=Cast("requested_milli_cpu", FloatField()) / NullIf(F("milli_cpu"), 0),
        memory_share=Cast("requested_memory", FloatField()) / NullIf(F("memory"), 0),
    )
    if chosen["zone"]:
        rows = rows.filter(zone=chosen["zone"])
    states = {"ready": {"ready": True, "unschedulable": False}, "cordoned": {"unschedulable": True}}
    states["not_ready"] = {"ready": False}
    return search(rows.filter(**states.get(chosen["state"], {})), chosen["q"])


def sentence(rows: QuerySet[Node] | PastRows) -> str:
    """`60 nodes, 66% of cpu and 48% of memory requested.`"""
    nodes, sums = rows.count(), totals(rows)
    if not nodes:
        return "This cluster has no nodes."
    cpu = percent(sums["requested_milli_cpu"], sums["milli_cpu"]) or "0%"
    memory = percent(sums["requested_memory"], sums["memory"]) or "0%"
    return f"{count(nodes, 'node')}, {cpu} of cpu and {memory} of memory requested."


def totals(rows: QuerySet[Node] | PastRows) -> dict[str, int]:
    """The sums over all nodes, by column."""
    if isinstance(rows, PastRows):
        return {column: rows.total(column) for column in SUMMED}
    return rows.aggregate(**{column: Sum(column, default=0) for column in SUMMED})


def table_row(node: Node, now_us: int) -> dict[str, Any]:
    return {
        "node": node,
        "status": status(node),
        "age": aged(now_us, node.created_us) if node.created_us else "<unknown>",
        "created": timestamp(node.created_us) if node.created_us else "",
        "cpu": format_cpu(node.requested_milli_cpu),
        "cpu_of": format_cpu(node.milli_cpu),
        "cpu_percent": percent(node.requested_milli_cpu, node.milli_cpu),
        "cpu_width": min(100, round(100 * node.requested_milli_cpu / node.milli_cpu)) if node.milli_cpu else 0,
        "memory": format_bytes(node.requested_memory),
        "memory_of": format_bytes(node.memory),
        "memory_percent": percent(node.requested_memory, node.memory),
        "memory_width": min(100, round(100 * node.requested_memory / node.memory)) if node.memory else 0,
        "taints": [taint for taint in node.taints.split(",") if taint],
    }


def status(node: Node) -> str:
    """The STATUS word of kubectl."""
    return ("Ready" if node.ready else "NotReady") + (",SchedulingDisabled" if node.unschedulable else "")
