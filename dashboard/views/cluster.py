"""A cluster as a whole: what people read about it, and its end."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.views.common import cluster_or_404, show
from scheduler.engine.errors import Invalid
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services.access import may_delete, may_write
from scheduler.services.clusters import cluster_delete, cluster_describe


@require_http_methods(["GET", "HEAD", "POST"])
def cluster_edit(request: HttpRequest, cluster: str) -> HttpResponse:
    """A form for the description, and one that deletes. Each for those who may."""
    row = cluster_or_404(cluster)
    if not (may_write(request.user) or may_delete(request.user)):
        raise PermissionDenied("You may look at this cluster but not change it.")
    if request.method != "POST":
        return _show(request, row, row.description)
    if not may_write(request.user):
        raise PermissionDenied("You may delete this cluster but not change it.")
    description = request.POST.get("description", "")
    try:
        cluster_describe(row.pk, description)
    except Invalid as fault:
        return _show(request, row, description, fault=fault.message, status=400)
    messages.success(request, f"Saved the description of {row.name}.")
    return redirect("home")


@require_POST
def cluster_remove(request: HttpRequest, cluster: str) -> HttpResponse:
    """Deletes the cluster if its name was typed: there is no way back."""
    row = cluster_or_404(cluster)
    if not may_delete(request.user):
        raise PermissionDenied("You may not delete clusters: ask for the permission.")
    if request.POST.get("name", "").strip() != row.name:
        fault = "This is not its name, so nothing was deleted."
        return _show(request, row, row.description, refusal=fault, status=400)
    cluster_delete(row.pk)
    messages.success(request, f"Deleted {row.name} with its log.")
    return redirect("home")


def _show(
    request: HttpRequest, row: Cluster, description: str, *, fault: str = "", refusal: str = "", status: int = 200
) -> HttpResponse:
    """`fault`: what is wrong with the description; `refusal`: why it was not deleted."""
    counts = {model.__name__: model._default_manager.filter(cluster=row).count() for model in (Node, Pod, Event)}
    response = show(
        request,
        "cluster_edit.html",
        "clusters",
        row,
        description=description,
        fault=fault,
        refusal=refusal,
        counts=counts,
        may_delete=may_delete(request.user),
        longest=Cluster._meta.get_field("description").max_length,
    )
    response.status_code = status
    return response
