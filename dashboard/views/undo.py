"""The undo of what one deed wrote, and its redo: the buttons that messages carry."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from dashboard.views.common import cluster_or_404, whole_number
from dashboard.views.doing import back, check
from scheduler import services
from scheduler.engine.errors import Refused
from scheduler.models import Cluster


@require_POST
def undo_events(request: HttpRequest, cluster: str) -> HttpResponseBase:
    """`range`: first and last event of what is taken back, or `redo`: the event of an undo; nothing may have
    happened since.
    """
    check(request)
    row = cluster_or_404(cluster)
    if head := whole_number(request.POST.get("redo", "")):
        return _redo(request, row, head)
    first, _, last = request.POST.get("range", "").partition("-")
    begun, ended = whole_number(first), whole_number(last)
    if begun is None or ended is None or begun < 2:
        raise PermissionDenied("What is to be undone is not told.")
    try:
        if row.wanted == Cluster.Wanted.RUNNING:
            raise Refused("Pause first: the cluster is running.")
        undone = services.cluster_reset(row.pk, begun - 1, request.user.get_username(), head=ended)
        button = '<button class="button" form="undo" name="redo" value="{}">Redo</button>'
        said = "Undone: the cluster is as it was before."
        messages.success(request, format_html("{} " + button, said, undone.last_seq))
    except Refused as fault:
        messages.error(request, str(fault))
    return redirect(back(request, row))


def _redo(request: HttpRequest, row: Cluster, head: int) -> HttpResponseBase:
    try:
        services.redo(row.pk, request.user.get_username(), head)
        messages.success(request, "Redone: what was undone counts again.")
    except Refused as fault:
        messages.error(request, str(fault))
    return redirect(back(request, row))
