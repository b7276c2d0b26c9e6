"""What every node says to a waiting pod that is picked on the board."""

from django.http import Http404, HttpRequest, HttpResponse

from dashboard.build.answers import answers
from dashboard.views.common import asked_seq, cluster_view, json_response
from scheduler import store
from scheduler.models import Cluster


@cluster_view
def answers_json(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """As at `?at=`; 404 for a pod that does not wait then."""
    with store.reading(cluster.pk, asked_seq(request, cluster)) as simulation:
        found = answers(simulation, f"{namespace}/{name}")
    if found is None:
        raise Http404(f"`{namespace}/{name}` does not wait to be scheduled.")
    return json_response(found)
