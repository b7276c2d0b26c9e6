"""The rows that forms have: labels, quantities, taints, tolerations, containers."""

from typing import Any

from scheduler.admin.rows import WAS, Column, Row, Rows, RowsField, fault_at
from scheduler.engine.values import quantity

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


class PairRows(RowsField):
    """A mapping of texts."""

    columns = (Column("key", "key", "example.com/pool"), Column("value", "value", "general"))
    noun = "label"

    def rows(self, part: Any) -> Rows:
        key, value = (column.name for column in self.columns)
        return Rows({key: str(name), value: shown(text)} for name, text in _mapping(part).items())

    def written(self, rows: Rows, part: Any) -> Any:
        before, made = _mapping(part), {}
        key, value = (column.name for column in self.columns)
        for place, row in enumerate(rows):
            name, text = row[key].strip(), self.text(row[value])
            if not name:
                raise fault_at(place, f"Row {place + 1}: Required value: a {self.columns[0].label}")
            if name in made:
                raise fault_at(place, f'Row {place + 1}: Duplicate value: "{name}"')
            made[name] = kept(before.get(name), text)
        return part if made == before else made

    def text(self, text: str) -> str:
        return text.strip()


class SelectorRows(PairRows):
    """Labels that something else must have: told apart from the object's own."""

    noun = "selector label"


class AnnotationRows(PairRows):
    """Values of several lines, with their blanks."""

    columns = (Column("key", "key", "example.com/owner"), Column("value", "value", long=True))
    noun = "annotation"

    def text(self, text: str) -> str:
        return text


class QuantityRows(PairRows):
    columns = (
        Column("resource", "resource", "cpu"),
        Column("amount", "quantity", "250m, 4, 1536Mi, 16Gi", amount_of="resource"),
    )
    noun = "resource"


class ListRows(RowsField):
    """A list of mappings. A row knows its place in the list, so what its columns do not tell of stays with it."""

    numbers: tuple[str, ...] = ()

    def rows(self, part: Any) -> Rows:
        return Rows({**self.row(one), WAS: str(place)} for place, one in enumerate(_list(part)))

    def written(self, rows: Rows, part: Any) -> Any:
        before = _list(part)
        made = [self.entry(place, row, _was(row, before)) for place, row in enumerate(rows)]
        return part if made == before else made

    def row(self, one: dict[str, Any]) -> Row:
        return {column.name: shown(one.get(column.name)) for column in self.columns}

    def entry(self, place: int, row: Row, before: dict[str, Any]) -> dict[str, Any]:
        made = dict(before)
        for column in self.columns:
            text: Any = row[column.name].strip()
            if text and column.name in self.numbers:
                text = number(place, column.label, text)
            set_or_drop(made, column.name, text)
        return made


class TaintRows(ListRows):
    columns = (
        Column("key", "key", "dedicated"),
        Column("value", "value", "batch"),
        Column("effect", "effect", choices=("", *EFFECTS)),
    )
    noun = "taint"


class TolerationRows(ListRows):
    columns = (
        Column("key", "key", "dedicated"),
        Column("operator", "operator", choices=("", "Equal", "Exists")),
        Column("value", "value", "batch"),
        Column("effect", "effect", choices=("", *EFFECTS)),
        Column("tolerationSeconds", "seconds", "300"),
    )
    numbers = ("tolerationSeconds",)
    noun = "toleration"


def shown(value: Any) -> str:
    """A scalar as the text of a field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(quantity.string_form(value))
    return "" if value is None else str(value)


def kept(before: Any, text: str) -> Any:
    """The value as it was written before, where the text still says the same (`110` may be a number)."""
    return before if before is not None and shown(before) == text else text


def set_or_drop(place: dict[str, Any], name: str, value: Any) -> None:
    """Write a value that differs from what is there; nothing at all is taken out."""
    if shown(place.get(name)) == shown(value):
        return
    if value == "":
        place.pop(name, None)
    else:
        place[name] = value


def number(place: int, label: str, text: str) -> int:
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 18:
        raise fault_at(place, f'Row {place + 1}: {label}: Invalid value: "{text}": must be a whole number')
    return int(text)


def _mapping(part: Any) -> dict[str, Any]:
    return part if isinstance(part, dict) else {}


def _list(part: Any) -> list[dict[str, Any]]:
    return [one for one in part if isinstance(one, dict)] if isinstance(part, list) else []


def _was(row: Row, before: list[dict[str, Any]]) -> dict[str, Any]:
    place = row.get(WAS, "")
    return before[int(place)] if place.isascii() and place.isdigit() and int(place) < len(before) else {}
