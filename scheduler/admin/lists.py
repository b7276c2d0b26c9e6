"""What every list of the admin shares: its title, and an answer to keys that no row can have."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from scheduler.admin.origin import EVERY_ROW, FILTERS, carried
from scheduler.admin.words import ours
from scheduler.engine.words import count

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

NO_SUCH_ROW = "That is no row of this list. Tick the rows anew."
_DIGITS = 18  # as many as any database holds


class ListAdmin(ModelAdmin):
    plural = ""  # the title of the list, where it is not Django's word
    noun = ""  # one of them, likewise
    nothing = ""  # what an empty list says, where Django's word for its rows does not do
    empty_value_display = mark_safe("<!-- -->")  # an empty cell, of which the style sheet says what to show

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        super().message_user(request, ours(message, self.noun), *args, **kwargs)

    def get_action_choices(self, request: HttpRequest, default_choices: Any = (("", "Choose one"),)) -> Any:
        return super().get_action_choices(request, list(default_choices))

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
        context = {**(extra_context or {}), "title": title, "nothing": self.nothing}
        response: HttpResponse = super().changelist_view(request, context)
        asking = getattr(response, "context_data", None)
        if asking and "deletable_objects" in asking:  # Django's own words are "Delete multiple objects"
            asking["title"] = f"Delete {count(len(asking['queryset']), self.word)}"
        return response

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        title = f"Delete {self.word} {self.get_object(request, object_id)}"
        response: HttpResponse = super().delete_view(request, object_id, {**(extra_context or {}), "title": title})
        return response

    @property
    def word(self) -> str:
        return self.noun or str(self.opts.verbose_name)


def says(sentence: str) -> SafeString:
    """A sentence among the objects that a page lists."""
    return format_html('<span class="says">{}</span>', sentence)


def without_links(field: Any) -> Any:
    """A form's field without Django's links to add, change and look at what is chosen in it."""
    if (widget := getattr(field, "widget", None)) is not None:  # no field at all for what cannot be edited
        for allowed in ("add", "change", "delete", "view"):
            setattr(widget, f"can_{allowed}_related", False)
    return field


def _can_be_rows(request: HttpRequest) -> bool:
    ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
    listed = [one for name, text in request.GET.items() if name.endswith("__in") for one in str(text).split(",")]
    is_key = all(one.isascii() and one.isdigit() for one in ticked)
    return is_key and all(len(one.strip()) <= _DIGITS for one in (*ticked, *listed))
