"""Cordon and uncordon a node."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from dashboard.views.doing import back, check, done
from scheduler import services
from scheduler.models import Cluster


def act(request: HttpRequest, cluster: Cluster, name: str) -> HttpResponseBase:
    """Cordon or uncordon, then back to where the button was."""
    check(request)
    cordoned = request.POST.get("form") == "cordon"
    if request.POST.get("form") not in ("cordon", "uncordon"):
        raise PermissionDenied("There is no such action.")
    said = f"{'Cordoned' if cordoned else 'Uncordoned'} {name}."
    return done(
        request,
        cluster,
        lambda: services.nodes_cordon(cluster.pk, [name], request.user.get_username(), cordoned=cordoned),
        said,
        back(request, cluster, name),
    )
