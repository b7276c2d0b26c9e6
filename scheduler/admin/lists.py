"""What every list of the admin shares: its title, and an answer to keys that no row can have."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.safestring import mark_safe

from scheduler.admin.origin import EVERY_ROW, FILTERS, carried
from scheduler.admin.words import ours

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

NO_SUCH_ROW = "That is no row of this list. Tick the rows anew."
_DIGITS = 18  # as many as any database holds


class ListAdmin(ModelAdmin):
    plural = ""  # the title of the list, where it is not Django's word
    noun = ""  # one of them, likewise
    empty_value_display = mark_safe("<!-- -->")  # an empty cell, of which the style sheet says what to show

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        super().message_user(request, ours(message, self.noun), *args, **kwargs)

    def get_preserved_filters(self, request: HttpRequest) -> str:
        """With the origin; a list without filters says so to its links."""
        match = request.resolver_match
        on_list = match is not None and match.url_name == f"{self.opts.app_label}_{self.opts.model_name}_changelist"
        preserved = super().get_preserved_filters(request) or (urlencode({FILTERS: EVERY_ROW}) if on_list else "")
        return carried(request, preserved)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Django hands what was ticked, or listed in the address, to the database as it came."""
        if not _can_be_rows(request):
            self.message_user(request, NO_SUCH_ROW, messages.ERROR)
            return HttpResponseRedirect(request.path)
        title = self.plural or str(self.opts.verbose_name_plural).capitalize()
        response: HttpResponse = super().changelist_view(request, {**(extra_context or {}), "title": title})
        return response


def _can_be_rows(request: HttpRequest) -> bool:
    ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
    listed = [one for name, text in request.GET.items() if name.endswith("__in") for one in str(text).split(",")]
    is_key = all(one.isascii() and one.isdigit() for one in ticked)
    return is_key and all(len(one.strip()) <= _DIGITS for one in (*ticked, *listed))
