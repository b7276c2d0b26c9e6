"""UnitedDeployments, and every other kind as its manifest."""

from typing import Any

from django import forms
from django.contrib import admin

from scheduler.admin.base import ObjectAdmin
from scheduler.admin.fields import PairsField
from scheduler.admin.forms import ManifestForm, found, put
from scheduler.admin.subsets import SubsetsField, joined
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
    }

    namespace = forms.CharField(max_length=63, initial="default")
    name = forms.CharField(max_length=253)
    labels = PairsField(required=False, help_text="One a line: key=value")
    replicas = forms.IntegerField(min_value=0, max_value=1_000_000, initial=1)
    subsets = SubsetsField(
        required=False,
        help_text="One a line, in filling order: spot-pool min=0 max=50% topology.kubernetes.io/zone=zone-b. "
        "Instead of bounds, replicas=3 or replicas=20%; none shares the rest. A node's label may be one of several: "
        "pool=a,b. Tolerations, patches and other expressions stand in the YAML and stay.",
    )

    class Meta:
        model = UnitedDeployment
        fields = ("cluster",)

    def assembled(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        manifest = super().assembled(cleaned)
        manifest.setdefault("metadata", {}).setdefault("namespace", cleaned.get("namespace") or "default")
        spec = manifest.setdefault("spec", {})
        spec.setdefault("replicas", cleaned["replicas"])
        if "subsets" in self.changed_data:
            stored = found(cleaned["manifest"] or self.stored, self.parts["subsets"])
            put(manifest, self.parts["subsets"], joined(stored, cleaned["subsets"]))
        return manifest


@admin.register(UnitedDeployment)
class UnitedDeploymentAdmin(ObjectAdmin):
    form = UnitedDeploymentForm
    list_display = ("name", "namespace", "cluster", "replicas", "board")
    list_filter = ("cluster", "namespace")
    search_fields = ("name", "namespace", "labels")
    fieldsets = (
        (None, {"fields": ("cluster", "namespace", "name", "labels", "replicas", "subsets")}),
        ("YAML", {"fields": ("manifest", "seen"), "classes": ("wide",)}),
    )

    def page_of(self, obj: UnitedDeployment) -> str:
        return f"/c/{obj.cluster.name}/uniteddeployments/{obj.namespace}/{obj.name}/"


class KubeObjectForm(ManifestForm):
    class Meta:
        model = KubeObject
        fields = ("cluster",)

    def _check_identity(self) -> None:
        super()._check_identity()
        kind = kind_of(self.result)
        if kind in OWN_PAGES:
            self.add_error("manifest", f"Add a {kind} among the {OWN_PAGES[kind]}.")


@admin.register(KubeObject)
class KubeObjectAdmin(ObjectAdmin):
    form = KubeObjectForm
    identity = ("cluster", "kind", "namespace", "name")
    list_display = ("name", "kind", "namespace", "cluster", "board")
    list_filter = ("cluster", "kind", "namespace")
    search_fields = ("name", "kind", "namespace", "labels")

    def get_fieldsets(self, request: Any, obj: Any = None) -> Any:
        names = self.identity if obj else ("cluster",)
        return ((None, {"fields": names}), ("YAML", {"fields": ("manifest", "seen"), "classes": ("wide",)}))

    def key_of(self, obj: KubeObject) -> ObjectKey:
        return obj.kind, obj.namespace, obj.name

    def row_of(self, cluster_id: int, key: ObjectKey) -> KubeObject:
        return KubeObject.objects.get(cluster_id=cluster_id, kind=key[0], namespace=key[1], name=key[2])
