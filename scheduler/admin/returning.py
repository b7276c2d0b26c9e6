"""Saving, deleting and leaving lead back to where somebody came from, and say there what was done."""

from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IS_POPUP_VAR
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scheduler.admin.lists import ListAdmin
from scheduler.admin.origin import above, origin, way_back
from scheduler.admin.undoing import has_written

STAYS = ("_continue", "_addanother", IS_POPUP_VAR)


def link(url: str, text: Any) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, text)


class ReturningAdmin(ListAdmin):
    """`page_of` names the page of the dashboard that shows an object."""

    def page_of(self, obj: Any) -> str:
        return ""

    def leads_to(self, request: HttpRequest, obj: Any = None) -> str:
        """Where this page is left to."""
        return way_back(request, self.opts, getattr(obj, "cluster_id", None))

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        return self._saved(request, obj, "Added") or super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return self._saved(request, obj, "Changed") or super().response_change(request, obj)

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(self.leads_to(request, obj))

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(self.leads_to(request, obj))

    def _saved(self, request: HttpRequest, obj: Any, done: str) -> HttpResponse | None:
        """On the page of the dashboard, what it says leads to the object's own page there."""
        written = has_written(request) or not hasattr(obj, "cluster_id")
        stays = any(name in request.POST for name in STAYS)
        if written and (stays or not origin(request)):
            return None
        named = format_html("{} {}", self.noun or self.opts.verbose_name, link(self.page_of(obj), obj))
        if written:
            self.message_user(request, format_html("{} {}.", done, named), messages.SUCCESS)
        else:
            self.message_user(request, format_html("Nothing was changed in {}.", named), messages.INFO)
        return HttpResponseRedirect(request.get_full_path() if stays else self.leads_to(request, obj))

    def after_delete(self, request: HttpRequest, obj: Any) -> str:
        return above(self.leads_to(request, obj), self.page_of(obj))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Looked up before: afterwards nothing is left that would tell where it was."""
        obj = self.get_object(request, object_id)
        then = self.after_delete(request, obj) if obj is not None else ""
        answer: HttpResponse = super().delete_view(request, object_id, extra_context)
        return HttpResponseRedirect(then) if then and isinstance(answer, HttpResponseRedirect) else answer
