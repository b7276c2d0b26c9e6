"""Words for the templates of the admin site."""

from typing import Any

from django import template
from django.contrib import admin

register = template.Library()


@register.filter
def plural(opts: Any) -> str:
    """What the list of a model is called, by its `_meta`."""
    own = getattr(admin.site.get_model_admin(opts.model), "plural", "") if admin.site.is_registered(opts.model) else ""
    name = str(own or opts.verbose_name_plural)
    return name[:1].upper() + name[1:]
