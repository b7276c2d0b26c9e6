"""What one status of a UnitedDeployment tells beyond the one before it, in words: how a pass changed the world."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from scheduler.engine.objects.patch import merge_patch
from scheduler.engine.words import count, listed

Manifest = dict[str, Any]
Sign = Literal["controller", "held", "back"]


class Told(NamedTuple):
    """A sentence without its end, names in backticks. `sign`: a subset takes no more pods, or does so again."""

    text: str
    sign: Sign = "controller"


@dataclass(frozen=True)
class Standing:
    """`split`: replicas by subset. `held`: by subset that takes no more pods, what its condition says of it.

    `back`: by subset that takes pods again, the same.
    `replicas`: pods that are there, but for `reserved` ones; `updated` of them have the revision `asked`.
    """

    split: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    back: Mapping[str, str] = field(default_factory=dict)
    replicas: int = 0
    updated: int = 0
    reserved: int = 0
    current: str = ""
    asked: str = ""


def standing(status: Mapping[str, Any]) -> Standing:
    """`status`: as the log has it, in the layout of v1beta1."""
    subsets = [one for one in status.get("subsetStatuses") or () if isinstance(one, dict)]
    conditions = {str(one.get("name")): _schedulable(one) for one in subsets}
    return Standing(
        split={str(one.get("name")): one.get("replicas") or 0 for one in subsets},
        held={name: _message(one) for name, one in conditions.items() if one.get("status") == "False"},
        back={name: _message(one) for name, one in conditions.items() if one.get("status") == "True"},
        replicas=status.get("replicas") or 0,
        updated=status.get("updatedReplicas") or 0,
        reserved=status.get("reservedPods") or 0,
        current=status.get("currentRevision") or "",
        asked=status.get("updatedRevision") or "",
    )


def _schedulable(subset: Manifest) -> Manifest:
    return next((one for one in subset.get("conditions") or () if one.get("type") == "Schedulable"), {})


def _message(condition: Manifest) -> str:
    return str(condition.get("message") or condition.get("reason") or "")


def patched(status: Manifest, patch: Manifest) -> Manifest:
    """The status after an `ObjectPatched` of the log."""
    return merge_patch(status, patch.get("status") or {})


def told(before: Standing, after: Standing) -> list[Told]:
    """The weightiest first."""
    found = [
        Told(f"`{name}` became unschedulable: {after.held[name]}", "held")
        for name in after.held
        if name not in before.held
    ]
    found += [
        Told(f"`{name}` takes pods again: {after.back[name]}", "back") for name in before.held if name in after.back
    ]
    if before.split != after.split and any((*before.split.values(), *after.split.values())):
        found.append(Told(_split(before.split, after.split)))
    if before.asked != after.asked:
        found.append(Told(f"revision `{short(after.asked)}` is asked for"))
    elif before.updated != after.updated and after.replicas:
        found.append(Told(_updated(after)))
    if before.current and before.current != after.current:
        found.append(Told(f"revision `{short(after.current)}` is rolled out"))
    return found


def _updated(after: Standing) -> str:
    """Of the pods asked for: while one is replaced by another there are fewer, which is told."""
    there, asked = after.replicas + after.reserved, sum(after.split.values())
    tail = f", with {there} of them there" if there < asked else f", with {there} there" if there > asked else ""
    return f"{after.updated} of {count(asked, 'pod')} updated{tail}"


def _split(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """All numbers where they are few, else those that changed."""
    if not any(before.values()):
        before = {}
    changed = [name for name in {**before, **after} if before.get(name, 0) != after.get(name, 0)]
    if len(after) <= 5:
        numbers = ", ".join(map(str, after.values()))
        return f"split {', '.join(map(str, before.values()))} → {numbers}" if before else f"split {numbers}"
    parts = [f"`{name}` {before.get(name, 0)} → {after.get(name, 0)}" for name in changed[:3]]
    more = [f"{len(changed) - 3} more"] if len(changed) > 3 else []
    return f"split changed: {listed([*parts, *more])}"


def short(revision: str) -> str:
    """The hash of a revision, without the name before it."""
    return revision.rpartition("-")[2]
