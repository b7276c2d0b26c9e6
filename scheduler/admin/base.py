"""What all admin pages share: nothing here writes a row, every change goes through the services as an event."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scheduler import store
from scheduler.admin.filters import CLUSTER
from scheduler.admin.history import entries
from scheduler.admin.lists import ListAdmin, ModelAdmin, says, without_links
from scheduler.admin.origin import FILTERS
from scheduler.admin.returning import ReturningAdmin, link
from scheduler.admin.undoing import note, ways_back
from scheduler.admin.viewing import Viewed, viewed
from scheduler.engine.errors import PodiumError
from scheduler.engine.objects import ObjectKey, key_of
from scheduler.engine.words import age, count, listed
from scheduler.models import Cluster
from scheduler.services import object_create, objects_delete
from scheduler.services.admit import kind_of
from scheduler.services.doomed import counts, going_with
from scheduler.services.history import edit_undo, versions
from scheduler.services.objects import Overtaken, object_replace

YAML: tuple[str, Any] = ("YAML", {"fields": ("manifest", "base", "drawn"), "classes": ("yaml",)})


LISTED = 50  # objects on a page that asks before it deletes


def actor_of(request: HttpRequest) -> str:
    return str(request.user.get_username())


class ReadOnlyAdmin(ListAdmin):
    """The log and what follows from it: to be looked at."""

    change_form_template = "admin/scheduler/record.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ServiceAdmin(ReturningAdmin):
    """An admin page whose saving and deleting is done by services; what they refuse is told on the page."""

    list_per_page = 50
    show_full_result_count = False
    change_form_template = "admin/scheduler/change_form.html"

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        obj = self.get_object(request, object_id) if object_id else None
        return self._told(request, super().changeform_view, object_id, form_url, self.form_context(obj, extra_context))

    def form_context(self, obj: Any, more: dict[str, Any] | None) -> dict[str, Any]:
        """What the form's template needs besides Django's; `obj`: None for a new one."""
        return {**(more or {}), "links": self.links(obj) if obj else [], "show_save_and_add_another": obj is None}

    def links(self, obj: Any) -> list[tuple[str, str]]:
        """Where else this object is shown: words and addresses."""
        return [("Board", self.page_of(obj))]

    def viewed(self, request: HttpRequest, obj: Any) -> Viewed | None:
        """The object for somebody who may only look at it; None for all others."""
        if not self.has_view_permission(request, obj) or self.has_change_permission(request, obj):
            return None
        form = self.get_form(request, obj, change=True)(instance=obj)
        return viewed(form, self.get_fieldsets(request, obj))

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The cluster of the page or list that led here, and the only one there is, need not be chosen."""
        asked: dict[str, Any] = super().get_changeform_initial_data(request)
        cluster = asked.pop("cluster", "") or QueryDict(request.GET.get(FILTERS, "")).get(CLUSTER, "")
        clusters = dict(Cluster.objects.values_list("name", "pk"))
        chosen = clusters.get(cluster, cluster) or (next(iter(clusters.values())) if len(clusters) == 1 else "")
        return {**asked, "cluster": str(chosen)}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The cluster is chosen, not edited from here."""
        field = without_links(super().formfield_for_dbfield(db_field, request, **kwargs))
        if getattr(field, "empty_label", None):
            field.empty_label = "Choose one"
        return field

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self._told(request, super().delete_view, object_id, extra_context)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return self._told(request, super().changelist_view, extra_context)

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """With a way back where something has just been written."""
        super().message_user(request, format_html("{}{}", message, ways_back(request)), *args, **kwargs)

    def _told(self, request: HttpRequest, view: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = view(request, *args, **kwargs)
            return response
        except PodiumError as fault:
            self.message_user(request, str(fault), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())


class ObjectAdmin(ServiceAdmin):
    """Objects of a cluster: one row is one manifest."""

    list_select_related = ("cluster",)
    identity: tuple[str, ...] = ("cluster", "namespace", "name")
    search_help_text = "Search by name, namespace or label (app=web)."

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*self.readonly_fields, *(self.identity if obj else ()))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """What the head of the page of an object says already is not said again."""
        told = super().get_fieldsets(request, obj)
        return told if obj is None else list(_without(told, self.identity))

    def key_of(self, obj: Any) -> ObjectKey:
        """The object's identity in its cluster."""
        return self.model.__name__, getattr(obj, "namespace", ""), obj.name

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, told what it cannot see: whether to save, and why it could not be saved a moment ago."""
        form = super().get_form(request, obj, change, **kwargs)
        told = {"checking": "_check" in request.POST, "fault": getattr(request, "podium_fault", "")}
        return type(form.__name__, (form,), told)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        cluster_id, actor = obj.cluster_id or form.cleaned_data["cluster"].pk, actor_of(request)
        if not change:
            note(request, cluster_id, object_create(cluster_id, form.result, actor))
        elif form.result != form.stored:
            note(request, cluster_id, object_replace(cluster_id, form.result, form.stored, actor))
        obj.__dict__.update(self.row_of(cluster_id, key_of(kind_of(form.result), form.result)).__dict__)

    def row_of(self, cluster_id: int, key: ObjectKey) -> Any:
        """The row that an event has just written."""
        where = {"namespace": key[1], "name": key[2]} if "namespace" in self.identity else {"name": key[2]}
        return self.model._default_manager.get(cluster_id=cluster_id, **where)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_rows(request, obj.cluster_id, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        for cluster_id, rows in by_cluster(queryset).items():
            self.delete_rows(request, cluster_id, rows)

    def delete_rows(self, request: HttpRequest, cluster_id: int, rows: list[Any]) -> None:
        """Objects of one cluster, in one commit."""
        keys = [self.key_of(row) for row in rows]
        note(request, cluster_id, objects_delete(cluster_id, keys, actor_of(request)))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Sentences first: what goes along, or comes back. Then the objects, as far as a page can list them."""
        rows = list(objs)
        more = [f"and {len(rows) - LISTED:,} more"] if len(rows) > LISTED else []
        listed = [*map(says, self.consequences(rows)), *map(str, rows[:LISTED]), *more]
        missing = set() if self.has_delete_permission(request) else {str(self.opts.verbose_name)}
        return listed, {str(self.opts.verbose_name_plural): len(rows)}, missing, []

    def consequences(self, rows: list[Any]) -> list[str]:
        """What the deletion of these objects brings about, in sentences."""
        found: list[ObjectKey] = []
        for cluster_id in {row.cluster_id for row in rows}:
            keys = [self.key_of(row) for row in rows if row.cluster_id == cluster_id]
            with store.reading(cluster_id) as simulation:
                found += going_with(simulation, keys)
        told = [count(number, kind) for kind, number in counts(found)]
        return [f"Deleted along with it: {listed(told)}."] if told else []

    @admin.display(description="Age", ordering="-created_us")
    def age(self, obj: Any) -> str:
        return age(obj.cluster.now_us - obj.created_us) if obj.created_us else "<unknown>"

    def told(self, request: HttpRequest, sentence: str) -> None:
        self.message_user(request, sentence)

    @admin.display(description="Board")
    def board(self, obj: Any) -> SafeString:
        return link(self.page_of(obj), "open")

    def page_of(self, obj: Any) -> str:
        """Where the dashboard shows this object."""
        return f"/c/{obj.cluster.name}/"

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """What a save is refused for is told in the form, with all that somebody has written there."""
        obj = self.get_object(request, object_id) if object_id else None
        context = self.form_context(obj, extra_context) | {"tab": request.POST.get("tab")}
        context |= {"viewed": obj and self.viewed(request, obj)}
        context |= {"noun": self.noun} if obj else {"title": f"Add {self.noun or self.opts.verbose_name}"}
        for attempt in range(2):
            try:
                return ModelAdmin.changeform_view(self, request, object_id, form_url, context)
            except PodiumError as fault:
                if attempt or not isinstance(fault, Overtaken):  # at first the form sees for itself what has changed
                    request.podium_fault = str(fault)  # type: ignore[attr-defined]
        return ModelAdmin.changeform_view(self, request, object_id, form_url, context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """The versions of the log. A post takes one edit back."""
        obj = self.get_object(request, object_id)
        if obj is None or not self.has_view_or_change_permission(request, obj):
            return super().history_view(request, object_id, extra_context)
        if request.method == "POST":
            return self._undo(request, obj)
        found = versions(obj.cluster_id, self.key_of(obj))
        context = {
            "entries": entries(found),
            "number": len(found),
            "events_url": events_url(obj, self.key_of(obj)),
            "may_undo": self.has_change_permission(request, obj),
        }
        return super().history_view(request, object_id, {**(extra_context or {}), **context})

    def _undo(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if not self.has_change_permission(request, obj):
            raise PermissionDenied
        seq = request.POST.get("undo", "")
        try:
            number = int(seq) if seq.isascii() and seq.isdigit() and len(seq) < 19 else 0
            note(request, obj.cluster_id, edit_undo(obj.cluster_id, self.key_of(obj), number, actor_of(request)))
            self.told(request, f"The edit of event {seq} is taken back.")
        except PodiumError as fault:
            self.message_user(request, str(fault), messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())

    def links(self, obj: Any) -> list[tuple[str, str]]:
        page, board = self.page_of(obj), obj.cluster.get_absolute_url()
        own = [(f"{self.noun or str(self.opts.verbose_name).capitalize()} page", page)] if page != board else []
        return [*own, ("Board", board)]


def _without(fieldsets: Iterable[Any], left_out: Sequence[str]) -> Iterator[Any]:
    """The fieldsets without some fields; none of them is empty."""
    for title, options in fieldsets:
        if fields := [name for name in options["fields"] if name not in left_out]:
            yield title, {**options, "fields": fields}


def by_cluster(rows: models.QuerySet[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in rows:
        found.setdefault(row.cluster_id, []).append(row)
    return found


def events_url(obj: Any, key: ObjectKey) -> str:
    """The log of one object."""
    return f"/admin/scheduler/event/?cluster__id__exact={obj.cluster_id}&q={'/'.join(key)}"
