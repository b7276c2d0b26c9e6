"""Drain or delete a node: what would happen by GET, the deed by POST."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from dashboard.build.nodes.leaving import Preview, delete_preview, drain_preview
from dashboard.views.common import cluster_or_404, show, whole_number
from dashboard.views.doing import check, done, form_view, node_of
from scheduler import services, store
from scheduler.models import Cluster, Node


@form_view
def node_drain(request: HttpRequest, cluster: str, name: str) -> HttpResponseBase:
    """`?budgets=ignore`: pods that a PodDisruptionBudget protects go as well (`kubectl drain --disable-eviction`)."""
    check(request, "scheduler.delete_pod", "pods")
    row = cluster_or_404(cluster)
    node = node_of(row, name)
    ignore = (request.POST or request.GET).get("budgets") == "ignore"
    if request.method == "POST":
        actor, seen = request.user.get_username(), whole_number(request.POST.get("seen", ""))
        return done(
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
    check(request, "scheduler.delete_node", "nodes")
    row = cluster_or_404(cluster)
    node = node_of(row, name)
    if request.method == "POST":
        actor, seen = request.user.get_username(), whole_number(request.POST.get("seen", ""))
        return done(
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
