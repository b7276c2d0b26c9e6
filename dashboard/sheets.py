"""Tables as CSV. Spreadsheets take a text that begins like a formula for one: such a cell gets an apostrophe first."""

import csv
from collections.abc import Iterable
from typing import Any, TextIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(out: TextIO, rows: Iterable[Iterable[Any]]) -> None:
    csv.writer(out).writerows([_harmless(cell) for cell in row] for row in rows)


def _harmless(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(_FORMULA) and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
