"""What one does with a node: cordon, drain, delete, clone, edit, and take it back. Previews by GET, deeds by POST."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.build.nodes.leaving import Preview, delete_preview, drain_preview
from dashboard.build.nodes.rows import Rows, posted, stored
from dashboard.build.past import rows_of
from dashboard.views.common import NotThere, cluster_or_404, show, was_there, whole_number
from scheduler import services, store
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Cluster, Node
from scheduler.services.access import may_write
from scheduler.services.node_changes import MOST_CLONES, new_names

MAY_NOT = "You may look at this cluster but not change it: ask for the permission to change clusters."
form_view = require_http_methods(["GET", "HEAD", "POST"])


def act(request: HttpRequest, cluster: Cluster, name: str) -> HttpResponseBase:
    """Cordon or uncordon, then back to where the button was."""
    _check(request)
    cordoned = request.POST.get("form") == "cordon"
    if request.POST.get("form") not in ("cordon", "uncordon"):
        raise PermissionDenied("There is no such action.")
    done = f"{'Cordoned' if cordoned else 'Uncordoned'} {name}."
    return _done(
        request,
        cluster,
        lambda: services.nodes_cordon(cluster.pk, [name], request.user.get_username(), cordoned=cordoned),
        done,
        _back(request, cluster, name),
    )


@form_view
def node_drain(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    """`?budgets=ignore`: pods that a PodDisruptionBudget protects go as well (`kubectl drain --disable-eviction`)."""
    _check(request, "scheduler.delete_pod", "pods")
    row = cluster_or_404(cluster)
    node = _node(row, name)
    ignore = (request.POST or request.GET).get("budgets") == "ignore"
    if request.method == "POST":
        actor, seen = request.user.get_username(), whole_number(request.POST.get("seen", ""))
        return _done(
            request,
            row,
            lambda: services.nodes_drain(row.pk, [name], actor, ignore_budgets=ignore, seen=seen),
            f"Drained {name}.",
            reverse("node", args=(row.name, name)),
            reverse("node-drain", args=(row.name, name)) + ("?budgets=ignore" if ignore else ""),
        )
    with store.reading(row.pk) as simulation:
        preview = drain_preview(simulation, row.pk, name, ignore_budgets=ignore)
    return _leaving(request, row, node, preview, "Drain", ignore=ignore)


@form_view
def node_delete(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    _check(request, "scheduler.delete_node", "nodes")
    row = cluster_or_404(cluster)
    node = _node(row, name)
    if request.method == "POST":
        actor, seen = request.user.get_username(), whole_number(request.POST.get("seen", ""))
        return _done(
            request,
            row,
            lambda: services.node_delete(row.pk, name, actor, seen=seen),
            f"Deleted {name}.",
            reverse("nodes", args=(row.name,)),
            reverse("node-delete", args=(row.name, name)),
        )
    with store.reading(row.pk) as simulation:
        preview = delete_preview(simulation, row.pk, name)
    return _leaving(request, row, node, preview, "Delete")


def _leaving(
    request: HttpRequest, cluster: Cluster, node: Node, preview: Preview, verb: str, *, ignore: bool = False
) -> HttpResponse:
    context = {"node": node, "preview": preview, "verb": verb, "ignore": ignore}
    return show(request, "node_leave.html", "nodes", cluster, **context)


@form_view
def node_clone(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    _check(request, "scheduler.add_node", "nodes", deed="makes")
    row = cluster_or_404(cluster)
    node = _node(row, name)
    raw = request.POST.get("copies", request.GET.get("copies", "1"))
    copies = whole_number(raw)
    if copies is None or not 0 < copies <= MOST_CLONES:
        fault = f"{raw[:20] or 'Nothing'} is not a number from 1 to {MOST_CLONES}."
        return show(request, "node_clone.html", "nodes", row, node=node, copies=raw, fault=fault, most=MOST_CLONES)
    taken = set(Node.objects.filter(cluster=row).values_list("name", flat=True))
    names = new_names(name, copies, taken)
    if request.method == "POST":
        return _done(
            request,
            row,
            lambda: services.node_clone(row.pk, name, copies, request.user.get_username()),
            f"Made {names[0] if copies == 1 else f'{copies} nodes, {names[0]} to {names[-1]}'}.",
            reverse("nodes", args=(row.name,)),
        )
    return show(request, "node_clone.html", "nodes", row, node=node, copies=copies, names=names[:12], most=MOST_CLONES)


@form_view
def node_edit(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    """Labels and taints as rows."""
    _check(request)
    row = cluster_or_404(cluster)
    node = _node(row, name)
    if request.method != "POST":
        return _form(request, row, node, stored(node.manifest))
    rows = posted(request.POST)
    if rows.faults:
        return _form(request, row, node, rows, status=400)
    try:
        committed = services.node_edit(row.pk, name, rows.as_labels, rows.as_taints, request.user.get_username())
    except Invalid as fault:
        rows.faults.extend(map(str, getattr(fault, "faults", (fault,))))
        return _form(request, row, node, rows, status=400)
    except Refused as fault:
        messages.error(request, str(fault))
        return redirect("nodes", cluster=row.name)
    _tell(request, f"Changed labels and taints of {name}.", committed)
    return redirect("node", cluster=row.name, name=name)


def _form(request: HttpRequest, cluster: Cluster, node: Node, rows: Rows, status: int = 200) -> HttpResponse:
    response = show(request, "node_edit.html", "nodes", cluster, node=node, rows=rows)
    response.status_code = status
    return response


@require_POST
def nodes_undo(request: HttpRequest, cluster: str) -> HttpResponseBase:
    """`range`: first and last event of what is taken back; nothing may have happened since."""
    _check(request)
    row = cluster_or_404(cluster)
    first, _, last = request.POST.get("range", "").partition("-")
    begun, ended = whole_number(first), whole_number(last)
    if begun is None or ended is None or begun < 2:
        raise PermissionDenied("What is to be undone is not told.")
    try:
        if row.wanted == Cluster.Wanted.RUNNING:
            raise Refused("Pause first: the cluster is running.")
        services.cluster_reset(row.pk, begun - 1, request.user.get_username(), head=ended)
        messages.success(request, "Undone: the cluster is as it was before.")
    except Refused as fault:
        messages.error(request, str(fault))
    return redirect(_back(request, row, ""))


# --- shared -----------------------------------------------------------------------------------------------------------


def _check(request: HttpRequest, permission: str = "", what: str = "", deed: str = "deletes") -> None:
    if not may_write(request.user):
        raise PermissionDenied(MAY_NOT)
    if request.GET.get("at"):
        raise PermissionDenied("This is the past: nothing can be written there. Go back to now first.")
    if permission and not request.user.has_perm(permission):
        raise PermissionDenied(f"This {deed} {what}, which you may not do: ask for the permission `{permission}`.")


def _node(cluster: Cluster, name: str) -> Node:
    row: Node | None = rows_of(Node, cluster).filter(name=name).first()
    if row is None:
        nodes = (reverse("nodes", args=(cluster.name,)), f"Nodes of {cluster.name}")
        raise NotThere(f"Cluster {cluster.name} has no node {name} now. {was_there(cluster, f'Node//{name}')}", nodes)
    return row


def _back(request: HttpRequest, cluster: Cluster, name: str) -> str:
    address = request.POST.get("next", "")
    if address.startswith("/") and url_has_allowed_host_and_scheme(address, None):
        return address
    return reverse("node", args=(cluster.name, name)) if name else reverse("nodes", args=(cluster.name,))


def _done(
    request: HttpRequest, cluster: Cluster, do: Callable[[], Any], done: str, address: str, otherwise: str = ""
) -> HttpResponseBase:
    """Do it, tell it with a way back, go on to `address`; to `otherwise` where it was refused."""
    try:
        _tell(request, done, do())
    except (Invalid, Refused) as fault:
        messages.error(request, str(fault))
        return redirect(otherwise or address)
    return redirect(address)


def _tell(request: HttpRequest, done: str, committed: services.Committed) -> None:
    if not committed.events:
        messages.info(request, f"{done} Nothing had to be changed.")
        return
    events = f"{committed.first_seq}-{committed.last_seq}"
    button = format_html('<button class="button" form="undo" name="range" value="{}">Undo</button>', events)
    messages.success(request, format_html("{} (event {}) {}", done, committed.last_seq, button))
