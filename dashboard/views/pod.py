"""A pod: where it stands and why, with the evidence; the same as JSON and CSV."""

import json
import re
import zlib
from collections.abc import Iterator
from typing import Any, TextIO

import yaml
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from dashboard.build.ages import aged, before_start
from dashboard.build.constraints import constraints
from dashboard.build.history import history
from dashboard.build.past import is_past, rows_of
from dashboard.build.records import CycleRecord, counting, cycle_records, ended_later
from dashboard.build.requests import arithmetic
from dashboard.build.story import story
from dashboard.build.why.issue import issue
from dashboard.build.why.message import FORMS, form_of
from dashboard.build.why.page import Seen, against, seen, why
from dashboard.build.why.table import node_table
from dashboard.build.why.waterfall import waterfall
from dashboard.payloads.why import Versus
from dashboard.sheets import write_csv
from dashboard.text import clock, timestamp
from dashboard.views.common import (
    NotThere,
    asked_number,
    asked_seq,
    cluster_view,
    json_response,
    past_view,
    show,
    was_there,
)
from dashboard.views.cycles import table_row
from dashboard.views.download import TYPES, download, file_stem
from scheduler.engine.objects import Pod as TypedPod
from scheduler.engine.objects import decode
from scheduler.models import Cluster, Event, Pod

ATTEMPTS = 50
CHOICES = 50
COUNTS = re.compile(r"0/\d+ nodes are available: \d")
TABS = {
    "nodes": "By node",
    "reasons": "By reason",
    "request": "Request",
    "topology": "Spread and affinity",
    "preemption": "Preemption",
    "history": "History",
}


@past_view
def pod_page(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    one = looked_at(request, cluster, namespace, name)
    row = one.row
    return show(
        request,
        "pod.html",
        "pods",
        cluster,
        **_compared(request, cluster, one),
        row=row,
        one=one,
        part=_part(one),
        age=aged(cluster.now_us, row.created_us),
        before=before_start(cluster.start_us, row.created_us),
        created=timestamp(row.created_us),
        message=_message(request, one),
        tabs=_tabs(one),
        tab=_tab(request, one),
        lines=[(line, clock(line.at_us, cluster.start_us)) for line in history(cluster.pk, row.key, cluster.seq)],
        attempts=[table_row(record, cluster) for record in one.records],
        request_of=arithmetic(one.pod),
        constraints=constraints(one.pod),
        manifest=yaml.safe_dump(row.manifest, sort_keys=False, allow_unicode=True),
        later=ended_later(cluster.pk, one.chosen) if one.chosen is not None and not one.chosen.finished_seq else None,
        changed_since=one.chosen is not None and _changed_since(cluster, row.key, one.chosen),
    )


def _changed_since(cluster: Cluster, key: str, attempt: CycleRecord) -> bool:
    """Whether somebody edited the pod after this attempt had begun."""
    edits = Event.objects.filter(counting(cluster.pk, cluster.seq), cluster=cluster, object_key=f"Pod/{key}")
    return edits.filter(kind="ObjectUpdated", seq__gt=attempt.popped_seq).exists()


def _part(one: Seen) -> str:
    """Changes when a page that stands open must show other evidence, not only another place in the queue."""
    row, last = one.row, one.chosen
    attempt = (last.number, last.phase, last.finished_seq) if last is not None else ()
    wish = zlib.crc32(json.dumps(row.manifest.get("spec"), sort_keys=True).encode())
    shown = (*attempt, len(one.records), one.is_last, row.node_name, bool(row.queue), row.queue == "gated", wish)
    return "-".join(map(str, shown))


def looked_at(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> Seen:
    """The pod at the attempt of `?attempt=`, else at its last."""
    row = pod_or_404(cluster, namespace, name)
    records = attempts_of(cluster, row.key)
    pod = decode("Pod", row.manifest)
    assert isinstance(pod, TypedPod)
    return seen(cluster, row, pod, records, _chosen(request, records))


def _chosen(request: HttpRequest, records: list[CycleRecord]) -> CycleRecord | None:
    asked = asked_number(request, "attempt", 0)
    if not asked:
        return records[0] if records else None
    found = next((record for record in records if record.attempt == asked), None)
    if found is None:
        raise Http404(f"There is no attempt {asked} of this pod here: it has had {len(records)}.")
    return found


def _compared(request: HttpRequest, cluster: Cluster, one: Seen) -> dict[str, Any]:
    """Why here and not there: `?vs=`, or the next best node."""
    other = request.GET.get("vs", "").strip()
    try:
        found = against(cluster, one, other)
    except LookupError as fault:
        return {"vs": other, "vs_fault": str(fault)}
    return {
        "vs": other or (found["there"] if found else ""),
        "versus": found,
        "bars": waterfall(found),
        "choices": _choices(one),
    }


def _choices(one: Seen) -> list[str]:
    """Nodes to compare with, best first."""
    table = one.found.columns if one.found is not None else None
    return [table.names[row] for row in table.order[:CHOICES]] if table is not None else []


def _message(request: HttpRequest, one: Seen) -> dict[str, Any]:
    """The message as each version prints it; as one where all print the same. `counts`: whether it counts nodes."""
    form = form_of(request.GET.get("form", ""))
    text = one.messages.get(form, "")
    differ = len(set(one.messages.values())) > 1
    forms = [(key, FORMS[key], each) for key, each in one.messages.items() if differ or key == form]
    return {"form": form, "forms": forms, "text": text, "counts": bool(COUNTS.match(text))}


def _tabs(one: Seen) -> list[tuple[str, str]]:
    """Those that have something to show."""
    found = one.found
    empty = {
        "nodes": found is None or found.columns is None,
        "reasons": not one.reasons,
        "topology": one.chosen is None or found is None or (found.columns is None and not found.lost),
        "preemption": found is None or found.preemption is None,
    }
    return [(key, label) for key, label in TABS.items() if not empty.get(key)]


def _tab(request: HttpRequest, one: Seen) -> str:
    asked, there = request.GET.get("tab", ""), [key for key, _ in _tabs(one)]
    return asked if asked in there else there[0]


@past_view
def pod_json(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """The page as data. `?vs=`: against which node; without, the next best."""
    one = looked_at(request, cluster, namespace, name)
    try:
        found: Versus | None = against(cluster, one, request.GET.get("vs", "").strip())
    except LookupError as fault:
        raise Http404(str(fault)) from None
    return json_response(why(cluster, one, found))


@past_view
def pod_csv(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponseBase:
    """Every node of the attempt with all that speaks against it."""
    one = looked_at(request, cluster, namespace, name)

    def write(out: TextIO) -> None:
        write_csv(out, node_table(one.found))

    return download(request, write, f"{file_stem(cluster)}-{namespace}-{name}-nodes.csv", TYPES["csv"])


@past_view
def pod_issue(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Markdown to paste into an issue, without a name of this cluster."""
    one = looked_at(request, cluster, namespace, name)
    text = issue(cluster, one, form_of(request.GET.get("form", "")))
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@cluster_view
def pod_why(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """The other address of the page."""
    query = request.GET.urlencode()
    return redirect(reverse("pod", args=(cluster.name, namespace, name)) + (f"?{query}" if query else ""))


def pod_or_404(cluster: Cluster, namespace: str, name: str) -> Pod:
    row: Pod | None = rows_of(Pod, cluster).filter(namespace=namespace, name=name).first()
    if row is None:
        key, past = f"{namespace}/{name}", was_there(cluster, f"Pod/{namespace}/{name}")
        links = [
            *_as_it_was(cluster, namespace, name),
            (reverse("pods", args=(cluster.name,)), f"Pods of {cluster.name}"),
        ]
        if past:
            links.append((f"{reverse('moves', args=(cluster.name,))}?{urlencode({'pod': key})}", "Its moves"))
        moment = f"at event {cluster.seq}" if is_past(cluster) else "now"
        raise NotThere(f"Cluster `{cluster.name}` has no pod `{key}` {moment}. {past}", *links)
    return row


def _as_it_was(cluster: Cluster, namespace: str, name: str) -> Iterator[tuple[str, str]]:
    """The page of a pod that was deleted, just before that."""
    gone = Event.objects.filter(counting(cluster.pk, cluster.seq), cluster=cluster, kind="ObjectDeleted")
    seq = gone.filter(object_key=f"Pod/{namespace}/{name}").order_by("-seq").values_list("seq", flat=True).first()
    if seq is not None:
        yield f"{reverse('pod', args=(cluster.name, namespace, name))}?at={seq - 1}", f"As it was at event {seq - 1}"


@cluster_view
def story_json(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Why the pod was, or was not, retried: the newest events that could concern it, and the one of `?event=SEQ`."""
    chosen = asked_number(request, "event", 0) or None
    at = asked_seq(request, cluster)
    return json_response(story(cluster, f"{namespace}/{name}", cluster.seq if at is None else at, chosen))


def attempts_of(cluster: Cluster, key: str) -> list[CycleRecord]:
    counts = counting(cluster.pk, cluster.seq)
    begun = Event.objects.filter(counts, cluster=cluster, object_key=f"Pod/{key}", kind="CycleStarted")
    return cycle_records(cluster.pk, begun.order_by("-seq").values_list("cycle", flat=True)[:ATTEMPTS], cluster.seq)
