"""Pods: what one sets when adding one, and the actions on those that wait."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from scheduler.admin.base import ObjectAdmin, actor_of, by_cluster
from scheduler.admin.fields import PairsField, QuantitiesField
from scheduler.admin.forms import ManifestForm, found, put
from scheduler.models import Pod
from scheduler.services import pods_activate

FIRST_CONTAINER = ("spec", "containers")


class PodForm(ManifestForm):
    kind = "Pod"
    parts = {
        "namespace": ("metadata", "namespace"),
        "name": ("metadata", "name"),
        "labels": ("metadata", "labels"),
        "priority_class": ("spec", "priorityClassName"),
        "node_selector": ("spec", "nodeSelector"),
    }

    namespace = forms.CharField(max_length=63, initial="default")
    name = forms.CharField(max_length=253)
    labels = PairsField(required=False, help_text="One a line: key=value")
    priority_class = forms.CharField(required=False, max_length=253)
    node_selector = PairsField(required=False, help_text="One a line: key=value")
    image = forms.CharField(required=False, help_text="Of the first container.")
    requests = QuantitiesField(required=False, help_text="Of the first container, one a line: cpu=500m, memory=256Mi")

    class Meta:
        model = Pod
        fields = ("cluster",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        containers = found(self.stored, FIRST_CONTAINER) or [{}]
        self.initial["image"] = containers[0].get("image", "")
        self.initial["requests"] = found(containers[0], ("resources", "requests")) or {}
        if not self.instance.pk:
            self.initial["namespace"] = "default"

    def assembled(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned)
        if "priority_class" in self.changed_data:
            put(manifest, ("spec", "priority"), None)
        if not self.instance.pk:
            put(manifest, ("metadata", "namespace"), cleaned["namespace"])
        containers = found(manifest, FIRST_CONTAINER) or [{"name": "main"}]
        for name, path in (("image", ("image",)), ("requests", ("resources", "requests"))):
            if name in self.changed_data:
                put(containers[0], path, cleaned[name])
        put(manifest, FIRST_CONTAINER, containers)
        return manifest

    def field_of(self, path: str) -> str:
        if path.startswith("spec.containers[0].resources.requests"):
            return "requests"
        return "image" if path.startswith("spec.containers[0].image") else super().field_of(path)


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
        (
            None,
            {
                "fields": (
                    "cluster",
                    "namespace",
                    "name",
                    "labels",
                    "priority_class",
                    "node_selector",
                    "image",
                    "requests",
                )
            },
        ),
        ("YAML", {"fields": ("manifest", "seen"), "classes": ("wide",)}),
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
