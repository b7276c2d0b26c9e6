"""Pods: what one sets when adding one, and the actions on those that wait."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from scheduler.admin.base import YAML, ObjectAdmin, actor_of, by_cluster
from scheduler.admin.columns import AnnotationRows, PairRows, TolerationRows
from scheduler.admin.containers import ContainerRows
from scheduler.admin.forms import ManifestForm
from scheduler.admin.paths import put
from scheduler.admin.rows import Rows
from scheduler.models import Pod
from scheduler.services import pods_activate

CONTAINERS = ("spec", "containers")
SHOWN = re.compile(r"spec\.containers(\[\d+\](\.(name|image|resources\.requests\b.*))?)?")


class PodForm(ManifestForm):
    kind = "Pod"
    parts = {
        "namespace": ("metadata", "namespace"),
        "name": ("metadata", "name"),
        "labels": ("metadata", "labels"),
        "scheduler_name": ("spec", "schedulerName"),
        "priority_class": ("spec", "priorityClassName"),
        "containers": CONTAINERS,
        "node_selector": ("spec", "nodeSelector"),
        "tolerations": ("spec", "tolerations"),
        "annotations": ("metadata", "annotations"),
    }

    namespace = forms.CharField(max_length=63, initial="default")
    name = forms.CharField(max_length=253)
    labels = PairRows()
    scheduler_name = forms.CharField(
        required=False, max_length=253, label="Scheduler", help_text="Empty means default-scheduler."
    )
    priority_class = forms.CharField(
        required=False, max_length=253, help_text="A PriorityClass of this cluster; it decides the priority."
    )
    containers = ContainerRows(help_text="What they request is what the scheduler counts. Limits and ports: YAML.")
    node_selector = PairRows(help_text="Only nodes that have all of these labels.")
    tolerations = TolerationRows(help_text="Taints that do not keep this pod away. Exists needs no value.")
    annotations = AnnotationRows()

    class Meta:
        model = Pod
        fields = ("cluster",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            self.initial.update(namespace="default", containers=Rows([{"name": "main"}]))

    def assembled(self, cleaned: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned, written)
        if "priority_class" in written:
            put(manifest, ("spec", "priority"), None)
        return manifest

    def field_of(self, path: str) -> str:
        name = super().field_of(path)
        return "manifest" if name == "containers" and not SHOWN.fullmatch(path) else name


@admin.register(Pod)
class PodAdmin(ObjectAdmin):
    form = PodForm
    list_display = (
        "name",
        "namespace",
        "cluster",
        "status",
        "queue",
        "node_name",
        "priority",
        "attempts",
        "owner",
        "board",
    )
    list_filter = ("cluster", "status", "queue", "namespace")
    search_fields = ("name", "namespace", "node_name", "owner", "labels")
    actions = ("activate",)
    fieldsets = (
        (None, {"fields": ("cluster", "namespace", "name")}),
        ("Scheduling", {"fields": ("containers", "priority_class", "scheduler_name")}),
        ("Placement", {"fields": ("labels", "node_selector", "tolerations")}),
        ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
        YAML,
    )

    @admin.action(description="Activate the selected pods (move them to activeQ now)", permissions=["change"])
    def activate(self, request: HttpRequest, rows: models.QuerySet[Pod]) -> None:
        moved = 0
        for cluster_id, pods in by_cluster(rows.exclude(queue__in=("", "active", "in_flight"))).items():
            events = pods_activate(cluster_id, [pod.key for pod in pods], actor_of(request)).events
            moved += sum(event.kind == "PodMoved" for event in events)
        self.message_user(request, f"Activated {moved} of {len(rows)} pods.")

    def page_of(self, obj: Pod) -> str:
        return f"/c/{obj.cluster.name}/pods/{obj.namespace}/{obj.name}/"
