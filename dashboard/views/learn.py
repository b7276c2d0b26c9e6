"""The case library: a question about a small cluster, a guess, the play, the explanation; and the case as a cluster."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec
import yaml
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from dashboard.build.steps import NoSuchCell
from dashboard.learn.lesson import THEMES, Lesson, library
from dashboard.learn.page import opened, outcome
from dashboard.learn.picture import picture
from dashboard.learn.shelf import CaseError, Found, beside, find
from dashboard.views.common import NotThere, show
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.scenario import read_scenario
from scheduler.models import Case, Cluster
from scheduler.services.access import may_create
from scheduler.services.cases import may_change_case
from scheduler.services.clusters import cluster_create
from scheduler.services.scenarios import scenario_load

STAGES = ("filter", "score", "pick", "answer")


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """All lessons by theme, and the cases that people saved."""
    lessons = sorted(library().values(), key=lambda one: (THEMES.index(one.head.theme), one.number))
    themes = [(theme, list(some)) for theme, some in groupby(lessons, key=lambda one: one.head.theme)]
    own = Case.objects.defer("text").select_related("user")
    return show(
        request, "learn.html", "learn", themes=themes, total=len(lessons), own=own, may_create=may_create(request.user)
    )


@require_safe
def lesson_page(request: HttpRequest, slug: str) -> HttpResponse:
    """`?guess=` is what somebody says; then `?stage=` opens at a stage, `?cell=NODE:ALGORITHM` a number.

    `?present` shows one stage after the other to many people, with or without a guess.
    """
    lesson, case = found(slug)
    guess = request.GET.get("guess", "")
    guess = guess if guess in lesson.choices else ""
    tiles, waiting, others = picture(lesson)
    before, after = beside(slug)
    context: dict[str, Any] = {
        "lesson": lesson,
        "head": lesson.head,
        "tiles": tiles,
        "waiting": waiting,
        "guess": guess,
    }
    context |= {"others": [_manifest(one) for one in others], "before": before, "after": after, "own": case}
    context |= {"present": "present" in request.GET, "may_create": may_create(request.user)}
    context["may_change"] = case is not None and may_change_case(request.user, case)
    if guess or context["present"]:
        context |= _played(request, lesson, guess)
    return show(request, "lesson.html", "learn", **context)


def _played(request: HttpRequest, lesson: Lesson, guess: str) -> dict[str, Any]:
    """What came of it, and maybe the number that is asked for."""
    played = outcome(lesson)
    last = played.decisive
    tasks = [(task, outcome(lesson, number)) for number, task in enumerate(lesson.head.tasks)]
    context = {"right": guess == played.answer, "played": played, "tasks": tasks, "last": last, "stages": STAGES}
    node, _, algorithm = request.GET.get("cell", "").partition(":")
    if last is not None and node:
        try:
            context["cell"] = opened(last, node, algorithm)
        except NoSuchCell as fault:
            raise Http404(str(fault)) from None
    return context


@require_POST
def lesson_open(request: HttpRequest, slug: str) -> HttpResponse:
    """The lesson as a cluster of its own, to play with."""
    lesson, _ = found(slug)
    if not may_create(request.user):
        raise PermissionDenied("You may not create clusters: log in, or ask for the permission to add clusters.")
    head = lesson.head
    cluster = cluster_create(
        next(_names(slug)),
        lesson.objects,
        seed=head.seed,
        configuration=head.configuration or None,
        settings=msgspec.convert(head.settings, Settings),
        description=f"Case: {head.title}",
        actor=request.user.get_username(),
    )
    if head.scenario:
        steps = read_scenario(slug, msgspec.json.encode(head.scenario).decode(), strict=False)
        scenario_load(cluster.pk, steps, actor=request.user.get_username())
    told = f"{cluster.name} is the case “{head.title}” as a cluster of its own: step, and see it decided."
    messages.success(request, told)
    return redirect("board", cluster.name)


def _manifest(one: dict[str, Any]) -> dict[str, str]:
    return {"kind": one["kind"], "name": one["metadata"]["name"], "text": yaml.safe_dump(one, sort_keys=False)}


def found(slug: str) -> Found:
    try:
        one = find(slug)
    except CaseError as fault:
        change = (reverse("case-edit", args=[slug]), "Mend it")
        raise NotThere(f"This case can no longer be read. {fault.faults[0].message}", change) from None
    if one is None:
        raise NotThere(f"There is no case `{slug}`.", ("/learn/", "All cases"))
    return one


def _names(slug: str) -> Iterator[str]:
    """`case-taint`, `case-taint-2`, …: those that are free."""
    taken = set(Cluster.objects.filter(name__startswith=f"case-{slug}").values_list("name", flat=True))
    names = (f"case-{slug}" if number == 1 else f"case-{slug}-{number}" for number in range(1, 10_000))
    yield from (name for name in names if name not in taken)
