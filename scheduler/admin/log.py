"""The log, checkpoints, queue entries and jobs: to be looked at, not to be edited."""

from typing import Any, get_args

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scheduler.admin.base import ReadOnlyAdmin
from scheduler.admin.fields import to_yaml
from scheduler.engine.cycle.decision import Outcome
from scheduler.engine.events import Happening
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.models import Checkpoint, Event, Job, QueueEntry


class KindFilter(admin.SimpleListFilter):
    """By kind, from the kinds there are: asking a long log for its distinct values takes a while."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in sorted(kind.__struct_config__.tag for kind in get_args(Happening))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Event]) -> models.QuerySet[Event]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class OutcomeFilter(admin.SimpleListFilter):
    title = parameter_name = "outcome"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in get_args(Outcome)]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Event]) -> models.QuerySet[Event]:
        return queryset.filter(kind="CycleFinished", outcome=self.value()) if self.value() else queryset


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("seq", "cluster", "kind", "object_key", "cycle", "outcome", "actor", "time")
    list_filter = ("cluster", KindFilter, OutcomeFilter)
    search_fields = ("object_key__startswith", "=seq", "=cycle", "=actor")
    search_help_text = "Kind/namespace/name of an object, the number of an event or of a cycle, or a user."
    ordering = ("-pk",)
    list_select_related = ("cluster",)
    show_full_result_count = False
    fields = ("cluster", "seq", "time", "kind", "version", "object_key", "cycle", "outcome", "actor", "happening")
    readonly_fields = ("happening", "time")

    @admin.display(description="Virtual time", ordering="at_us")
    def time(self, event: Event) -> str:
        return to_rfc3339(event.at_us)

    @admin.display(description="Payload")
    def happening(self, event: Event) -> SafeString:
        return format_html('<pre class="lines">{}</pre>', to_yaml(event.payload))


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    list_display = ("cluster", "seq", "format", "created")
    list_filter = ("cluster",)
    search_fields = ("=seq",)
    list_select_related = ("cluster",)
    fields = ("cluster", "seq", "format", "created")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Checkpoint]:
        return super().get_queryset(request).defer("blob")


@admin.register(QueueEntry)
class QueueEntryAdmin(ReadOnlyAdmin):
    list_display = ("pod", "cluster", "queue", "priority", "attempts", "unschedulable_plugins", "gating_plugin")
    list_filter = ("cluster", "queue")
    search_fields = ("pod",)
    list_select_related = ("cluster",)
    show_full_result_count = False


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    plural = "Import jobs"
    list_display = ("cluster_name", "outcome", "progress", "user", "created", "page")
    list_filter = ("state",)
    search_fields = ("cluster_name",)
    search_help_text = "Name of a cluster."
    list_select_related = ("user",)

    @admin.display(description="State", ordering="state")
    def outcome(self, job: Job) -> str:
        """A job that has read its file to the end, and then stored nothing, is done as well."""
        refused = job.state == Job.State.DONE and not job.result.get("cluster")
        return "Done: nothing stored" if refused else str(job.get_state_display())

    @admin.display(description="Objects", ordering="total")
    def progress(self, job: Job) -> str:
        """Of one that runs how far it is; small ones are done before anything is told."""
        if job.state != Job.State.RUNNING:
            return f"{job.total:,}"
        return f"{job.stage}: {job.done:,} of {job.total:,}"

    @admin.display(description="Page")
    def page(self, job: Job) -> SafeString:
        return format_html('<a href="/import/{}/">open</a>', job.pk)
