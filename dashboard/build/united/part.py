"""Of very many subsets the page tells a part at a time: those that a search finds, a hundred a page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from dashboard.build.united.phases import Phase

AT_ONCE, READY = 100, 24


@dataclass(frozen=True)
class Part:
    """`names`: of all subsets. `find`: what their names were searched for. `page`: of those found."""

    names: Sequence[str]
    find: str
    page: Page[str]

    @property
    def shown(self) -> set[str]:
        return set(self.page.object_list)

    @property
    def is_all(self) -> bool:
        return len(self.page.object_list) == len(self.names)

    @property
    def is_empty(self) -> bool:
        """Whether a search found none."""
        return bool(self.names) and not self.page.object_list

    @property
    def is_searched(self) -> bool:
        """Whether there is a field to search in."""
        return bool(self.find) or len(self.names) > READY


def part(names: Sequence[str], given: Mapping[str, str]) -> Part:
    """`given`: of the address; `page` as Django's paginator takes it."""
    find = given.get("find", "").strip()
    found = [name for name in names if find in name]
    return Part(names, find, Paginator(found, AT_ONCE).get_page(given.get("page")))


def opened(one: Part, given: Mapping[str, str]) -> set[str]:
    """Those whose sums are made: all where they are few, else those that are open."""
    return one.shown if len(one.shown) <= READY else one.shown.intersection(given.get("sums", "").split(","))


def of_part(one: Part, found: Mapping[str, Any]) -> dict[str, Any]:
    """`found`: what the page tells of all; of its longest lists what is not of the part is left out."""
    shown = one.shown
    rows = [row for row in found["rows"] if row["name"] in shown]
    if one.is_all:
        return {**found, "shown": rows, "elsewhere": []}
    derivation = found["derivation"]
    if derivation is not None:
        passes = [_steps(given, shown) for given in derivation["passes"]]
        derivation = {**derivation, "passes": [given for given in passes if given["steps"]]}
    others = set(one.names) - shown
    fields = [field for field in found["changed"] if field.name.partition(".")[2] in others]
    return {
        **found,
        "shown": rows,
        "elsewhere": fields,
        "derivation": derivation,
        "phases": [_phase(given, others) for given in found["phases"]],
    }


def _steps(given: Mapping[str, Any], shown: Iterable[str]) -> dict[str, Any]:
    return {**given, "steps": [one for one in given["steps"] if one["step"].subset in shown]}


def _phase(given: Phase, others: set[str]) -> Phase:
    """What is told of a field of a subset begins with its name."""
    rows = [row for row in given.rows if row.of.partition(" ")[0] not in others]
    return Phase(given.slug, given.name, given.says, given.figure, given.state, rows, given.notes)
