"""The log, checkpoints, queue entries and jobs: to be looked at, not to be edited."""

from typing import Any, get_args

from django.contrib import admin
from django.db import models
from django.db.models import BigIntegerField, Case, F, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
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
    nothing = "No event has been written yet."
    list_display = ("number", "cluster", "kind", "about", "cycle", "outcome", "actor", "time")
    list_filter = ("cluster", KindFilter, OutcomeFilter)
    search_fields = ("object_key__startswith", "=seq", "=cycle", "=actor")
    search_help_text = "Kind/namespace/name of an object, the number of an event or of a cycle, or a user."
    ordering = ("-pk",)
    list_select_related = ("cluster",)
    show_full_result_count = False
    fields = ("cluster", "number", "time", "kind", "version", "about", "cycle", "outcome", "actor", "happening")
    readonly_fields = ("number", "about", "happening", "time")

    @admin.display(description="Event", ordering="seq")
    def number(self, event: Event) -> str:
        return f"{event.seq:,}"

    @admin.display(description="Object", ordering="object_key")
    def about(self, event: Event) -> str:
        return event.object_key.replace("//", "/")  # of what has no namespace

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Event], search_term: str
    ) -> tuple[models.QuerySet[Event], bool]:
        """Node/name, as it is shown, finds Node//name, as it is stored."""
        rows, doubled = super().get_search_results(request, queryset, search_term)
        if search_term.count("/") == 1 and "//" not in search_term:
            rows |= super().get_search_results(request, queryset, search_term.replace("/", "//"))[0]
        return rows, doubled

    @admin.display(description="Virtual time", ordering="at_us")
    def time(self, event: Event) -> str:
        return to_rfc3339(event.at_us)

    @admin.display(description="Payload")
    def happening(self, event: Event) -> SafeString:
        return format_html('<pre class="lines">{}</pre>', to_yaml(event.payload))


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    nothing = "No checkpoint has been stored yet."
    list_display = ("cluster", "number", "format", "created")
    list_filter = ("cluster",)
    search_fields = ("=seq",)
    list_select_related = ("cluster",)
    fields = ("cluster", "number", "format", "created")
    readonly_fields = ("number",)

    @admin.display(description="Event", ordering="seq")
    def number(self, checkpoint: Checkpoint) -> str:
        return f"{checkpoint.seq:,}"

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Checkpoint]:
        return super().get_queryset(request).defer("blob")


@admin.register(QueueEntry)
class QueueEntryAdmin(ReadOnlyAdmin):
    nothing = "No pod waits."
    list_display = ("pod", "cluster", "queue", "priority", "attempts", "refused_by", "gating_plugin")
    list_filter = ("cluster", "queue")
    search_fields = ("pod",)
    list_select_related = ("cluster",)
    show_full_result_count = False
    fields = (
        "cluster", "pod", "queue", "priority", "since", "first_tried", "expires", "attempts", "unschedulable_count",
        "consecutive_errors", "refused_by", "waits_for", "gating_plugin",
    )  # fmt: skip
    readonly_fields = ("since", "first_tried", "expires", "refused_by", "waits_for")

    @admin.display(description="In it since", ordering="timestamp_us")
    def since(self, entry: QueueEntry) -> str:
        return to_rfc3339(entry.timestamp_us)

    @admin.display(description="First tried")
    def first_tried(self, entry: QueueEntry) -> str:
        return _moment(entry.initial_attempt_us)

    @admin.display(description="Backoff ends")
    def expires(self, entry: QueueEntry) -> str:
        return _moment(entry.backoff_expiry_us)

    @admin.display(description="Refused by")
    def refused_by(self, entry: QueueEntry) -> str:
        return ", ".join(entry.unschedulable_plugins)

    @admin.display(description="Waits for")
    def waits_for(self, entry: QueueEntry) -> str:
        return ", ".join(entry.pending_plugins)


def _moment(at_us: int | None) -> str:
    return "" if at_us is None else to_rfc3339(at_us)


def _of_report(name: str) -> Cast:
    return Cast(KT(f"result__report__total__{name}"), BigIntegerField())


OBJECTS = Case(  # the number that a job's line shows
    When(state=Job.State.RUNNING, then=F("done")),
    default=Coalesce(_of_report("found") - _of_report("ignored"), F("total"), output_field=BigIntegerField()),
)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    plural = "Import jobs"
    nothing = "Nobody has imported a cluster yet."
    list_display = ("cluster_name", "outcome", "progress", "user", "created", "page")
    list_filter = ("state",)
    search_fields = ("cluster_name",)
    search_help_text = "Name of a cluster."
    list_select_related = ("user",)
    fields = ("cluster_name", "outcome", "progress", "user", "created", "updated", "attempt", "holder", "page")
    readonly_fields = ("outcome", "progress", "page")

    @admin.display(description="State", ordering="state")
    def outcome(self, job: Job) -> str:
        """A job that has read its file to the end, and then stored nothing, is done as well."""
        if job.state == Job.State.RUNNING and job.stage:
            return f"Running: {job.stage[:1].lower()}{job.stage[1:]}"
        refused = job.state == Job.State.DONE and not job.result.get("cluster")
        return "Done: nothing stored" if refused else str(job.get_state_display())

    @admin.display(description="Objects", ordering=OBJECTS)
    def progress(self, job: Job) -> str:
        """Of one that runs how far it is; small ones are done before anything is told."""
        if job.state == Job.State.RUNNING:
            of = f" of {job.total:,}" if job.total else ""
            return f"{job.done:,}{of}" if job.done or of else ""
        total = (job.result or {}).get("report", {}).get("total")  # a job's own total is that of its last stage
        number = total["found"] - total["ignored"] if total else job.total
        return f"{number:,}" if number else ""

    @admin.display(description="Page")
    def page(self, job: Job) -> SafeString:
        return format_html('<a href="/import/{}/">open</a>', job.pk)
