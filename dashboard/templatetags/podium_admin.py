"""Words for the templates of the admin site."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.contrib import admin
from django.forms import BaseForm
from django.http import QueryDict
from django.urls import reverse

from dashboard.build.deeds import Deed, deeds
from scheduler.admin import origin as origins

register = template.Library()
UNLOGGED = ("cluster", "user", "group")


@register.filter
def plural(opts: Any) -> str:
    """What the list of a model is called, by its `_meta`."""
    own = getattr(admin.site.get_model_admin(opts.model), "plural", "") if admin.site.is_registered(opts.model) else ""
    name = str(own or opts.verbose_name_plural)
    return name[:1].upper() + name[1:]


@register.filter
def one(opts: Any) -> str:
    """What one of them is called."""
    own = getattr(admin.site.get_model_admin(opts.model), "noun", "") if admin.site.is_registered(opts.model) else ""
    return str(own or opts.verbose_name)


@register.filter
def many(opts: Any) -> str:
    """The same within a sentence: `other objects`, `UnitedDeployments`."""
    name = plural(opts)
    return name if any(letter.isupper() for letter in name[1:]) else name.lower()


@register.simple_tag(takes_context=True)
def admin_url(context: Any, name: str, *args: Any, back: str = "", **query: Any) -> str:
    """`{% admin_url "pod_add" cluster=cluster.name %}`: into the admin, with the way back to the page that links there.

    `back`: another page to come back to.
    """
    carried = QueryDict(mutable=True)
    carried.update({**query, origins.NEXT: back or context["request"].get_full_path()})
    return f"{reverse(f'admin:scheduler_{name}', args=args)}?{carried.urlencode(safe='/')}"


@register.simple_tag(takes_context=True)
def came_from(context: Any) -> tuple[str, str]:
    """Address and name of the page that led into the admin; both empty where none did."""
    address = origins.origin(context["request"]) if "request" in context else ""
    return address, origins.place(address) if address else ""


@register.simple_tag(takes_context=True)
def leave_url(context: Any) -> str:
    """Where a form is left to without saving it."""
    original = context.get("original")
    cluster_id = getattr(original, "cluster_id", None)
    return origins.way_back(context["request"], context["opts"], cluster_id)


@register.simple_tag
def latest_deeds(limit: int) -> list[Deed]:
    """What people changed in clusters, newest first."""
    return deeds(limit)


@register.simple_tag
def accounts(entries: Iterable[Any], limit: int) -> list[Any]:
    """Of Django's record of edits those that no log of a cluster tells of."""
    return [one for one in entries if one.content_type and one.content_type.model in UNLOGGED][:limit]


@register.filter
def faulty(form: BaseForm) -> str:
    """The names of the fields that a form finds fault with."""
    return ", ".join(str(field.label) for field in form.visible_fields() if field.errors)
