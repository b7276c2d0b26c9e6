"""Where a placed pod would go now: a piece of its page, made when somebody asks."""

from django.http import HttpRequest, HttpResponse

from dashboard.build.why.again import again
from dashboard.build.why.waterfall import waterfall
from dashboard.views.common import past_view, show
from dashboard.views.pod import pod_or_404
from scheduler import store
from scheduler.engine.errors import PluginError, Refused
from scheduler.models import Cluster


@past_view
def pod_again(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """As at `?at=`. What cannot be told is told as that; nothing is written."""
    row = pod_or_404(cluster, namespace, name)
    with store.reading(cluster.pk, cluster.seq) as simulation:
        try:
            found, fault = again(simulation, row.key), ""
        except (Refused, PluginError) as why:
            found, fault = None, str(why)
    bars = waterfall(found.versus) if found is not None else None
    return show(request, "_pod_again.html", "pods", cluster, again=found, fault=fault, bars=bars)
