"""Filters that lists of several models share."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import AllValuesFieldListFilter


class NamedValues(AllValuesFieldListFilter):
    """All values of a field; that there is none is said by a word, not by an empty link."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            shown = str(choice["display"])
            yield {**choice, "display": f"none{shown}" if not shown or shown.startswith(" (") else shown}
