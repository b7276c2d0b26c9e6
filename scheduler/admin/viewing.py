"""What a form holds, for people who may only look: values, rows as tables, manifests as YAML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin.utils import flatten

from scheduler.admin.fields import YamlField, to_yaml
from scheduler.admin.forms import ModelForm
from scheduler.admin.rows import RowsField

MANIFEST = "manifest"


@dataclass(frozen=True, slots=True)
class Seen:
    """One field: `text`, `lines` of YAML, or `rows` of cells under `heads`: head, text, what it was read as."""

    name: str
    label: str
    text: str = ""
    lines: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[tuple[str, str, str]]] = ()


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    fields: Sequence[Seen]


@dataclass(frozen=True, slots=True)
class Viewed:
    """`manifest`: the whole object as YAML, where the form has it."""

    sections: Sequence[Section]
    manifest: str = ""


def viewed(form: ModelForm, fieldsets: Iterable[Any]) -> Viewed:
    """All that the form would show in its `fieldsets`; hidden fields are left out."""
    sections = []
    for title, options in fieldsets:
        names = [name for name in flatten(options["fields"]) if name != MANIFEST and not _is_hidden(form, name)]
        if names:
            sections.append(Section(title or "", [_seen(form, name) for name in names]))
    return Viewed(sections, to_yaml(form.initial[MANIFEST]) if MANIFEST in form.fields else "")


def _is_hidden(form: ModelForm, name: str) -> bool:
    return name in form.fields and form.fields[name].widget.is_hidden


def _seen(form: ModelForm, name: str) -> Seen:
    field = form.fields.get(name)
    value = form.initial[name] if name in form.initial else getattr(form.instance, name, None)
    label = (field.label if field else None) or name.replace("_", " ").capitalize()
    if isinstance(field, RowsField):
        return Seen(name, str(label), heads=[column.label for column in field.columns], rows=_rows(field, name, value))
    if isinstance(field, YamlField):
        return Seen(name, str(label), lines=to_yaml(value) if value else "")
    return Seen(name, str(label), text=_text(field, value))


def _rows(field: RowsField, name: str, value: Any) -> list[list[tuple[str, str, str]]]:
    drawn = field.widget.get_context(name, field.prepare_value(value), None)["rows"][:-1]  # the last one is empty
    return [[(cell["column"].label, cell["text"], cell["parsed"]) for cell in row["cells"]] for row in drawn]


def _text(field: forms.Field | None, value: Any) -> str:
    if isinstance(field, forms.BooleanField):
        return "Yes" if value else "No"
    if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.ModelChoiceField):
        value = dict(field.choices).get(value or "", value)  # type: ignore[arg-type]
    return "" if value is None else str(value)
