"""A lesson as its file tells it: the first document says what is asked, the rest are the objects of its cluster."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from scheduler.engine.objects import merge_patch
from scheduler.manifests.limits import DEFAULT
from scheduler.manifests.unfold import unfold
from scheduler.manifests.yaml_reader import read_yaml

CASES = Path(__file__).with_name("cases")
PENDING = "Pending"
LANES = ("ActiveQ", "BackoffQ", "Unschedulable", "Gated", "on a node")

Manifest = dict[str, Any]
Ask = Literal["where", "next", "lane", "victim", "count"]
Theme = Literal["resources", "labels", "spread", "affinity", "scores", "queues", "preemption", "UnitedDeployments"]

THEMES: tuple[Theme, ...] = get_args(Theme)


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

    apiVersion: Literal["podium.dev/v1"]  # noqa: N815 - as in every Kubernetes object
    kind: Literal["Lesson"]
    title: str
    theme: Theme
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
    """`number`: its place in the library, 0 outside of it. `digest`: of its text; equal ones are the same case."""

    slug: str
    number: int
    head: Head
    objects: list[Manifest]
    digest: str

    @property
    def choices(self) -> list[str]:
        """What one may guess, in the order in which it is offered."""
        if self.head.choices:
            return self.head.choices
        if self.head.ask == "lane":
            return list(LANES)
        if self.head.ask == "next":
            return [named(one) for one in self.objects if one["kind"] == "Pod" and not one["spec"].get("nodeName")]
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


def named(manifest: Manifest) -> str:
    """Of a namespaced object: `shop/web-1`."""
    metadata = manifest["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata['name']}"


@cache
def library() -> dict[str, Lesson]:
    """All lessons by slug, in their order. Raises `msgspec.ValidationError` for a file that is not one."""
    files = sorted(CASES.glob("*.yaml"))
    lessons = (_read(number, file) for number, file in enumerate(files, 1))
    return {lesson.slug: lesson for lesson in lessons}


def _read(number: int, file: Path) -> Lesson:
    text = file.read_text("utf-8")
    head, *objects = [inner.value for item in read_yaml(file.name, text, DEFAULT) for _, inner in unfold(item)]
    return Lesson(file.stem.partition("-")[2], number, msgspec.convert(head, Head), objects, digest_of(text))


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def text_of(slug: str) -> str:
    """The file of a lesson of the library. Raises `KeyError`."""
    return sorted(CASES.glob("*.yaml"))[library()[slug].number - 1].read_text("utf-8")
