"""Pods: containers, tolerations and labels as rows; kubectl's columns; what one does to many at once."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.safestring import SafeString

from scheduler.admin.base import YAML
from scheduler.admin.columns import AnnotationRows, PairRows, SelectorRows, TolerationRows
from scheduler.admin.containers import ContainerRows
from scheduler.admin.filters import NamedValues
from scheduler.admin.forms import ManifestForm
from scheduler.admin.paths import put
from scheduler.admin.pod_actions import PodActions
from scheduler.admin.returning import link
from scheduler.admin.rows import Rows
from scheduler.engine.words import count
from scheduler.models import Event, Pod, QueueEntry

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
    node_selector = SelectorRows(help_text="Only nodes that have all of these labels.")
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


class QueueFilter(admin.SimpleListFilter):
    title = parameter_name = "queue"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [*QueueEntry.Queue.choices, ("none", "not queued")]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Pod]) -> models.QuerySet[Pod]:
        wanted = self.value()
        return queryset.filter(queue="" if wanted == "none" else wanted) if wanted else queryset


@admin.register(Pod)
class PodAdmin(PodActions):
    form = PodForm
    list_display = (
        "name", "namespace", "cluster", "status", "lane", "age", "node_name", "priority", "attempts", "owner", "board",
    )  # fmt: skip
    list_filter = ("cluster", "status", QueueFilter, ("namespace", NamedValues))
    search_fields = ("name", "namespace", "node_name", "owner", "labels")
    fieldsets = (
        (None, {"fields": ("cluster", "namespace", "name")}),
        ("Scheduling", {"fields": ("containers", "priority_class", "scheduler_name")}),
        ("Placement", {"fields": ("labels", "node_selector", "tolerations")}),
        ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
        YAML,
    )

    @admin.display(description="Queue", ordering="queue")
    def lane(self, obj: Pod) -> str | None:
        return QueueEntry.Queue(obj.queue).label if obj.queue else None

    @admin.display(description="Why")
    def board(self, obj: Pod) -> SafeString:
        return link(self.page_of(obj), "why here" if obj.node_name else "why")

    def consequences(self, rows: list[Pod]) -> list[str]:
        owned = sum(bool(pod.owner) for pod in rows)
        has, new = ("has", "a new one") if owned == 1 else ("have", "new ones")
        told = f"{count(owned, 'pod')} {has} an owner: its controller makes {new} where controllers are on."
        return [told] if owned else []

    def links(self, obj: Pod) -> list[tuple[str, str]]:
        """Why it is where it is; its last attempt; the map."""
        cycles = Event.objects.filter(cluster=obj.cluster, object_key=f"Pod/{obj.key}", kind="CycleFinished")
        last = cycles.order_by("-seq").values_list("cycle", flat=True).first()
        cycle = [(f"Cycle {last}", f"/c/{obj.cluster.name}/cycles/{last}/")] if last is not None else []
        return [("Why", self.page_of(obj)), *cycle, ("Board", f"/c/{obj.cluster.name}/")]

    def page_of(self, obj: Pod) -> str:
        return f"/c/{obj.cluster.name}/pods/{obj.namespace}/{obj.name}/"
