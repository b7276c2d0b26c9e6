"""Every kind that has no admin page of its own, as its manifest."""

from typing import Any

from django.contrib import admin

from scheduler.admin.base import YAML
from scheduler.admin.columns import AnnotationRows, PairRows
from scheduler.admin.filters import NamedValues
from scheduler.admin.forms import ManifestForm
from scheduler.admin.scale_action import ScaleAction
from scheduler.engine.objects import ObjectKey
from scheduler.models import KubeObject
from scheduler.services.admit import kind_of

EXAMPLE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  selector: {app: web}"
OWN_PAGES = {"Node": "nodes", "Pod": "pods", "UnitedDeployment": "united deployments"}


class KubeObjectForm(ManifestForm):
    parts = {"labels": ("metadata", "labels"), "annotations": ("metadata", "annotations")}

    labels = PairRows()
    annotations = AnnotationRows()

    class Meta:
        model = KubeObject
        fields = ("cluster",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["manifest"].widget.attrs["placeholder"] = EXAMPLE

    def _check_identity(self) -> None:
        super()._check_identity()
        kind = kind_of(self.result)
        if kind in OWN_PAGES:
            self.add_error("manifest", f"Add a {kind} among the {OWN_PAGES[kind]}.")


@admin.register(KubeObject)
class KubeObjectAdmin(ScaleAction):
    form = KubeObjectForm
    plural = "Other objects"
    identity = ("cluster", "kind", "namespace", "name")
    list_display = ("name", "kind", "namespace", "cluster", "age", "board")
    list_filter = ("cluster", ("kind", NamedValues), ("namespace", NamedValues))
    search_fields = ("name", "kind", "namespace", "labels")

    def get_fieldsets(self, request: Any, obj: Any = None) -> Any:
        """A new one is written as a whole: there are no rows for a kind that is not known yet."""
        if obj is None:
            return ((None, {"fields": ("cluster", *YAML[1]["fields"])}),)
        return (("Labels and annotations", {"fields": ("labels", "annotations")}), YAML)

    def form_context(self, obj: Any, more: dict[str, Any] | None) -> dict[str, Any]:
        return {**super().form_context(obj, more), "whole": obj is None}

    def key_of(self, obj: KubeObject) -> ObjectKey:
        return obj.kind, obj.namespace, obj.name

    def row_of(self, cluster_id: int, key: ObjectKey) -> KubeObject:
        return KubeObject.objects.get(cluster_id=cluster_id, kind=key[0], namespace=key[1], name=key[2])
