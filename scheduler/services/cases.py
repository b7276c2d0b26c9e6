"""Teaching cases that people keep: stored under a name of their own, changed and deleted by whoever made them."""

import re
from collections.abc import Container

from django.contrib.auth.models import AbstractUser, AnonymousUser, User
from django.db import IntegrityError, transaction

from scheduler.engine.errors import Refused
from scheduler.models import Case
from scheduler.services.access import may_create

MOST_CASES = 500
SLUG_LENGTH = 56


def case_create(title: str, question: str, text: str, user: User, taken: Container[str] = ()) -> Case:
    """Stored under a free name made of its title. `taken`: names that mean something else. Raises `Refused`."""
    if Case.objects.count() >= MOST_CASES:
        raise Refused(f"There are {MOST_CASES} cases already: delete some first.")
    try:
        with transaction.atomic():
            slug = _free(title, taken)
            return Case.objects.create(slug=slug, title=title, question=question, text=text, user=user)
    except IntegrityError:
        raise Refused("Somebody else saved a case of this title at the same moment: save it again.") from None


def case_replace(case: Case, title: str, question: str, text: str) -> None:
    """The same case under the same address, with another text."""
    case.title, case.question, case.text = title, question, text
    case.save(update_fields=["title", "question", "text", "updated"])


def case_delete(case: Case) -> None:
    case.delete()


def may_change_case(user: AbstractUser | AnonymousUser, case: Case) -> bool:
    """Whoever made it, while allowed to make cases; and superusers."""
    return may_create(user) and (user.is_superuser or case.user_id == user.pk)


def _free(title: str, taken: Container[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:SLUG_LENGTH].strip("-") or "case"
    there = set(Case.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, MOST_CASES + 2))
    return next(name for name in names if name not in there and name not in taken)
