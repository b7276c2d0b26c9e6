"""The list of clusters, which is also the empty state of a fresh installation."""

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dashboard.build.moves import tally_of
from dashboard.build.present import present_us
from dashboard.text import clock
from dashboard.views.common import show
from scheduler.manifests.kinds import KUBECTL
from scheduler.models import Cluster, Node, Pod, QueueEntry
from scheduler.services.access import may_delete, may_write

FEW = 12  # clusters that are told as cards; more are a table


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    counts = {model: _by_cluster(model) for model in (Node, Pod, QueueEntry)}
    rows = [
        {
            "cluster": cluster,
            "clock": clock(present_us(cluster, cluster.now_us), cluster.start_us),
            "nodes": counts[Node].get(cluster.pk, 0),
            "pods": counts[Pod].get(cluster.pk, 0),
            "waiting": counts[QueueEntry].get(cluster.pk, 0),
            "cycles": tally_of(cluster).cycles,
        }
        for cluster in Cluster.objects.all()
    ]
    may_edit = may_write(request.user) or may_delete(request.user)
    few = len(rows) <= FEW
    return show(request, "clusters.html", "clusters", rows=rows, few=few, kubectl=KUBECTL, may_edit=may_edit)


def _by_cluster(model: type[Node] | type[Pod] | type[QueueEntry]) -> dict[int, int]:
    return dict(model.objects.order_by().values_list("cluster").annotate(rows=Count("pk")))
