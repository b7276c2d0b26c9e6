"""What one does to several pods at once."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse

from scheduler.admin.action_forms import CopiesForm
from scheduler.admin.action_page import ActionPage, Preview
from scheduler.admin.base import ObjectAdmin
from scheduler.admin.undoing import note
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.words import count
from scheduler.models import Pod
from scheduler.services.pods import pods_activate, pods_clone, pods_requeue

Rows = models.QuerySet[Pod]


class PodActions(ObjectAdmin):
    actions = ("activate", "requeue", "clone")

    @admin.action(description="Activate (waiting pods go to activeQ now)", permissions=["change"])
    def activate(self, request: HttpRequest, rows: Rows) -> None:
        moved, total = 0, rows.count()
        for cluster_id, keys in keys_by_cluster(rows.exclude(queue__in=("", "active", "in_flight"))).items():
            committed = pods_activate(cluster_id, keys, _actor(request))
            note(request, cluster_id, committed)
            moved += sum(event.kind == "PodMoved" for event in committed.events)
        self.told(request, f"Activated {moved:,} of {count(total, 'pod')}.")

    @admin.action(description="Requeue… (take them off their nodes, queue them anew)", permissions=["change"])
    def requeue(self, request: HttpRequest, rows: Rows) -> HttpResponse | None:
        if not request.user.has_perm("scheduler.delete_pod"):
            raise Refused("Requeueing deletes pods and makes them anew; you may not delete pods.")
        page = ActionPage(self, request, rows, f"Requeue {count(len(rows), 'pod')}", "Requeue")
        if page.answer() is not None:
            try:
                for cluster_id, keys in keys_by_cluster(rows).items():
                    note(request, cluster_id, pods_requeue(cluster_id, keys, _actor(request)))
                self.told(request, f"Requeued {count(len(page.rows), 'pod')}.")
                return None
            except (Refused, Invalid) as fault:
                page.refuse(fault)
        return page.shown(listed(page.rows, requeue_told(page.rows)), danger=True)

    @admin.action(description="Clone…", permissions=["add"])
    def clone(self, request: HttpRequest, rows: Rows) -> HttpResponse | None:
        page = ActionPage(self, request, rows, f"Clone {count(len(rows), 'pod')}", "Clone")
        answer = page.answer(CopiesForm)
        if answer is not None:
            try:
                for cluster_id, keys in keys_by_cluster(rows).items():
                    note(request, cluster_id, pods_clone(cluster_id, keys, answer["copies"], _actor(request)))
                self.told(request, f"Added {count(len(page.rows) * answer['copies'], 'pod')}; they are queued.")
                return None
            except (Refused, Invalid) as fault:
                page.refuse(fault)
        return page.shown(listed(page.rows, "The copies have no owner and no node: they are queued."))


def requeue_told(pods: list[Pod]) -> str:
    placed = sum(bool(pod.node_name) for pod in pods)
    waiting = len(pods) - placed
    sentences = []
    if placed:
        nodes = "its node" if placed == 1 else "their nodes"
        sentences.append(f"{count(placed, 'pod')} will leave {nodes} and wait again.")
    if waiting:
        sentences.append(f"{count(waiting, 'pod')} that {'waits' if waiting == 1 else 'wait'} will be tried at once.")
    return " ".join(sentences)


def listed(pods: list[Pod], *says: str) -> Preview:
    rows = [(pod.key, pod.cluster.name, pod.status, pod.node_name or "–", pod.owner or "–") for pod in pods]
    return Preview(says, ("Pod", "Cluster", "Status", "Node", "Owner"), rows)


def keys_by_cluster(rows: Rows) -> dict[int, list[str]]:
    found: dict[int, list[Any]] = {}
    for cluster_id, namespace, name in rows.order_by("cluster", "namespace", "name").values_list(
        "cluster", "namespace", "name"
    ):
        found.setdefault(cluster_id, []).append(f"{namespace}/{name}")
    return found


def _actor(request: HttpRequest) -> str:
    return str(request.user.get_username())
