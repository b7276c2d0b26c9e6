"""A node: what it offers, what is requested of it, the pods that are on it, and how it was scored lately."""

from typing import Any

import yaml
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_http_methods

from dashboard.build.ages import aged, before_start
from dashboard.build.colours import Looks
from dashboard.build.node_rows import node_rows
from dashboard.build.nodes.bars import Bar, bars, owners, segments
from dashboard.build.nodes.lately import lately
from dashboard.build.nodes.seen import last_cycles
from dashboard.build.past import as_of, rows_of
from dashboard.build.present import at_present
from dashboard.text import count, percent, timestamp
from dashboard.views.common import asked_seq, cluster_or_404, paged, past_view, show
from dashboard.views.doing import node_of
from dashboard.views.node_acts import act
from dashboard.views.nodes import status
from dashboard.views.pods import table_row
from scheduler import store
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.values.requests import CPU, node_allocatable
from scheduler.models import Cluster, Node, Pod

OWNERS = 16  # that are named; the pods themselves stand below


@require_http_methods(["GET", "HEAD", "POST"])
def node_page(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    """GET shows the node; POST cordons or uncordons it."""
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    if request.method == "POST":
        return act(request, row, name)
    return _page(request, at_present(row) if at is None else as_of(row, at), name)


def _page(request: HttpRequest, cluster: Cluster, name: str) -> HttpResponse:
    row = node_of(cluster, name)
    pods = paged(request, rows_of(Pod, cluster).filter(node_name=name).order_by("-milli_cpu", "namespace", "name"))
    context = {
        "row": row,
        **_head(cluster, row),
        **_use(cluster, name),
        **_told(row.manifest),
        "pods": [table_row(pod, cluster.now_us) for pod in pods],
        "paging": pods,
        "here": request.get_full_path(),
        "state": {},
    }
    return show(request, "node.html", "nodes", cluster, **context)


def _head(cluster: Cluster, row: Node) -> dict[str, Any]:
    """The first sentence, and the facts below it."""
    return {
        "status": status(row),
        "sentence": sentence(row),
        "age": aged(cluster.now_us, row.created_us),
        "before": before_start(cluster.start_us, row.created_us),
        "created": timestamp(row.created_us),
    }


def _use(cluster: Cluster, name: str) -> dict[str, Any]:
    """What is requested of each resource, and by whom."""
    with store.reading(cluster.pk, cluster.seq) as simulation:
        info = simulation.cluster.infos.get(name)
        if info is None:
            return {"resources": []}
        looks = node_rows(cluster.pk, list(simulation.cluster)).looks
        return {"resources": bars(info, looks), **_owners(info, looks)}


def _told(manifest: dict[str, Any]) -> dict[str, Any]:
    """What the node says of itself."""
    metadata, spec, reported = (manifest.get(part) or {} for part in ("metadata", "spec", "status"))
    return {
        "labels": sorted((metadata.get("labels") or {}).items()),
        "taints": spec.get("taints") or [],
        "conditions": reported.get("conditions") or [],
        "manifest": yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True),
    }


@past_view
def node_lately(request: HttpRequest, cluster: Cluster, name: str) -> HttpResponse:
    """How the last cycles met the node, as a piece of a page. `?whole=1`: with scores by algorithm."""
    found = lately(last_cycles(cluster), name)
    whole = "whole" in request.GET
    return show(request, "_node_lately.html", "nodes", cluster, lately=found, whole=whole, name=name)


def sentence(row: Node) -> str:
    cpu, memory = percent(row.requested_milli_cpu, row.milli_cpu), percent(row.requested_memory, row.memory)
    held = f"`{row.name}` holds {count(row.pod_count, 'pod')}"
    if row.unschedulable:
        held += f" and takes no more: it is cordoned{'' if row.ready else ' and not ready'}"
    elif not row.ready:
        held += " and is not ready"
    return f"{held}; {cpu or '0%'} of its cpu and {memory or '0%'} of its memory are requested."


def _owners(info: NodeInfo, looks: Looks) -> dict[str, Any]:
    """Who runs here, by requested cpu."""
    whole = (node_allocatable(info.node) if info.node else {}).get(CPU, 0)
    asked: Bar = bars(info, looks, [CPU])[0]
    found = owners(info, looks, CPU)
    told = ", ".join(f"{one.name} {one.percent}" for one in found[:OWNERS])
    total = max(whole, sum(dict(pod.requested).get(CPU, 0) for pod in info.pods))
    return {
        "owners": found[:OWNERS],
        "more_owners": max(0, len(found) - OWNERS),
        "owners_told": told,
        "segments": segments(info.pods, looks, CPU, total),
        "cpu": asked,
    }
