"""What leaves Podium as a file: objects, the run as a Chrome trace, the event log; and the page that lists them.

With `?at=SEQ` each is of the cluster as it was at that event, and its file is named after it.
"""

from functools import partial

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from dashboard.build.past import objects_of
from dashboard.views.common import past_view, show
from dashboard.views.download import download, file_stem
from scheduler.exports.chrome_trace import write_chrome_trace
from scheduler.exports.event_log import write_event_log
from scheduler.manifests.export import write_json, write_yaml
from scheduler.models import Cluster

TABLES = (("pods-csv", "Pods"), ("cycles-csv", "Cycles"), ("moves-csv", "Moves"))


@past_view
def export_page(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    return show(request, "export.html", "export", cluster, tables=TABLES)


@past_view
def objects_json(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The List that `kubectl get -o json` prints, for kubectl or another import."""
    write = partial(write_json, objects_of(cluster))
    return download(request, write, f"{file_stem(cluster)}.json", "application/json")


@past_view
def objects_yaml(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    write = partial(write_yaml, objects_of(cluster))
    return download(request, write, f"{file_stem(cluster)}.yaml", "application/yaml")


@past_view
def trace_json(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The run until `?at=SEQ` for ui.perfetto.dev or chrome://tracing."""
    write = partial(write_chrome_trace, cluster, cluster.seq)
    return download(request, write, f"{file_stem(cluster)}-trace.json", "application/json")


@past_view
def events_jsonl(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The log until `?at=SEQ`, one event a line."""
    write = partial(write_event_log, cluster, cluster.seq)
    return download(request, write, f"{file_stem(cluster)}-events.jsonl", "application/jsonl")
