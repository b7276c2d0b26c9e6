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
from django.views.decorators.http import require_POST, require_safe

from dashboard.build.steps import NoSuchCell
from dashboard.learn.lesson import THEMES, Lesson, library
from dashboard.learn.page import opened, outcome, picture
from dashboard.views.common import NotThere, show
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.scenario import read_scenario
from scheduler.models import Cluster
from scheduler.services.access import may_create
from scheduler.services.clusters import cluster_create
from scheduler.services.scenarios import scenario_load

STAGES = ("filter", "score", "pick", "answer")


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """All lessons by theme."""
    lessons = sorted(library().values(), key=lambda one: (THEMES.index(one.head.theme), one.number))
    themes = [(theme, list(some)) for theme, some in groupby(lessons, key=lambda one: one.head.theme)]
    return show(request, "learn.html", "learn", themes=themes, total=len(lessons))


@require_safe
def lesson_page(request: HttpRequest, slug: str) -> HttpResponse:
    """`?guess=` is what somebody says; then `?stage=` opens at a stage, `?cell=NODE:ALGORITHM` a number."""
    lesson = found(slug)
    guess = request.GET.get("guess", "")
    tiles, waiting, others = picture(lesson)
    context: dict[str, Any] = {"lesson": lesson, "head": lesson.head, "tiles": tiles, "waiting": waiting}
    context["others"] = [_manifest(one) for one in others]
    context |= {"before": _beside(lesson, -1), "after": _beside(lesson, 1), "may_create": may_create(request.user)}
    if guess not in lesson.choices:
        return show(request, "lesson.html", "learn", **context, guess="")
    played = outcome(slug)
    tasks = [(task, outcome(slug, number)) for number, task in enumerate(lesson.head.tasks)]
    context |= {"guess": guess, "right": guess == played.answer, "played": played, "tasks": tasks}
    last = played.decisive
    node, _, algorithm = request.GET.get("cell", "").partition(":")
    if last is not None and node:
        try:
            context["cell"] = opened(last, node, algorithm)
        except NoSuchCell as fault:
            raise Http404(str(fault)) from None
    return show(request, "lesson.html", "learn", **context, last=last, stages=STAGES)


@require_POST
def lesson_open(request: HttpRequest, slug: str) -> HttpResponse:
    """The lesson as a cluster of its own, to play with."""
    lesson = found(slug)
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
        steps = read_scenario(slug, msgspec.json.encode(head.scenario).decode())
        scenario_load(cluster.pk, steps, actor=request.user.get_username())
    messages.success(request, f"{cluster.name} is the case “{head.title}” as a cluster of its own. Press S to step.")
    return redirect("board", cluster.name)


def _manifest(one: dict[str, Any]) -> dict[str, str]:
    return {"kind": one["kind"], "name": one["metadata"]["name"], "text": yaml.safe_dump(one, sort_keys=False)}


def found(slug: str) -> Lesson:
    lesson = library().get(slug)
    if lesson is None:
        raise NotThere(f"There is no case {slug}.", ("/learn/", "All cases"))
    return lesson


def _beside(lesson: Lesson, by: int) -> Lesson | None:
    lessons = list(library().values())
    place = lessons.index(lesson) + by
    return lessons[place] if 0 <= place < len(lessons) else None


def _names(slug: str) -> Iterator[str]:
    """`case-taint`, `case-taint-2`, …: those that are free."""
    taken = set(Cluster.objects.filter(name__startswith=f"case-{slug}").values_list("name", flat=True))
    names = (f"case-{slug}" if number == 1 else f"case-{slug}-{number}" for number in range(1, 10_000))
    yield from (name for name in names if name not in taken)
