"""What would make a pod fit, as plain data: edits of objects. Algorithms propose them; `trial` carries them out."""

from __future__ import annotations

from enum import IntEnum
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from scheduler.engine.objects import ObjectKey, Pod

Path: TypeAlias = tuple[str | int, ...]
CONFIGURATION = "KubeSchedulerConfiguration"


class Effort(IntEnum):
    """What a change asks of people, least first: the order in which a good colleague would think of it."""

    SLIP = 0
    """A likely slip of the pen."""
    SETTING = 1
    """A setting of the pod, nobody else is touched."""
    NODE = 2
    """A setting of a node."""
    GROW = 3
    """More hardware."""
    MOVE = 4
    """Pods start anew on other nodes."""
    GIVE_UP = 5
    """The pod gives up much of what it asked for."""
    EVICT = 6
    """Pods lose their place."""


class Put(msgspec.Struct, frozen=True):
    """A value at a path of a manifest, or nothing there any more where it is None."""

    path: Path
    value: Any = None


class Patch(msgspec.Struct, frozen=True, tag="patch"):
    """Change some fields of an object."""

    key: ObjectKey
    puts: tuple[Put, ...]


class Clone(msgspec.Struct, frozen=True, tag="clone"):
    """Add an object like another one, under a name of its own. A cloned node comes without pods."""

    key: ObjectKey
    name: str
    puts: tuple[Put, ...] = ()

    @property
    def made(self) -> ObjectKey:
        return (*self.key[:2], self.name)


class Create(msgspec.Struct, frozen=True, tag="create"):
    """Add an object; the manifest is as a user would write it."""

    key: ObjectKey
    manifest: dict[str, Any]


class Delete(msgspec.Struct, frozen=True, tag="delete"):
    """Delete an object."""

    key: ObjectKey


class Restart(msgspec.Struct, frozen=True, tag="restart"):
    """Delete a pod and make it anew, to be scheduled after the pod that needs its room."""

    key: ObjectKey


class Arguments(msgspec.Struct, frozen=True, tag="arguments"):
    """Change arguments of an algorithm in one profile. `key`: (CONFIGURATION, "", the profile's schedulerName)."""

    key: ObjectKey
    algorithm: str
    puts: tuple[Put, ...]


Edit: TypeAlias = Patch | Clone | Create | Delete | Restart | Arguments


class Fix(msgspec.Struct, frozen=True):
    """One change that may make the pod fit. `kind`: what sort it is, such as `tolerate`.

    `title`: an imperative sentence; names stand in backticks, what decides in `**`. `size`: orders fixes of one effort,
    less is better. `settles`: other filters whose refusal it settles as well. `note`: what else to know, a sentence.
    """

    kind: str
    title: str
    edits: tuple[Edit, ...]
    effort: Effort
    size: float = 0.0
    settles: tuple[str, ...] = ()
    note: str = ""

    @property
    def id(self) -> str:
        """Equal changes have equal ids, whatever they are called."""
        return sha256(msgspec.json.encode(self.edits)).hexdigest()[:12]


Candidate: TypeAlias = tuple[Fix, ...]
"""Fixes of one idea, the likeliest first: the first one that helps is told, the others are not tried."""


def pod_patch(pod: Pod, *puts: Put) -> tuple[Patch, ...]:
    return (Patch(pod_key(pod), puts),)


def node_patch(name: str, *puts: Put) -> tuple[Patch, ...]:
    return (Patch(("Node", "", name), puts),)


def pod_key(pod: Pod) -> ObjectKey:
    return ("Pod", pod.namespace or "default", pod.name)
