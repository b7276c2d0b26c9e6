"""The table of pods, as `kubectl get pods -A -o wide` prints it, with filters that live in the address."""

from collections.abc import Iterable
from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from dashboard.build.ages import aged
from dashboard.build.awaiting import awaiting, schedulers
from dashboard.build.past import PastRows, counted, rows_of
from dashboard.build.refusers import last_refusers
from dashboard.build.tables import PodRow, pod_rows
from dashboard.search import search
from dashboard.text import timestamp
from dashboard.views.common import paged, past_view, show
from dashboard.views.download import Form, each, file_stem, table
from scheduler.engine import objects
from scheduler.models import Cluster, Pod

SORTS = {
    "name": ("namespace", "name"),
    "status": ("status", "namespace", "name"),
    "age": ("-created_us", "namespace", "name"),
    "node": ("node_name", "namespace", "name"),
    "priority": ("-priority", "namespace", "name"),
    "cpu": ("-milli_cpu", "namespace", "name"),
    "memory": ("-memory", "namespace", "name"),
}

NAMED = 3
"""Statuses that the page's sentence counts one by one."""
QUICK = 7
"""Statuses with a chip of their own above the table, most frequent first."""


@past_view
def pod_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    everything = rows_of(Pod, cluster)
    rows, chosen, sort = wanted(request, everything)
    page = paged(request, rows)
    lines = told(page, cluster)
    return show(
        request,
        "pods.html",
        "pods",
        cluster,
        rows=lines,
        waiting=bool(lines) and not any(row["pod"].node_name for row in lines),
        some={name: any(row[name] != "<none>" for row in lines) for name in ("ip", "gates")},
        nominated=any(row["pod"].nominated_node_name for row in lines),
        paging=page,
        chosen=chosen,
        filtered=any(chosen.values()),
        sort=sort,
        statuses=(statuses := counts(everything, "status")),
        quick=[(name, number, name == chosen["status"]) for name, number in statuses[:QUICK]],
        namespaces=counts(everything, "namespace"),
        total=everything.count(),
        others=sum(number for _, number in statuses[NAMED:]),
        awaiting=awaiting(everything, schedulers(cluster)),
        query=request.GET.urlencode(),
    )


@past_view
def pod_table(request: HttpRequest, cluster: Cluster, form: Form) -> HttpResponseBase:
    """Every row that the page's query finds, not only the first hundred."""
    rows, _, _ = wanted(request, rows_of(Pod, cluster))
    lines = (table_row(pod, cluster.now_us) for pod in each(rows))
    return table(request, f"{file_stem(cluster)}-pods", form, PodRow, pod_rows(lines))


def told(pods: Iterable[Pod], cluster: Cluster) -> list[dict[str, Any]]:
    """The rows of a page; those of pods that were refused say why, as the board does."""
    rows = {f"{pod.namespace}/{pod.name}": table_row(pod, cluster.now_us) for pod in pods}
    waiting = [key for key, row in rows.items() if row["pod"].status == "Pending" and row["pod"].queue]
    for key, refused in last_refusers(cluster.pk, waiting, cluster.seq).items():
        rows[key]["why"] = refused.words(as_pod(rows[key]["pod"].manifest)) or rows[key]["pod"].message
    names = schedulers(cluster)
    for row in rows.values():
        row["is_new"] = not row["pod"].queue and row["pod"].scheduler_name in names
    return list(rows.values())


def as_pod(manifest: dict[str, Any]) -> objects.Pod:
    return cast(objects.Pod, objects.decode("Pod", manifest))


def wanted(request: HttpRequest, everything: Any) -> tuple[Any, dict[str, str], str]:
    """The rows that the query asks for, in its order; what it chose, and how it sorts."""
    chosen = {name: request.GET.get(name, "") for name in ("q", "ns", "status", "queue", "node")}
    sort = request.GET.get("sort", "name")
    rows = narrowed(everything, chosen).order_by(*SORTS.get(sort.removeprefix("-"), SORTS["name"]))
    return (rows.reverse() if sort.startswith("-") else rows), chosen, sort


def narrowed(rows: Any, chosen: dict[str, str]) -> Any:
    fields = {"ns": "namespace", "status": "status", "queue": "queue", "node": "node_name"}
    exact = {field: chosen[name] for name, field in fields.items() if chosen[name]}
    return search(rows.filter(**exact), chosen["q"])


def counts(rows: QuerySet[Any] | PastRows, field: str) -> list[tuple[str, int]]:
    """Values of a field with how many rows have each, most frequent first."""
    found = sorted(counted(rows, field).items(), key=lambda pair: (-pair[1], pair[0]))
    return [(value, number) for value, number in found if value]


def table_row(pod: Pod, now_us: int) -> dict[str, Any]:
    """The columns of `-o wide`."""
    status = pod.manifest.get("status") or {}
    spec = pod.manifest.get("spec") or {}
    started = status.get("containerStatuses") or []
    return {
        "pod": pod,
        "ready": ready(pod, spec.get("containers") or [], started),
        "restarts": sum(one.get("restartCount") or 0 for one in started),
        "age": aged(now_us, pod.created_us) if pod.created_us else "<unknown>",
        "created": timestamp(pod.created_us) if pod.created_us else "",
        "ip": status.get("podIP") or "<none>",
        "gates": readiness(spec, status),
    }


def ready(pod: Pod, containers: list[Any], reported: list[dict[str, Any]]) -> str:
    """READY. No kubelet reports here: a running pod without statuses counts as ready, as workloads count it."""
    if not reported and pod.status == "Running":
        return f"{len(containers)}/{len(containers)}"
    return f"{sum(1 for one in reported if one.get('ready'))}/{len(containers)}"


def readiness(spec: dict[str, Any], status: dict[str, Any]) -> str:
    """READINESS GATES: how many of the conditions that the pod waits for are true."""
    wanted = [gate.get("conditionType") for gate in spec.get("readinessGates") or []]
    true = {one.get("type") for one in status.get("conditions") or [] if one.get("status") == "True"}
    return f"{sum(1 for gate in wanted if gate in true)}/{len(wanted)}" if wanted else "<none>"
