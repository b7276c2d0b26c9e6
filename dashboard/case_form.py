"""What somebody says of a case that is made of a cluster; what is left empty, the simulation says."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from dashboard.learn.bounds import MOST
from dashboard.learn.moment import Glance
from dashboard.learn.saving import Wish

FEW_NODES = 12
ASKS = {
    "where": "Where does a pod go?",
    "next": "Which pod is tried first?",
    "lane": "In which lane does a pod end?",
    "victim": "Which pod is evicted for it?",
    "count": "How many pods does a subset get?",
}


class CaseForm(forms.Form):
    """After `is_valid`, `wish()` is what `case_text` wants. `of`: the moment; only what it has can be asked about."""

    ask = forms.ChoiceField()
    pod = forms.ChoiceField(required=False)
    subset = forms.ChoiceField(required=False)
    nodes = forms.IntegerField(required=False)
    title = forms.CharField(required=False, max_length=100)
    question = forms.CharField(required=False, max_length=600)
    choices = forms.CharField(required=False, max_length=8_000)
    explanation = forms.CharField(required=False, max_length=4_000)

    def __init__(self, of: Glance, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of
        most = min(of.nodes, MOST["nodes"])
        wrong = f"Write a whole number from 1 to {most}."
        self.fields["nodes"] = forms.IntegerField(required=False, error_messages={"invalid": wrong})
        self.fields["nodes"].validators += [MinValueValidator(1, wrong), MaxValueValidator(most, wrong)]
        for name, allowed in (("ask", asks(of)), ("pod", of.waiting), ("subset", of.subsets)):
            self.fields[name].choices = [(one, one) for one in allowed]  # type: ignore[attr-defined]

    def clean_choices(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["choices"].splitlines()]
        choices = list(dict.fromkeys(filter(None, lines)))
        if len(choices) == 1 or len(choices) > MOST["choices"]:
            raise forms.ValidationError(f"Write 2 to {MOST['choices']} choices, one a line, or none.")
        return choices

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        needed = (
            "subset" if data.get("ask") == "count" else "pod" if data.get("ask") in ("where", "lane", "victim") else ""
        )
        if needed and not data.get(needed) and needed not in self.errors:
            self.add_error(needed, f"Choose the {needed} that the question is about.")
        return data

    def wish(self) -> Wish:
        data = {**self.cleaned_data}
        data.pop("nodes")
        return Wish(**data)

    @property
    def most_nodes(self) -> int:
        return self.cleaned_data["nodes"] or usual_nodes(self.of)


def usual_nodes(of: Glance) -> int:
    """All, where they are few."""
    return min(of.nodes, FEW_NODES)


def asks(of: Glance) -> dict[str, str]:
    """The questions that can be asked of this moment, with their words."""
    there = {"next": len(of.waiting) > 1, "count": bool(of.subsets)}
    return {ask: words for ask, words in ASKS.items() if there.get(ask, bool(of.waiting))}
