"""The page between an action and its doing: what it is about to do, what it needs to know, yes or no."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin import helpers
from django.http import HttpRequest
from django.template.response import TemplateResponse

from scheduler.engine.errors import Invalid, Refused

CONFIRMED = "_confirmed"
MOST_LISTED = 100
SENTENCE = "What happens"


class NoQuestion(forms.Form):
    """Only yes or no."""


@dataclass(frozen=True, slots=True)
class Preview:
    """`says`: sentences. `rows`: cells under `heads`; `more` rows are not listed."""

    says: Sequence[str] = ()
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()

    @property
    def listed(self) -> Sequence[Sequence[tuple[str, str]]]:
        """Labels and cells. Where heads are not seen, what a thing is called and a sentence need no label."""
        labels = ["" if head in (self.heads[0], SENTENCE) else head.lower() for head in self.heads]
        return [list(zip(labels, row, strict=True)) for row in self.rows[:MOST_LISTED]]

    @property
    def more(self) -> int:
        return max(0, len(self.rows) - MOST_LISTED)


class ActionPage:
    """One action on chosen rows. `form` is its questions; valid once somebody has said yes."""

    def __init__(self, admin: Any, request: HttpRequest, rows: Iterable[Any], title: str, button: str = "") -> None:
        self.admin, self.request, self.rows, self.title = admin, request, list(rows), title
        self.button = button or title
        self.form: Any = None

    def answer(self, form: type[forms.Form] = NoQuestion) -> dict[str, Any] | None:
        """What was answered; None while it is still to be asked."""
        said_yes = CONFIRMED in self.request.POST
        self.form = form(self.request.POST if said_yes else None)
        return dict(self.form.cleaned_data) if said_yes and self.form.is_valid() else None

    def refuse(self, fault: Refused | Invalid) -> None:
        self.form.add_error(None, str(fault))

    def shown(self, preview: Preview, danger: bool = False) -> TemplateResponse:
        context = {
            **self.admin.admin_site.each_context(self.request),
            "title": self.title,
            "opts": self.admin.opts,
            "form": self.form,
            "preview": preview,
            "chosen": self.rows[:MOST_LISTED],
            "selected": self._selected(),
            "button": self.button,
            "danger": danger,
            "confirmed": CONFIRMED,
        }
        return TemplateResponse(self.request, "admin/scheduler/action.html", context)

    def _selected(self) -> list[tuple[str, str]]:
        """What was chosen, for the answer. All rows of a list are chosen by one word, however many they are."""
        sent = self.request.POST
        fields = [("action", sent.get("action", "")), ("index", sent.get("index", "0"))]
        every = sent.get("select_across") == "1"
        chosen = sent.getlist(helpers.ACTION_CHECKBOX_NAME)
        fields += [("select_across", "1")] if every else []
        return fields + [(helpers.ACTION_CHECKBOX_NAME, one) for one in (chosen[:1] if every else chosen)]
