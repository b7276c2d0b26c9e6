"""Clusters: created empty here (files come in by the import page), described, deleted with all that is theirs."""

from typing import Any

import msgspec
from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.safestring import SafeString

from scheduler.admin.base import ServiceAdmin, actor_of
from scheduler.admin.fields import YamlField
from scheduler.admin.filters import ByState
from scheduler.admin.forms import ModelForm
from scheduler.admin.lists import says
from scheduler.admin.returning import link
from scheduler.engine.errors import Invalid
from scheduler.engine.profile import Profiles
from scheduler.engine.simulation.tally import TallyData
from scheduler.engine.words import count
from scheduler.models import Cluster
from scheduler.services import cluster_create, cluster_delete, run_pause

PARTS = (("node", "nodes"), ("pod", "pods"), ("kubeobject", "other objects"))
SLOWEST = 0.01  # a cycle takes 10 ms of virtual time


class ClusterForm(ModelForm):
    seed = forms.IntegerField(initial=1, min_value=0, help_text="Decides the draws among equally good nodes.")
    configuration = YamlField(
        required=False,
        label="Scheduler configuration",
        help_text="A KubeSchedulerConfiguration (v1); empty means kube-scheduler's defaults.",
    )

    class Meta:
        model = Cluster
        fields = ("name", "description")

    def clean_configuration(self) -> dict[str, Any]:
        configuration: dict[str, Any] = self.cleaned_data["configuration"]
        try:
            Profiles.from_configuration(configuration)
        except Invalid as fault:
            raise forms.ValidationError(str(fault)) from None
        return configuration


@admin.register(Cluster)
class ClusterAdmin(ServiceAdmin):
    form = ClusterForm
    list_display = ("name", "description", "state", "events", "cycles", "created", "board")
    list_filter = (("wanted", ByState),)
    search_fields = ("name", "description")
    actions = ("pause",)
    view_on_site = False
    standing = ("state", "why", "events", "cycles", "pace", "driver", "created")

    def get_fields(self, request: HttpRequest, obj: Cluster | None = None) -> Any:
        standing = [name for name in self.standing if name != "why" or (obj and obj.wanted_reason)]
        return ("description", *standing) if obj else ("name", "description", "seed", "configuration")

    def get_readonly_fields(self, request: HttpRequest, obj: Cluster | None = None) -> Any:
        return ("name", "seed", "configuration", *self.standing) if obj else ()

    def save_model(self, request: HttpRequest, obj: Cluster, form: Any, change: bool) -> None:
        if change:
            Cluster.objects.filter(pk=obj.pk).update(description=obj.description)
            return
        options = {name: form.cleaned_data[name] for name in ("seed", "configuration", "description")}
        obj.pk = cluster_create(obj.name, actor=actor_of(request), **options).pk

    def delete_model(self, request: HttpRequest, obj: Cluster) -> None:
        cluster_delete(obj.pk)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Cluster]) -> None:
        for cluster in queryset:
            cluster_delete(cluster.pk)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Counted, not listed: a cluster may hold a hundred thousand rows."""
        listed = [says(f"{one} goes with its {count(one.seq, 'event')} and all its objects.") for one in objs]
        missing = set() if self.has_delete_permission(request) else {"cluster"}
        return listed, {"clusters": len(listed)}, missing, []

    def form_context(self, obj: Any, more: dict[str, Any] | None) -> dict[str, Any]:
        return {**super().form_context(obj, more), "parts": PARTS}

    def page_of(self, obj: Cluster) -> str:
        return obj.get_absolute_url()

    def after_delete(self, request: HttpRequest, obj: Cluster) -> str:
        address = self.leads_to(request, obj)
        return "/" if address.startswith(self.page_of(obj)) else address

    @admin.action(description="Pause the selected clusters", permissions=["change"])
    def pause(self, request: HttpRequest, rows: models.QuerySet[Cluster]) -> None:
        for cluster in rows:
            run_pause(cluster.pk)
        self.message_user(request, f"Paused {count(len(rows), 'cluster')}.")

    @admin.display(description="State", ordering="wanted")
    def state(self, cluster: Cluster) -> str:
        return cluster.get_wanted_display()

    @admin.display(description="Why it stopped")
    def why(self, cluster: Cluster) -> str:
        return cluster.wanted_reason

    @admin.display(description="Driven by")
    def driver(self, cluster: Cluster) -> str:
        return cluster.lease_holder or "nobody, as it does not run"

    @admin.display(description="Speed")
    def pace(self, cluster: Cluster) -> str:
        if cluster.speed == SLOWEST:
            return "1 cycle/s"
        return f"{cluster.speed:g}× (virtual seconds a second)" if cluster.speed else "flat out"

    @admin.display(description="Events", ordering="seq")
    def events(self, cluster: Cluster) -> str:
        return f"{cluster.seq:,}"

    @admin.display(description="Cycles", ordering="cycle")
    def cycles(self, cluster: Cluster) -> str:
        return f"{msgspec.convert(cluster.tally or [], TallyData).cycles:,}"

    @admin.display(description="Board")
    def board(self, cluster: Cluster) -> SafeString:
        return link(cluster.get_absolute_url(), "open")
