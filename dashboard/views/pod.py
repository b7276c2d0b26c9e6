"""A pod: where it stands and why, its way so far, what it asks for."""

import yaml
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from dashboard.build.ages import aged
from dashboard.build.constraints import constraints
from dashboard.build.history import history
from dashboard.build.past import rows_of
from dashboard.build.records import CycleRecord, counting, cycle_records
from dashboard.build.requests import arithmetic
from dashboard.build.source import drawn
from dashboard.build.standing import standing
from dashboard.build.story import story
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
from scheduler import store
from scheduler.engine.objects import Pod as TypedPod
from scheduler.engine.objects import decode
from scheduler.models import Cluster, Event, Pod

ATTEMPTS = 20


@past_view
def pod_page(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    row = pod_or_404(cluster, namespace, name)
    attempts = attempts_of(cluster, row.key)
    pod = decode("Pod", row.manifest)
    assert isinstance(pod, TypedPod)
    last = attempts[0] if attempts else None
    # Drawn before the state is lent: whoever holds one state and waits for another may wait for ever.
    told = drawn(cluster, last).view["sentence"] if last is not None else ""
    with store.reading(cluster.pk, cluster.seq) as simulation:
        stands = standing(simulation, simulation.pod(row.key) or pod, last, told, cluster.now_us)
    return show(
        request,
        "pod.html",
        "pods",
        cluster,
        row=row,
        standing=stands,
        age=aged(cluster.now_us, row.created_us),
        created=timestamp(row.created_us),
        message=row.message if not row.node_name else "",
        lines=[(line, clock(line.at_us, cluster.start_us)) for line in history(cluster.pk, row.key, cluster.seq)],
        attempts=[table_row(record, cluster) for record in attempts],
        request_of=arithmetic(pod),
        constraints=constraints(pod),
        manifest=yaml.safe_dump(row.manifest, sort_keys=False, allow_unicode=True),
    )


def pod_or_404(cluster: Cluster, namespace: str, name: str) -> Pod:
    row: Pod | None = rows_of(Pod, cluster).filter(namespace=namespace, name=name).first()
    if row is None:
        key, past = f"{namespace}/{name}", was_there(cluster, f"Pod/{namespace}/{name}")
        links = [(reverse("pods", args=(cluster.name,)), f"Pods of {cluster.name}")]
        if past:
            links.append((f"{reverse('moves', args=(cluster.name,))}?{urlencode({'pod': key})}", "Its moves"))
        raise NotThere(f"Cluster {cluster.name} has no pod {key} now. {past}", *links)
    return row


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
