"""UnitedDeployments: replicas, subsets as rows, strategy and the containers of the template; all else as YAML."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin

from scheduler.admin.base import YAML
from scheduler.admin.columns import AnnotationRows, PairRows
from scheduler.admin.containers import ContainerRows
from scheduler.admin.filters import NamedValues
from scheduler.admin.forms import ManifestForm
from scheduler.admin.paths import Path, found
from scheduler.admin.rows import Rows
from scheduler.admin.scale_action import ScaleAction
from scheduler.admin.subsets import SubsetRows
from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.models import UnitedDeployment

Manifest = dict[str, Any]
TEMPLATE = ("spec", "template")
KINDS = {kind.label: kind for kind in (WorkloadKind.CLONE_SET, *WorkloadKind)}
"""By name, the usual one first."""


class UnitedDeploymentForm(ManifestForm):
    kind = "UnitedDeployment"
    api_version = "apps.kruise.io/v1alpha1"
    parts = {
        "namespace": ("metadata", "namespace"),
        "name": ("metadata", "name"),
        "labels": ("metadata", "labels"),
        "replicas": ("spec", "replicas"),
        "strategy": ("spec", "topology", "scheduleStrategy", "type"),
        "subsets": ("spec", "topology", "subsets"),
        "annotations": ("metadata", "annotations"),
    }

    namespace = forms.CharField(max_length=63, initial="default")
    name = forms.CharField(max_length=253)
    labels = PairRows()
    replicas = forms.IntegerField(min_value=0, max_value=1_000_000, initial=1)
    strategy = forms.ChoiceField(
        required=False,
        choices=(("", "Fixed (not written)"), ("Fixed", "Fixed"), ("Adaptive", "Adaptive")),
        help_text="Adaptive moves pods that wait too long on to another subset.",
    )
    subsets = SubsetRows(
        help_text="In filling order. Replicas (3 or 20%), or min and max; a row without numbers shares the rest. "
        "Labels: zone=a, or one of several: zone=a,b. Tolerations, patches and other expressions: YAML."
    )
    workload = forms.ChoiceField(
        required=False, choices=[(name, name) for name in KINDS], help_text="What each subset is made of."
    )
    containers = ContainerRows(help_text="Of the pods of every subset. Limits, ports, affinity and all else: YAML.")
    annotations = AnnotationRows()

    class Meta:
        model = UnitedDeployment
        fields = ("cluster",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        instance, given = kwargs.get("instance"), args[0] if args else kwargs.get("data")
        stored = (instance.manifest if instance is not None and instance.pk else None) or {}
        asked = KINDS.get((given or {}).get("workload", ""), WorkloadKind.CLONE_SET)
        self.template = template_of(stored) or asked
        self.parts = {**type(self).parts, "containers": containers_of(self.template)}
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            self.initial.update(namespace="default", replicas=1, containers=Rows([{"name": "main"}]))

    def assembled(self, cleaned: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned, written)
        if not self.instance.pk and not cleaned["manifest"]:
            complete(manifest, self.template)
        return manifest


def template_of(manifest: Manifest) -> WorkloadKind | None:
    template = found(manifest, TEMPLATE)
    present = template if isinstance(template, Mapping) else {}
    return next((kind for kind in WorkloadKind if present.get(kind.field)), None)


def containers_of(kind: WorkloadKind) -> Path:
    return (*TEMPLATE, kind.field, "spec", "template", "spec", "containers")


def complete(manifest: Manifest, kind: WorkloadKind) -> None:
    """What a form does not ask for: a selector, and the labels that it selects, made of the object's name."""
    labels = {"app": found(manifest, ("metadata", "name"))}
    spec = manifest.setdefault("spec", {})
    spec.setdefault("selector", {"matchLabels": labels})
    workload = spec.setdefault("template", {}).setdefault(kind.field, {})
    workload.setdefault("metadata", {}).setdefault("labels", dict(labels))
    pod = workload.setdefault("spec", {}).setdefault("template", {})
    pod.setdefault("metadata", {}).setdefault("labels", dict(labels))


@admin.register(UnitedDeployment)
class UnitedDeploymentAdmin(ScaleAction):
    form = UnitedDeploymentForm
    plural = "UnitedDeployments"
    noun = "UnitedDeployment"
    list_display = ("name", "namespace", "cluster", "replicas", "age", "board")
    list_filter = ("cluster", ("namespace", NamedValues))
    search_fields = ("name", "namespace", "labels")

    def get_fieldsets(self, request: Any, obj: Any = None) -> Any:
        """The kind of the template is chosen once: another one would replace all pods."""
        template = ("containers",) if obj is not None else ("workload", "containers")
        new = () if obj is not None else ((None, {"fields": self.identity}),)
        return (
            *new,
            ("Replicas", {"fields": ("replicas", "strategy", "subsets")}),
            ("Template", {"fields": template}),
            ("Metadata", {"fields": ("labels",)}),
            ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
            YAML,
        )

    def page_of(self, obj: UnitedDeployment) -> str:
        return f"/c/{obj.cluster.name}/uniteddeployments/{obj.namespace}/{obj.name}/"
