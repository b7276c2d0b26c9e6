"""The list of cycles: every decision of the scheduler, newest first."""

from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from dashboard.build.records import CycleRecord, counting, cycle_records
from dashboard.build.results import bare, reasons
from dashboard.build.tables import CycleRow, cycle_rows, scored_total
from dashboard.text import clock
from dashboard.views.common import paged, past_view, show
from dashboard.views.download import Form, each, file_stem, table
from scheduler.models import Cluster, Event

OUTCOMES = ("bound", "unschedulable", "error")


@past_view
def cycle_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    """`?outcome=` and `?pod=ns/name` narrow it. Cycles that were undone are listed as such, and not counted."""
    finished = Event.objects.filter(cluster=cluster, seq__lte=cluster.seq, kind="CycleFinished")
    counts = counting(cluster.pk, cluster.seq)
    rows, chosen = wanted(request, cluster)
    page = paged(request, rows.order_by("-seq").values_list("cycle", flat=True))
    records = cycle_records(cluster.pk, page.object_list, cluster.seq)
    standing = set(rows.filter(counts, cycle__in=list(page.object_list)).values_list("cycle", flat=True))
    return show(
        request,
        "cycles.html",
        "cycles",
        cluster,
        rows=[table_row(record, cluster) | {"undone": record.number not in standing} for record in records],
        paging=page,
        chosen=chosen,
        outcomes=dict(finished.filter(counts).order_by().values_list("outcome").annotate(rows=Count("pk"))),
        query=request.GET.urlencode(),
    )


@past_view
def cycle_table(request: HttpRequest, cluster: Cluster, form: Form) -> HttpResponseBase:
    """Every cycle that the page's query finds and that no undo took back."""
    rows, _ = wanted(request, cluster)
    rows = rows.filter(counting(cluster.pk, cluster.seq)).order_by("-seq")
    numbers = each(rows.values_list("cycle", flat=True))
    return table(request, f"{file_stem(cluster)}-cycles", form, CycleRow, cycle_rows(cluster, numbers))


def wanted(request: HttpRequest, cluster: Cluster) -> tuple[QuerySet[Event], dict[str, str]]:
    """An event of each cycle that the query asks for, and what it chose."""
    chosen = {name: request.GET.get(name, "") for name in ("outcome", "pod")}
    rows = Event.objects.filter(cluster=cluster, seq__lte=cluster.seq)
    if chosen["outcome"] in OUTCOMES:
        rows = rows.filter(kind="CycleFinished", outcome=chosen["outcome"])
    else:
        rows = rows.filter(kind="CycleStarted")
    if chosen["pod"]:
        rows = rows.filter(object_key=f"Pod/{chosen['pod']}")
    return rows, chosen


def table_row(record: CycleRecord, cluster: Cluster) -> dict[str, Any]:
    decision = record.decision
    return {
        "record": record,
        "clock": clock(record.popped_us, cluster.start_us),
        "decision": decision,
        "total": scored_total(decision),
        "reasons": reasons(decision),
        "said": bare(decision.message) if decision else "",
    }
