"""Lists and mappings of a manifest as rows of a form; what no column tells of stays as it is in the manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scheduler.admin.amounts import amount_told

Row = dict[str, str]
WAS = "was"  # hidden in every row: its place in the list that the form was drawn from


class Rows(list[Row]):
    """Rows as they were sent; those without a word are left out."""


@dataclass(frozen=True, slots=True)
class Column:
    """`amount_of`: the column that names the resource of which this one says how much, or the resource itself."""

    name: str
    label: str
    example: str = ""
    choices: tuple[str, ...] = ()
    amount_of: str = ""
    long: bool = False


class RowsWidget(forms.Widget):
    def __init__(self, columns: Sequence[Column], noun: str) -> None:
        super().__init__()
        self.columns, self.noun = tuple(columns), noun
        self.faults: dict[int, list[str]] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> "RowsWidget":
        """Every form has its own, and what was wrong with another one is not told in it."""
        made: RowsWidget = super().__deepcopy__(memo)
        made.faults = {}
        return made

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Rows | None:
        """None where nothing of this name was sent: it stays as it is."""
        if self.value_omitted_from_data(data, files, name):
            return None
        names = [*(column.name for column in self.columns), WAS]
        lists = [_listed(data, f"{name}-{one}") for one in names]
        rows = (dict(zip(names, texts, strict=True)) for texts in zip_longest(*lists, fillvalue=""))
        return Rows({key: _lines(text) for key, text in row.items()} for row in rows if _is_written(row))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return all(f"{name}-{column.name}" not in data for column in self.columns)

    def write(self, data: QueryDict, name: str, rows: Sequence[Row]) -> None:
        """The rows as a browser would send them."""
        for one in (*(column.name for column in self.columns), WAS):
            data.setlist(f"{name}-{one}", [row.get(one, "") for row in rows])

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        rows = list(value or ())
        return {
            "id": (attrs or {}).get("id", ""),
            "noun": self.noun,
            "columns": self.columns,
            "rows": [self._drawn(name, place, row) for place, row in enumerate([*rows, {}])],
            "blank": self._drawn(name, len(rows), {}),
        }

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """By the project's own templates, which forms do not look for by themselves."""
        return render_to_string("admin/rows.html", self.get_context(name, value, attrs))

    def format_value(self, value: Any) -> Any:
        return value

    def id_for_label(self, id_: str) -> str:
        return ""

    def _drawn(self, name: str, place: int, row: Row) -> dict[str, Any]:
        cells = [self._cell(name, place, column, row) for column in self.columns]
        return {"cells": cells, "was": row.get(WAS, ""), "was_name": f"{name}-{WAS}", "faults": self.faults.get(place)}

    def _cell(self, name: str, place: int, column: Column, row: Row) -> dict[str, Any]:
        text = row.get(column.name, "")
        choices = column.choices if text in column.choices else (*column.choices, text)
        resource = row.get(column.amount_of, column.amount_of) if column.amount_of else ""
        label = f"{self.noun.capitalize()}, row {place + 1}: {column.label}"
        return {
            "column": column,
            "name": f"{name}-{column.name}",
            "text": text,
            "label": label,
            "choices": choices if column.choices else (),
            "parsed": amount_told(resource, text) if column.amount_of and text else "",
        }


class RowsField(forms.Field):
    """One part of a manifest. Its cleaned value is the rows; `written` makes the part of them."""

    columns: ClassVar[tuple[Column, ...]] = ()
    noun: ClassVar[str] = "row"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs, "widget": RowsWidget(self.columns, self.noun)})

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, Rows) else self.rows(value)

    def to_python(self, value: Any) -> Any:
        return value

    def rows(self, part: Any) -> Rows:
        """The rows that show a part of a manifest."""
        raise NotImplementedError

    def written(self, rows: Rows, part: Any) -> Any:
        """The part that the rows make of `part`, equal to it if nothing was edited. Raises ValidationError."""
        raise NotImplementedError


def fault_at(row: int, message: str) -> ValidationError:
    """Django writes `params` into the message, in which a per cent sign may stand that somebody typed."""
    return ValidationError(message.replace("%", "%%"), code="row", params={"row": row})


def _listed(data: Any, name: str) -> Sequence[str]:
    texts: Sequence[str] = data.getlist(name) if hasattr(data, "getlist") else data.get(name, ())
    return texts


def _is_written(row: Row) -> bool:
    return any(text.strip() for key, text in row.items() if key != WAS)


def _lines(text: str) -> str:
    """A browser sends the lines of a long text ended by CR and LF."""
    return text.replace("\r\n", "\n")
