"""How large a case may be: one that is played in the time of a page, and understood by a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dashboard.learn.lesson import Lesson

MOST = {"nodes": 40, "objects": 300, "choices": 60, "changes": 8, "steps": 100}
MOST_REPLICAS, MOST_PODS = 200, 2_000
COUNTS = ("replicas", "parallelism", "completions", "count")


def bounds(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """(field, what is too much)."""
    head = lesson.head
    sizes = {
        "nodes": ("", sum(one["kind"] == "Node" for one in lesson.objects)),
        "objects": ("", len(lesson.objects)),
        "choices": ("choices", len(lesson.choices)),
        "changes": ("tasks", len(head.tasks)),
        "steps": ("scenario", len(head.scenario)),
    }
    for what, (field, size) in sizes.items():
        if size > MOST[what]:
            yield field, f"a case has at most {MOST[what]} {what}, and this one has {size:,}"
    if not sizes["nodes"][1]:
        yield "", "a case needs a node, and this one has none"
    changes = [patch for task in head.tasks for patch in task.change]
    counts = list(_counts([*lesson.objects, *changes, *head.scenario]))
    if (most := max(counts, default=0)) > MOST_REPLICAS:
        yield "", f"a workload of a case makes at most {MOST_REPLICAS} pods, and this one has one of {most:,}"
    elif (total := sum(counts)) > MOST_PODS:
        yield "", f"the workloads of a case make at most {MOST_PODS:,} pods together, and those of this one {total:,}"


def _counts(value: Any) -> Iterator[int]:
    """Every number of pods that a manifest asks for, wherever it stands."""
    if isinstance(value, list):
        for inner in value:
            yield from _counts(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in COUNTS and isinstance(inner, int):
                yield inner
            yield from _counts(inner)
