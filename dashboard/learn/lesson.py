"""A lesson as its file tells it: the first document says what is asked, the rest are the objects of its cluster."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from scheduler.engine.objects import merge_patch
from scheduler.manifests.limits import DEFAULT
from scheduler.manifests.yaml_reader import read_yaml

CASES = Path(__file__).with_name("cases")
PENDING = "Pending"
LANES = ("ActiveQ", "BackoffQ", "Unschedulable", "Gated", "on a node")
THEMES = ("resources", "labels", "spread", "affinity", "scores", "queues", "preemption", "UnitedDeployments")

Manifest = dict[str, Any]
Ask = Literal["where", "next", "lane", "victim", "count"]


class Source(msgspec.Struct, frozen=True):
    text: str
    url: str


class Task(msgspec.Struct, frozen=True):
    """One thing changed: merge patches of objects by kind, namespace and name (new ones are added); what follows."""

    say: str
    change: list[Manifest]
    answer: str
    because: str


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`ask`: where `pod` ends; which pod is popped next; in which lane `pod` waits; which pod is evicted for `pod`; how
    many pods the `subset` of a UnitedDeployment gets. `scenario`: steps as in a scenario file, played by the clock.
    """

    apiVersion: str  # noqa: N815 - as in every Kubernetes object
    kind: str
    title: str
    theme: str
    level: Literal[1, 2, 3]
    minutes: int
    question: str
    ask: Ask
    answer: str
    explanation: str
    pod: str = ""
    subset: str = ""
    choices: list[str] = []
    tasks: list[Task] = []
    scenario: list[Manifest] = []
    configuration: Manifest = {}
    settings: Manifest = {}
    seed: int = 1
    source: Source | None = None

    @property
    def paragraphs(self) -> list[str]:
        """Of the explanation, each without its line breaks."""
        return [" ".join(part.split()) for part in self.explanation.split("\n\n")]


class Lesson(msgspec.Struct, frozen=True):
    """`number`: its place in the library."""

    slug: str
    number: int
    head: Head
    objects: list[Manifest]

    @property
    def choices(self) -> list[str]:
        """What one may guess, in the order in which it is offered."""
        if self.head.choices:
            return self.head.choices
        if self.head.ask == "lane":
            return list(LANES)
        if self.head.ask == "next":
            pods = (one for one in self.objects if one["kind"] == "Pod" and not one["spec"].get("nodeName"))
            return [key_of(one).removeprefix("Pod/") for one in pods]
        return [one["metadata"]["name"] for one in self.objects if one["kind"] == "Node"] + [PENDING]

    def changed(self, task: Task) -> list[Manifest]:
        """Its objects after a task's change."""
        made = {key_of(one): one for one in self.objects}
        for patch in task.change:
            key = key_of(patch)
            made[key] = merge_patch(made.get(key, {}), patch)
        return list(made.values())


def key_of(manifest: Manifest) -> str:
    """`Node/n1`, `Pod/shop/web-1`."""
    metadata = manifest["metadata"]
    return "/".join(filter(None, (manifest["kind"], metadata.get("namespace"), metadata["name"])))


@cache
def library() -> dict[str, Lesson]:
    """All lessons by slug, in their order. Raises `ValueError` for a file that is not one."""
    files = sorted(CASES.glob("*.yaml"))
    lessons = (_read(number, file) for number, file in enumerate(files, 1))
    return {lesson.slug: lesson for lesson in lessons}


def _read(number: int, file: Path) -> Lesson:
    documents = [item.value for item in read_yaml(file.name, file.read_text("utf-8"), DEFAULT)]
    head = msgspec.convert(documents[0], Head)
    if head.theme not in THEMES or head.kind != "Lesson":
        raise ValueError(f"{file.name}: not a Lesson of one of the themes {', '.join(THEMES)}")
    objects: list[Manifest] = []
    for document in documents[1:]:
        objects += document["items"] if document.get("kind") == "List" else [document]
    return Lesson(file.stem.partition("-")[2], number, head, objects)
