"""Filters that lists of several models share."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin import AllValuesFieldListFilter, ChoicesFieldListFilter

CLUSTER = "cluster__id__exact"


class NamedValues(AllValuesFieldListFilter):
    """All values of a field, of the chosen cluster alone; that there is none is said by a word, no empty link."""

    def __init__(self, field: Any, request: Any, params: Any, *args: Any, **named: Any) -> None:
        super().__init__(field, request, params, *args, **named)
        cluster = request.GET.get(CLUSTER, "")
        if cluster.isascii() and cluster.isdigit():
            self.lookup_choices = self.lookup_choices.filter(cluster=int(cluster))

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            shown = str(choice["display"])
            yield {**choice, "display": f"none{shown}" if not shown or shown.startswith(" (") else shown}


class ByState(ChoicesFieldListFilter):
    """Choices of a field whose own name is not the word for what it tells."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.title = "state"
