"""More nodes like one, and the labels, taints and resources of one, as forms."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from dashboard.build.nodes.rows import Rows, posted, stored
from dashboard.views.common import cluster_or_404, show, whole_number
from dashboard.views.doing import check, done, form_view, node_of, tell
from scheduler import services
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Cluster, Node
from scheduler.services.node_changes import MOST_CLONES, new_names, over_capacity

TOLD = 3  # names of clones, and the last one


@form_view
def node_clone(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    check(request, "scheduler.add_node", "nodes", deed="makes")
    row = cluster_or_404(cluster)
    node = node_of(row, name)
    raw = request.POST.get("copies", request.GET.get("copies", "1"))
    copies = whole_number(raw)
    if copies is None or not 0 < copies <= MOST_CLONES:
        fault = f"{raw[:20] or 'Nothing'} is not a number from 1 to {MOST_CLONES}."
        return _clones(request, row, node, copies=raw, fault=fault)
    taken = set(Node.objects.filter(cluster=row).values_list("name", flat=True))
    names = new_names(name, copies, taken)
    if request.method == "POST":
        return done(
            request,
            row,
            lambda: services.node_clone(row.pk, name, copies, request.user.get_username()),
            f"Made {names[0] if copies == 1 else f'{copies} nodes, {names[0]} to {names[-1]}'}.",
            reverse("nodes", args=(row.name,)),
        )
    told = names[:TOLD] if copies > TOLD + 1 else names
    return _clones(request, row, node, copies=copies, names=told, last=names[-1] if len(told) < copies else "")


def _clones(request: HttpRequest, cluster: Cluster, node: Node, **more: Any) -> HttpResponse:
    context = {"node": node, "called": f"`{node.name}`", "most": MOST_CLONES}
    return show(request, "node_clone.html", "nodes", cluster, **context, **more)


@form_view
def node_edit(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    """Labels, taints and allocatable resources as rows."""
    check(request)
    row = cluster_or_404(cluster)
    node = node_of(row, name)
    if request.method != "POST":
        return _form(request, row, node, stored(node.manifest))
    rows = posted(request.POST)
    if rows.faults:
        return _form(request, row, node, rows, status=400)
    try:
        actor, amounts = request.user.get_username(), rows.as_allocatable
        committed = services.node_edit(row.pk, name, rows.as_labels, rows.as_taints, actor, allocatable=amounts)
    except Invalid as fault:
        rows.faults.extend(map(str, getattr(fault, "faults", (fault,))))
        return _form(request, row, node, rows, status=400)
    except Refused as fault:
        messages.error(request, str(fault))
        return redirect("nodes", cluster=row.name)
    tell(request, f"Changed {name}.", committed, row)
    if committed.events and (over := over_capacity(node_of(row, name).manifest)):
        messages.warning(request, over)
    return redirect("node", cluster=row.name, name=name)


def _form(request: HttpRequest, cluster: Cluster, node: Node, rows: Rows, status: int = 200) -> HttpResponse:
    response = show(request, "node_edit.html", "nodes", cluster, node=node, called=f"`{node.name}`", rows=rows)
    response.status_code = status
    return response
