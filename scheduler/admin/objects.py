"""UnitedDeployments, and every other kind as its manifest."""

from typing import Any

from django import forms
from django.contrib import admin

from scheduler.admin.base import YAML
from scheduler.admin.columns import AnnotationRows, PairRows
from scheduler.admin.forms import ManifestForm
from scheduler.admin.scale_action import ScaleAction
from scheduler.admin.subsets import SubsetRows
from scheduler.engine.objects import ObjectKey
from scheduler.models import KubeObject, UnitedDeployment
from scheduler.services.admit import kind_of

OWN_PAGES = {"Node": "nodes", "Pod": "pods", "UnitedDeployment": "united deployments"}


class UnitedDeploymentForm(ManifestForm):
    kind = "UnitedDeployment"
    api_version = "apps.kruise.io/v1alpha1"
    parts = {
        "namespace": ("metadata", "namespace"),
        "name": ("metadata", "name"),
        "labels": ("metadata", "labels"),
        "replicas": ("spec", "replicas"),
        "subsets": ("spec", "topology", "subsets"),
        "annotations": ("metadata", "annotations"),
    }

    namespace = forms.CharField(max_length=63, initial="default")
    name = forms.CharField(max_length=253)
    labels = PairRows()
    replicas = forms.IntegerField(min_value=0, max_value=1_000_000, initial=1)
    subsets = SubsetRows(
        help_text="In filling order. Replicas (3 or 20%), or min and max; a row without numbers shares the rest. "
        "Labels: zone=a, or one of several: zone=a,b. Tolerations, patches and other expressions: YAML."
    )
    annotations = AnnotationRows()

    class Meta:
        model = UnitedDeployment
        fields = ("cluster",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            self.initial.update(namespace="default", replicas=1)


@admin.register(UnitedDeployment)
class UnitedDeploymentAdmin(ScaleAction):
    form = UnitedDeploymentForm
    list_display = ("name", "namespace", "cluster", "replicas", "age", "board")
    list_filter = ("cluster", "namespace")
    search_fields = ("name", "namespace", "labels")
    fieldsets = (
        (None, {"fields": ("cluster", "namespace", "name")}),
        ("Replicas", {"fields": ("replicas", "subsets")}),
        ("Labels", {"fields": ("labels",)}),
        ("Annotations", {"fields": ("annotations",), "classes": ("collapse",)}),
        YAML,
    )

    def page_of(self, obj: UnitedDeployment) -> str:
        return f"/c/{obj.cluster.name}/uniteddeployments/{obj.namespace}/{obj.name}/"


class KubeObjectForm(ManifestForm):
    parts = {"labels": ("metadata", "labels"), "annotations": ("metadata", "annotations")}

    labels = PairRows()
    annotations = AnnotationRows()

    class Meta:
        model = KubeObject
        fields = ("cluster",)

    def _check_identity(self) -> None:
        super()._check_identity()
        kind = kind_of(self.result)
        if kind in OWN_PAGES:
            self.add_error("manifest", f"Add a {kind} among the {OWN_PAGES[kind]}.")


@admin.register(KubeObject)
class KubeObjectAdmin(ScaleAction):
    form = KubeObjectForm
    identity = ("cluster", "kind", "namespace", "name")
    list_display = ("name", "kind", "namespace", "cluster", "age", "board")
    list_filter = ("cluster", "kind", "namespace")
    search_fields = ("name", "kind", "namespace", "labels")

    def get_fieldsets(self, request: Any, obj: Any = None) -> Any:
        if obj is None:
            return ((None, {"fields": ("cluster",)}), YAML)
        return (
            (None, {"fields": self.identity}),
            ("Labels and annotations", {"fields": ("labels", "annotations")}),
            YAML,
        )

    def key_of(self, obj: KubeObject) -> ObjectKey:
        return obj.kind, obj.namespace, obj.name

    def row_of(self, cluster_id: int, key: ObjectKey) -> KubeObject:
        return KubeObject.objects.get(cluster_id=cluster_id, kind=key[0], namespace=key[1], name=key[2])
