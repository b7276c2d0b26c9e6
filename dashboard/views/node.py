"""A node: what it offers, what is requested of it, and the pods that are on it."""

from typing import Any

import yaml
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from dashboard.build.ages import aged
from dashboard.build.past import rows_of
from dashboard.text import count, percent, quantity, timestamp
from dashboard.views.common import NotThere, paged, past_view, show, was_there
from dashboard.views.nodes import status
from dashboard.views.pods import table_row
from scheduler import store
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.values.requests import PODS, node_allocatable
from scheduler.models import Cluster, Node, Pod


@past_view
def node_page(request: HttpRequest, cluster: Cluster, name: str) -> HttpResponse:
    row = rows_of(Node, cluster).filter(name=name).first()
    if row is None:
        nodes = (reverse("nodes", args=(cluster.name,)), f"Nodes of {cluster.name}")
        raise NotThere(f"Cluster {cluster.name} has no node {name} now. {was_there(cluster, f'Node//{name}')}", nodes)
    with store.reading(cluster.pk, cluster.seq) as simulation:
        info = simulation.cluster.infos.get(name)
        resources = resource_table(info) if info else []
    pods = rows_of(Pod, cluster).filter(node_name=name).order_by("-milli_cpu", "namespace", "name")
    page = paged(request, pods)
    metadata, spec = row.manifest.get("metadata") or {}, row.manifest.get("spec") or {}
    return show(
        request,
        "node.html",
        "nodes",
        cluster,
        row=row,
        status=status(row),
        sentence=sentence(row),
        age=aged(cluster.now_us, row.created_us),
        created=timestamp(row.created_us),
        resources=resources,
        labels=sorted((metadata.get("labels") or {}).items()),
        taints=spec.get("taints") or [],
        conditions=(row.manifest.get("status") or {}).get("conditions") or [],
        pods=[table_row(pod, cluster.now_us) for pod in page],
        paging=page,
        manifest=yaml.safe_dump(row.manifest, sort_keys=False, allow_unicode=True),
    )


def sentence(row: Node) -> str:
    cpu, memory = percent(row.requested_milli_cpu, row.milli_cpu), percent(row.requested_memory, row.memory)
    held = f"`{row.name}` holds {count(row.pod_count, 'pod')}"
    if row.unschedulable:
        held += " and takes no more: it is cordoned"
    elif not row.ready:
        held += " and is not ready"
    return f"{held}; {cpu or '0%'} of its cpu and {memory or '0%'} of its memory are requested."


def resource_table(info: NodeInfo) -> list[dict[str, Any]]:
    """Allocatable, requested and free by resource, as the scheduler counts them."""
    allocatable = node_allocatable(info.node) if info.node else {}
    requested: dict[str, int] = {PODS: len(info.pods)}
    for pod in info.pods:
        for resource, amount in pod.requested:
            requested[resource] = requested.get(resource, 0) + amount
    order = ["cpu", "memory", *sorted({*allocatable, *requested} - {"cpu", "memory", PODS}), PODS]
    return [_resource(name, allocatable.get(name, 0), requested.get(name, 0)) for name in order]


def _resource(name: str, allocatable: int, requested: int) -> dict[str, Any]:
    return {
        "name": name,
        "allocatable": quantity(name, allocatable),
        "requested": quantity(name, requested),
        "free": quantity(name, allocatable - requested),
        "percent": percent(requested, allocatable),
        "width": round(100 * requested / allocatable) if allocatable else 0,
        "over": requested > allocatable,
    }
