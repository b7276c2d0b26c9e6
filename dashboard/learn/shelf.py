"""All cases by their names: those of the library, and those that people saved."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from dashboard.build.kept import Kept
from dashboard.learn.lesson import Lesson, library
from dashboard.learn.reading import CaseError, read_case
from scheduler.models import Case

KEPT = 64
_read: Kept[tuple[int, datetime], Lesson] = Kept(KEPT)


class Neighbour(NamedTuple):
    slug: str
    title: str


class Found(NamedTuple):
    """`case`: the row of one that somebody saved, None for the library's."""

    lesson: Lesson
    case: Case | None


def find(slug: str) -> Found | None:
    """Raises `CaseError` if what was saved is no case any more."""
    if lesson := library().get(slug):
        return Found(lesson, None)
    case = Case.objects.filter(slug=slug).first()
    if case is None:
        return None
    lesson = _read.of((case.pk, case.updated), lambda: read_case(f"{slug}.yaml", case.text, slug, strict=False))
    return Found(lesson, case)


def beside(slug: str) -> tuple[Neighbour | None, Neighbour | None]:
    """The cases before and after it, among those of its kind."""
    ours = [Neighbour(one.slug, one.head.title) for one in library().values()]
    shelf = ours if slug in library() else [Neighbour(*row) for row in Case.objects.values_list("slug", "title")]
    place = [one.slug for one in shelf].index(slug)
    return (shelf[place - 1] if place else None), (shelf[place + 1] if place + 1 < len(shelf) else None)


__all__ = ["CaseError", "Found", "Neighbour", "beside", "find"]
