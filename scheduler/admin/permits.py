"""What a user or a group may do, as a table: a line of each kind of thing, a box of each deed that is asked for."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Permission
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scheduler.admin.base import ReadOnlyAdmin

ACTIONS = ("view", "change", "add", "delete")
ORDER = (
    "cluster", "node", "pod", "uniteddeployment", "kubeobject", "profile",
    "event", "queueentry", "checkpoint", "job", "user", "group",
)  # fmt: skip
HELP = (
    "To change clusters is also to run and to step them on the dashboard; "
    "to add them is to import them; to delete them, to let an import replace one."
)


def _place(model: Any) -> int:
    name = model._meta.model_name
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _lines() -> list[tuple[str, str, tuple[str, ...]]]:
    """App and name of each model that the admin shows, what its list is called, and what can be permitted."""
    return [
        (
            f"{model._meta.app_label}.{model._meta.model_name}",
            str(getattr(shown, "plural", "") or model._meta.verbose_name_plural),
            ACTIONS[:1] if isinstance(shown, ReadOnlyAdmin) else ACTIONS,
        )
        for model, shown in sorted(admin.site._registry.items(), key=lambda one: _place(one[0]))
    ]


def offered(held: Iterable[Any] = ()) -> QuerySet[Permission]:
    """What some page asks for, and what is held already: no save takes away what it does not show."""
    wanted = Q(pk__in=list(held))
    for model, shown in admin.site._registry.items():
        actions = ACTIONS[:1] if isinstance(shown, ReadOnlyAdmin) else ACTIONS
        names = [get_permission_codename(action, model._meta) for action in actions]
        wanted |= Q(content_type__app_label=model._meta.app_label, codename__in=names)
    return Permission.objects.filter(wanted).select_related("content_type")


def _of(permission: Permission) -> tuple[str, str]:
    """What it is about, and what it permits."""
    kind = permission.content_type
    return f"{kind.app_label}.{kind.model}", permission.codename.removesuffix(f"_{kind.model}")


def sentences(permissions: Iterable[Permission]) -> Iterator[str]:
    """`Nodes: view, change`, a line of each kind of thing; what no page asks for is called as Django does."""
    held = {_of(one): one for one in permissions}
    for key, name, actions in _lines():
        if given := [action for action in actions if held.pop((key, action), None)]:
            yield f"{name[:1].upper()}{name[1:]}: {', '.join(given)}"
    yield from (one.name for one in held.values())


class PermitsWidget(forms.CheckboxSelectMultiple):
    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        chosen = {str(one) for one in value or ()}
        keys: list[Any] = [key for key, _ in self.choices]
        there = {_of(key.instance): key.instance for key in keys}
        boxes = {key: {"permission": one, "on": str(one.pk) in chosen} for key, one in there.items()}
        rows = []
        for key, title, actions in _lines():
            cells = [(action, boxes.pop((key, action), None) if action in actions else None) for action in ACTIONS]
            rows.append({"title": title[:1].upper() + title[1:], "cells": cells})
        return {"name": name, "actions": ACTIONS, "rows": rows, "others": list(boxes.values())}

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """By the project's own templates, which forms do not look for by themselves."""
        return render_to_string("admin/permits.html", self.get_context(name, value, attrs))

    def id_for_label(self, id_: str, index: Any = None) -> str:
        return ""


class PermitsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    widget = PermitsWidget

    def __init__(self) -> None:
        super().__init__(Permission.objects.none(), required=False, label="Permissions", help_text=HELP)

    def offer(self, held: QuerySet[Permission] | None) -> None:
        self.queryset = offered(held.values_list("pk", flat=True) if held is not None else ())
