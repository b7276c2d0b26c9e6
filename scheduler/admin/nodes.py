"""Nodes: labels, taints and resources as rows; cordon and uncordon."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from scheduler.admin.base import YAML, ObjectAdmin, actor_of, by_cluster
from scheduler.admin.columns import AnnotationRows, PairRows, QuantityRows, TaintRows
from scheduler.admin.forms import ManifestForm
from scheduler.engine.errors import Refused
from scheduler.engine.values import quantity
from scheduler.models import Node
from scheduler.services import nodes_cordon, nodes_drain
from scheduler.services.nodes import with_cordon


class NodeForm(ManifestForm):
    kind = "Node"
    parts = {
        "name": ("metadata", "name"),
        "unschedulable": ("spec", "unschedulable"),
        "labels": ("metadata", "labels"),
        "taints": ("spec", "taints"),
        "allocatable": ("status", "allocatable"),
        "capacity": ("status", "capacity"),
        "annotations": ("metadata", "annotations"),
    }

    name = forms.CharField(max_length=253)
    unschedulable = forms.BooleanField(
        required=False, label="Cordoned", help_text="New pods stay away; those that run here stay."
    )
    labels = PairRows(help_text="What node selectors, affinity and topology spread look at.")
    taints = TaintRows(help_text="Pods that do not tolerate them stay away (NoSchedule) or would rather (Prefer…).")
    allocatable = QuantityRows(help_text="What pods can request here: cpu, memory, pods, nvidia.com/gpu, …")
    capacity = QuantityRows(help_text="What the machine has. The scheduler looks at allocatable alone.")
    annotations = AnnotationRows()

    class Meta:
        model = Node
        fields = ("cluster",)

    def assembled(self, cleaned: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned, written)
        if "allocatable" in written and not self.instance.pk:
            manifest["status"].setdefault("capacity", written["allocatable"])
        return with_cordon(manifest, written["unschedulable"]) if "unschedulable" in written else manifest


@admin.register(Node)
class NodeAdmin(ObjectAdmin):
    form = NodeForm
    identity = ("cluster", "name")
    list_display = (
        "name",
        "cluster",
        "standing",
        "roles",
        "zone",
        "cpu",
        "memory_share",
        "pod_count",
        "taints",
        "board",
    )
    list_filter = ("cluster", "ready", "unschedulable", "zone")
    search_fields = ("name", "labels", "taints")
    actions = ("cordon", "uncordon", "drain")
    fieldsets = (
        (None, {"fields": ("cluster", "name", "unschedulable")}),
        ("Placement", {"fields": ("labels", "taints")}),
        ("Resources", {"fields": ("allocatable", "capacity")}),
        ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
        YAML,
    )

    @admin.display(description="Status", ordering="unschedulable")
    def standing(self, node: Node) -> str:
        ready = "Ready" if node.ready else "NotReady"
        return f"{ready},SchedulingDisabled" if node.unschedulable else ready

    @admin.display(description="CPU", ordering="requested_milli_cpu")
    def cpu(self, node: Node) -> str:
        return share(f"{node.requested_milli_cpu}m", node.requested_milli_cpu, node.milli_cpu)

    @admin.display(description="Memory", ordering="requested_memory")
    def memory_share(self, node: Node) -> str:
        return share(quantity.canonical(f"{node.requested_memory // 2**20}Mi"), node.requested_memory, node.memory)

    @admin.action(description="Cordon the selected nodes", permissions=["change"])
    def cordon(self, request: HttpRequest, rows: models.QuerySet[Node]) -> None:
        self._act(request, rows.filter(unschedulable=False), "Cordoned", nodes_cordon)

    @admin.action(description="Uncordon the selected nodes", permissions=["change"])
    def uncordon(self, request: HttpRequest, rows: models.QuerySet[Node]) -> None:
        self._act(request, rows.filter(unschedulable=True), "Uncordoned", partial(nodes_cordon, cordoned=False))

    @admin.action(description="Drain the selected nodes (cordon them, delete their pods)", permissions=["change"])
    def drain(self, request: HttpRequest, rows: models.QuerySet[Node]) -> None:
        if not request.user.has_perm("scheduler.delete_pod"):
            raise Refused("Draining deletes pods, which you may not do.")
        self._act(request, rows, "Drained", nodes_drain)

    def _act(self, request: HttpRequest, rows: models.QuerySet[Node], done: str, act: Callable[..., Any]) -> None:
        count = 0
        for cluster_id, nodes in by_cluster(rows).items():
            act(cluster_id, [node.name for node in nodes], actor_of(request))
            count += len(nodes)
        self.message_user(request, f"{done} {count} {'node' if count == 1 else 'nodes'}.")

    def page_of(self, obj: Node) -> str:
        return f"/c/{obj.cluster.name}/nodes/{obj.name}/"


def share(text: str, part: int, whole: int) -> str:
    """As `kubectl describe node`: `950m (23%)`."""
    return f"{text} ({part * 100 // whole}%)" if whole else text
