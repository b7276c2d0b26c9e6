"""What deeds of pages share: who may, which node, a message with a way back, and where to go on."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from dashboard.build.past import rows_of
from dashboard.views.common import NotThere, was_there
from scheduler import services
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Cluster, Node
from scheduler.services.access import may_write
from scheduler.services.addresses import own_address
from scheduler.services.woken import woken_told

MAY_NOT = "You may look at this cluster but not change it: ask for the permission to change clusters."
form_view = require_http_methods(["GET", "HEAD", "POST"])


def check(request: HttpRequest, permission: str = "", what: str = "", deed: str = "deletes") -> None:
    """Raises `PermissionDenied` for who may not do it, and in the past."""
    if not may_write(request.user):
        raise PermissionDenied(MAY_NOT)
    if request.GET.get("at"):
        raise PermissionDenied("This is the past: nothing can be written there. Go back to now first.")
    if permission and not request.user.has_perm(permission):
        raise PermissionDenied(f"This {deed} {what}, which you may not do: ask for the permission `{permission}`.")


def node_of(cluster: Cluster, name: str) -> Node:
    """The node now, or at the event that the cluster is shown at. Raises `NotThere`."""
    row: Node | None = rows_of(Node, cluster).filter(name=name).first()
    if row is None:
        raise _no_node(cluster, name)
    return row


def _no_node(cluster: Cluster, name: str) -> NotThere:
    nodes, at = reverse("nodes", args=(cluster.name,)), getattr(cluster, "at", None)
    if at is None:
        told = was_there(cluster, f"Node//{name}")
        return NotThere(
            f"Cluster `{cluster.name}` has no node `{name}` now. {told}", (nodes, f"Nodes of {cluster.name}")
        )
    links = [(f"{nodes}?at={at}", f"Nodes at event {at}")]
    if Node.objects.filter(cluster=cluster.pk, name=name).exists():
        links.append((reverse("node", args=(cluster.name, name)), "The node now"))
    return NotThere(f"Cluster `{cluster.name}` had no node `{name}` at event {at}.", *links)


def back(request: HttpRequest, cluster: Cluster, name: str = "") -> str:
    """The address that the form names, if it is one of this site."""
    if address := own_address(request.POST.get("next", "")):
        return address
    return reverse("node", args=(cluster.name, name)) if name else reverse("nodes", args=(cluster.name,))


def done(
    request: HttpRequest,
    cluster: Cluster,
    do: Callable[[], services.Committed],
    said: str,
    address: str,
    otherwise: str = "",
) -> HttpResponseBase:
    """Do it, tell it with a way back, go on to `address`; to `otherwise` where it was refused."""
    try:
        tell(request, said, do(), cluster)
    except (Invalid, Refused) as fault:
        messages.error(request, str(fault))
        return redirect(otherwise or address)
    return redirect(address)


def tell(request: HttpRequest, said: str, committed: services.Committed, cluster: Cluster | None = None) -> None:
    """A message with a button that takes back exactly these events; of `cluster`, with the pods that they woke."""
    if not committed.events:
        messages.info(request, f"{said} Nothing had to be changed.")
        return
    events = f"{committed.first_seq}-{committed.last_seq}"
    button = format_html('<button class="button" form="undo" name="range" value="{}">Undo</button>', events)
    woken = woken_told(cluster.pk, committed.first_seq, committed.last_seq) if cluster else ""
    seq = committed.last_seq
    moment = (
        format_html('<a href="{}?at={}">event {}</a>', reverse("board", args=(cluster.name,)), seq, seq)
        if cluster
        else f"event {seq}"
    )
    messages.success(request, format_html("{}{} ({}) {}", said, woken, moment, button))
