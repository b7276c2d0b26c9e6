"""Scheduler profiles: each is a part of its cluster's one configuration, which is replaced as a whole."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from scheduler import store
from scheduler.admin.base import ServiceAdmin, actor_of, by_cluster
from scheduler.admin.fields import YamlField
from scheduler.admin.forms import ModelForm
from scheduler.admin.returning import link
from scheduler.admin.undoing import note
from scheduler.engine.config.decode import API_VERSION, KIND
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.profile import Profiles
from scheduler.models import Cluster, Profile
from scheduler.services import profile_change

DEFAULT_SCHEDULER_NAME = "default-scheduler"
Configuration = dict[str, Any]


class ProfileForm(ModelForm):
    scheduler_name = forms.CharField(max_length=253, help_text="Pods choose it by spec.schedulerName.")
    configuration = YamlField(
        required=False,
        help_text="A KubeSchedulerProfile (v1): plugins, weights and pluginConfig. Empty means defaults.",
    )

    class Meta:
        model = Profile
        fields = ("cluster", "scheduler_name")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cluster = self.instance.cluster if self.instance.pk else cleaned.get("cluster")
        if self.errors or not isinstance(cluster, Cluster):
            return cleaned
        profile = {**cleaned["configuration"], "schedulerName": cleaned["scheduler_name"]}
        before = self.instance.scheduler_name if self.instance.pk else ""
        self.result = with_profile(configuration_of(cluster.pk), profile, before)
        try:
            Profiles.from_configuration(self.result)
        except Invalid as fault:
            self.add_error("configuration", str(fault))
        return cleaned

    def _post_clean(self) -> None:
        """The row is written by the event that follows."""


def configuration_of(cluster_id: int) -> Configuration:
    """The cluster's KubeSchedulerConfiguration, its profiles written out."""
    with store.reading(cluster_id) as simulation:
        configuration = dict(simulation.configuration)
    configuration.setdefault("apiVersion", API_VERSION)
    configuration.setdefault("kind", KIND)
    configuration["profiles"] = configuration.get("profiles") or [{"schedulerName": DEFAULT_SCHEDULER_NAME}]
    return configuration


def name_of(profile: Configuration) -> str:
    return str(profile.get("schedulerName") or DEFAULT_SCHEDULER_NAME)


def with_profile(configuration: Configuration, profile: Configuration, before: str) -> Configuration:
    """The configuration with `profile` in the place of the one named `before`, or at the end."""
    profiles = configuration["profiles"]
    if not before:
        return {**configuration, "profiles": [*profiles, profile]}
    return {**configuration, "profiles": [profile if name_of(one) == before else one for one in profiles]}


def without_profiles(configuration: Configuration, names: set[str]) -> Configuration:
    left = [one for one in configuration["profiles"] if name_of(one) not in names]
    if not left:
        raise Refused("A cluster needs a scheduler profile: add another one before you delete this one.")
    return {**configuration, "profiles": left}


@admin.register(Profile)
class ProfileAdmin(ServiceAdmin):
    form = ProfileForm
    list_display = ("scheduler_name", "cluster", "position", "board")
    list_filter = ("cluster",)
    search_fields = ("scheduler_name", "cluster__name")
    list_select_related = ("cluster",)

    def get_fields(self, request: HttpRequest, obj: Profile | None = None) -> Any:
        return ("scheduler_name", "configuration") if obj else ("cluster", "scheduler_name", "configuration")

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        obj = self.get_object(request, object_id) if object_id else None
        context = {**(extra_context or {}), "viewed": obj and self.viewed(request, obj)}
        return super().changeform_view(request, object_id, form_url, context)

    def save_model(self, request: HttpRequest, obj: Profile, form: Any, change: bool) -> None:
        cluster_id = obj.cluster_id or form.cleaned_data["cluster"].pk
        note(request, cluster_id, profile_change(cluster_id, form.result, actor_of(request)))
        name = form.cleaned_data["scheduler_name"]
        obj.__dict__.update(Profile.objects.get(cluster_id=cluster_id, scheduler_name=name).__dict__)

    def delete_model(self, request: HttpRequest, obj: Profile) -> None:
        configuration = without_profiles(configuration_of(obj.cluster_id), {obj.scheduler_name})
        note(request, obj.cluster_id, profile_change(obj.cluster_id, configuration, actor_of(request)))

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Profile]) -> None:
        for cluster_id, profiles in by_cluster(queryset).items():
            names = {profile.scheduler_name for profile in profiles}
            left = without_profiles(configuration_of(cluster_id), names)
            note(request, cluster_id, profile_change(cluster_id, left, actor_of(request)))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        listed = [f"{one} of {one.cluster}" for one in objs]
        missing = set() if self.has_delete_permission(request) else {"profile"}
        return listed, {"profiles": len(listed)}, missing, []

    def page_of(self, obj: Profile) -> str:
        return f"/c/{obj.cluster.name}/profiles/"

    def links(self, obj: Profile) -> list[tuple[str, str]]:
        return [("Profiles page", self.page_of(obj)), ("Board", f"/c/{obj.cluster.name}/")]

    @admin.display(description="Page")
    def board(self, profile: Profile) -> SafeString:
        return link(self.page_of(profile), "open")
