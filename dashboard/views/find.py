"""What the command palette finds by a text: the first pods and nodes of the cluster, whichever page is open."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from dashboard.build.past import rows_of
from dashboard.search import search
from dashboard.views.common import json_response, past_view
from scheduler.models import Cluster, Node, Pod

EACH = 6
TEXT_LIMIT = 300


@past_view
def find_json(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """`{"pods": [{"key", "note"}], "nodes": [{"name", "note"}]}`: at most `EACH` of both, searched as in the lists."""
    text = request.GET.get("q", "").strip()[:TEXT_LIMIT]
    return json_response({"pods": _pods(cluster, text), "nodes": _nodes(cluster, text)})


def _pods(cluster: Cluster, text: str) -> list[dict[str, Any]]:
    found = search(rows_of(Pod, cluster), text).order_by("namespace", "name")[:EACH] if text else ()
    return [{"key": f"{one.namespace}/{one.name}", "note": _where(one)} for one in found]


def _where(pod: Pod) -> str:
    return f"{pod.status}, {pod.node_name}" if pod.node_name else pod.status


def _nodes(cluster: Cluster, text: str) -> list[dict[str, Any]]:
    found = search(rows_of(Node, cluster), text).order_by("name")[:EACH] if text else ()
    return [{"name": one.name, "note": one.zone or "no zone"} for one in found]
