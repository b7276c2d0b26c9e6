"""The forms of the admin site as a browser without scripts has them: what the page says, edited and sent."""

from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from typing import Any

from django.urls import reverse

from scheduler.admin.rows import RowsField

Fields = dict[str, list[str]]


def page(model, name="changelist", *args) -> str:
    return reverse(f"admin:scheduler_{model._meta.model_name}_{name}", args=args)


def opened(client, url: str) -> Fields:
    """The fields of the page's form, as they would be sent untouched."""
    answer = client.get(url)
    assert answer.status_code == 200
    return fields_of(answer)


def fields_of(answer) -> Fields:
    reader = _Form()
    reader.feed(answer.content.decode())
    return reader.fields


def edited(fields: Fields, model, **changed: Any) -> Fields:
    """`changed`: a text, None to take a tick away, or rows as tuples: a cell each, the place it had at their end."""
    made = dict(fields)
    for name, value in changed.items():
        if isinstance(value, list):
            made |= rows(name, columns(model, name), value)
        elif value is None:
            made.pop(name, None)
        else:
            made[name] = [str(value)]
    return made


def rows(name: str, names: Sequence[str], cells: Iterable[Sequence[str]]) -> Fields:
    padded = [(*row, *[""] * (len(names) + 1 - len(row))) for row in cells] or [("",) * (len(names) + 1)]
    return {f"{name}-{column}": [row[at] for row in padded] for at, column in enumerate([*names, "was"])}


def columns(model, name: str) -> list[str]:
    from django.contrib import admin

    field = admin.site.get_model_admin(model).form.base_fields[name]
    assert isinstance(field, RowsField)
    return [column.name for column in field.columns]


def save(client, row, **changed):
    url = page(type(row), "change", row.pk)
    return client.post(url, edited(opened(client, url), type(row), **changed))


def add(client, model, **given):
    url = page(model, "add")
    return client.post(url, edited(opened(client, url), model, **given))


def errors(answer) -> dict:
    return answer.context["adminform"].form.errors


def run_action(client, model, action, chosen, **more):
    return client.post(page(model), {"action": action, "_selected_action": [row.pk for row in chosen], **more})


class _Form(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self.hidden = 0  # depth of <template>
        self.area = self.select = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        self.hidden += tag == "template"
        name = given.get("name") or ""
        if tag == "select":
            self.select = name
        elif tag == "option" and self.select and not self.hidden and "selected" in given:
            self._put(self.select, given.get("value") or "")
        elif tag == "textarea":
            self.area = name
            self._put(name, "")
        elif tag == "input" and _is_sent(given):
            self._put(name, given.get("value") or ("on" if given["type"] == "checkbox" else ""))

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag == "template"
        if tag == "textarea":
            self._end_area()
        if tag == "select" and not self.hidden:
            self.fields.setdefault(self.select, [""])
            self.select = ""

    def handle_data(self, data: str) -> None:
        if self.area and not self.hidden:
            self.fields[self.area][-1] += data

    def _end_area(self) -> None:
        if self.area and not self.hidden:
            text = self.fields[self.area][-1]
            self.fields[self.area][-1] = text.removeprefix("\n").replace("\n", "\r\n")
        self.area = ""

    def _put(self, name: str, value: str) -> None:
        if name and not self.hidden:
            self.fields.setdefault(name, []).append(value)


def _is_sent(given: dict[str, Any]) -> bool:
    kind = given.get("type", "text")
    return kind not in ("submit", "button") and (kind not in ("checkbox", "radio") or "checked" in given)
