"""What leaves Podium as a file: objects, the run as a Chrome trace, the event log; and the page that lists them."""

from functools import partial

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from dashboard.views.common import asked_seq, cluster_view, show
from dashboard.views.download import download
from scheduler.exports.chrome_trace import write_chrome_trace
from scheduler.exports.event_log import write_event_log
from scheduler.manifests.export import cluster_objects, write_json, write_yaml
from scheduler.models import Cluster

TABLES = (("pods-csv", "Pods"), ("cycles-csv", "Cycles"), ("moves-csv", "Moves"))


@cluster_view
def export_page(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    return show(request, "export.html", "export", cluster, at=asked_seq(request, cluster), tables=TABLES)


@cluster_view
def objects_json(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The List that `kubectl get -o json` prints, for kubectl or another import."""
    write = partial(write_json, cluster_objects(cluster))
    return download(request, write, f"{cluster.name}.json", "application/json")


@cluster_view
def objects_yaml(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    write = partial(write_yaml, cluster_objects(cluster))
    return download(request, write, f"{cluster.name}.yaml", "application/yaml")


@cluster_view
def trace_json(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The run until `?at=SEQ` for ui.perfetto.dev or chrome://tracing."""
    write = partial(write_chrome_trace, cluster, asked_seq(request, cluster) or cluster.seq)
    return download(request, write, f"{cluster.name}-trace.json", "application/json")


@cluster_view
def events_jsonl(request: HttpRequest, cluster: Cluster) -> StreamingHttpResponse:
    """The log until `?at=SEQ`, one event a line."""
    write = partial(write_event_log, cluster, asked_seq(request, cluster) or cluster.seq)
    return download(request, write, f"{cluster.name}-events.jsonl", "application/jsonl")
