"""Nodes: labels, taints and resources as rows; kubectl's columns; what one does to many at once."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from scheduler.admin.base import YAML, actor_of
from scheduler.admin.columns import AnnotationRows, PairRows, QuantityRows, TaintRows
from scheduler.admin.faults import is_below
from scheduler.admin.filters import NamedValues
from scheduler.admin.forms import ManifestForm
from scheduler.admin.node_actions import NodeActions, delete_told, nodes_delete
from scheduler.admin.undoing import note
from scheduler.engine.errors import Invalid
from scheduler.engine.values.quantity import format_bytes, format_cpu
from scheduler.models import Cluster, Node
from scheduler.services.node_changes import over_capacity
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

    capacity_follows = False  # nobody wrote it

    def assembled(self, cleaned: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned, written)
        if "allocatable" in written and not self.instance.pk:
            self.capacity_follows = (
                manifest["status"].setdefault("capacity", written["allocatable"]) is written["allocatable"]
            )
        return with_cordon(manifest, written["unschedulable"]) if "unschedulable" in written else manifest

    def refusals(self, cluster: Cluster) -> Sequence[Invalid]:
        """What is wrong with both amounts is told at the one that was written."""
        told = super().refusals(cluster)
        return [one for one in told if not (self.capacity_follows and is_below(one.path, "status.capacity"))]


class StatusFilter(admin.SimpleListFilter):
    title = parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("ready", "Ready"),
            ("not_ready", "NotReady"),
            ("cordoned", "SchedulingDisabled"),
            ("tainted", "Tainted"),
        ]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Node]) -> models.QuerySet[Node]:
        if self.value() == "tainted":
            return queryset.exclude(taints="")
        wanted = {"ready": {"ready": True}, "not_ready": {"ready": False}, "cordoned": {"unschedulable": True}}
        return queryset.filter(**wanted.get(self.value() or "", {}))


@admin.register(Node)
class NodeAdmin(NodeActions):
    form = NodeForm
    identity = ("cluster", "name")
    list_display = (
        "name", "cluster", "standing", "roles", "age", "version", "zone", "cpu", "memory_share", "pods",
        "tainted", "board",
    )  # fmt: skip
    search_help_text = "Search by name, label (pool=general) or taint."
    list_filter = ("cluster", StatusFilter, ("zone", NamedValues))
    search_fields = ("name", "labels", "taints")
    fieldsets = (
        (None, {"fields": ("cluster", "name", "unschedulable")}),
        ("Placement", {"fields": ("labels", "taints")}),
        ("Resources", {"fields": ("allocatable", "capacity")}),
        ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
        YAML,
    )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if over := over_capacity(form.result):
            messages.warning(request, over)

    @admin.display(description="Status", ordering="unschedulable")
    def standing(self, node: Node) -> str:
        ready = "Ready" if node.ready else "NotReady"
        return format_html("{},<wbr>SchedulingDisabled", ready) if node.unschedulable else ready

    @admin.display(description="CPU", ordering="requested_milli_cpu")
    def cpu(self, node: Node) -> str:
        return share(format_cpu(node.requested_milli_cpu), node.requested_milli_cpu, node.milli_cpu)

    @admin.display(description="Memory", ordering="requested_memory")
    def memory_share(self, node: Node) -> str:
        return share(format_bytes(node.requested_memory), node.requested_memory, node.memory)

    @admin.display(description="Pods", ordering="pod_count")
    def pods(self, node: Node) -> str:
        return f"{node.pod_count}/{node.max_pods}"

    @admin.display(description="Taints", ordering="taints")
    def tainted(self, node: Node) -> str:
        """May break behind the marks between its parts."""
        text = node.taints.replace(",", ", ").replace(",  ", ", ")
        return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in re.split(r"(?<=[/=:.])", text)))

    def consequences(self, rows: list[Node]) -> list[str]:
        return delete_told(rows)

    def delete_rows(self, request: HttpRequest, cluster_id: int, rows: list[Node]) -> None:
        note(request, cluster_id, nodes_delete(cluster_id, [node.name for node in rows], actor_of(request)))

    def page_of(self, obj: Node) -> str:
        return f"/c/{obj.cluster.name}/nodes/{obj.name}/"


def share(text: str, part: int, whole: int) -> str:
    """As `kubectl describe node`: `950m (23%)`."""
    return f"{text} ({part * 100 // whole}%)" if whole else text
