"""Rows of the quantity tables."""

import json
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.values import quantity

Row = dict[str, Any]


def as_spelled(row: Row) -> Row:
    """The row with the number's own spelling: the table's writer turned `1e3` into 1000.0, but not in `string_form`."""
    was_exponent = row.get("format") == quantity.DECIMAL_EXPONENT and row.get("json") == "1000.0"
    return {**row, "json": row["string_form"]} if was_exponent else row


def _text(row: Row) -> str | None:
    """What the parser gets. A JSON text is trimmed, its escapes stay; what is no text or number is refused as JSON."""
    if "string" in row:
        return str(row["string"])
    value = row["json"]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)[1:-1].strip()
    return None if value is None else json.dumps(value)


def parsed(row: Row) -> Row:
    text = _text(row)
    try:
        amount = quantity.read(text)
    except Invalid as error:
        return {"valid": False, "error": str(error)}
    found = {
        "valid": True,
        "string_form": quantity.string_form(text),
        "canonical": quantity.canonical(text),
        "value": quantity.value(text),
        "milli_value": quantity.milli_value(text),
        "format": amount.format,
        "sign": quantity.sign(text),
    }
    exact = quantity.as_int64(text)
    return found if exact is None else found | {"as_int64": exact}


def undefined(row: Row) -> tuple[str, ...]:
    """Keys without a defined value: beyond int64 the real code overflows.

    A negative number that it holds as a big decimal overflows already where its nanos do.
    """
    if not row["valid"]:
        return ()
    amount = quantity.read(_text(row))
    size = abs(amount.value) * (quantity.NANO if amount.scale is None and amount.value < 0 else 1)
    if size > quantity.MAX_INT64:
        return ("value", "milli_value", "canonical", "string_form", "as_int64")
    return ("milli_value",) if size * 1000 > quantity.MAX_INT64 else ()


def arithmetic(row: Row) -> Row:
    a, b = row["a"], row["b"]
    order = quantity.compare(a, b)
    return {"cmp": order, "equal": order == 0, "sum": quantity.add(a, b), "difference": quantity.subtract(a, b)}
