"""The objects that a fix changes, before and after, for people to read and to copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from scheduler.engine.fixes.change import Arguments, Clone, Create, Edit, Patch, Restart
from scheduler.engine.fixes.making import Lookup, Making
from scheduler.engine.fixes.manifests import profile_of, with_arguments
from scheduler.engine.objects import ObjectKey

Action: TypeAlias = Literal["change", "add", "delete", "restart"]


@dataclass(frozen=True, slots=True)
class Change:
    """`before` and `after`: manifests, None where there is none to compare. Of an added object that is like another
    one, `before` is that other one.
    """

    action: Action
    key: ObjectKey
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


def changes(edits: Iterable[Edit], look_up: Lookup) -> Iterator[Change]:
    """The objects that these edits change, add, delete or restart, in order. `look_up`: manifests as they are now."""
    making = Making(look_up)
    for edit in edits:
        if isinstance(edit, Patch):
            yield Change("change", edit.key, making.present(edit.key), making.make(edit))
        elif isinstance(edit, Clone):
            yield Change("add", edit.made, making.present(edit.key), making.make(edit))
        elif isinstance(edit, Create):
            yield Change("add", edit.key, None, making.make(edit))
        elif isinstance(edit, Arguments):
            before = look_up(edit.key)
            after = with_arguments({"profiles": [before]}, edit)
            yield Change("change", edit.key, before, profile_of(after, edit.key[2]))
        else:
            yield Change("restart" if isinstance(edit, Restart) else "delete", edit.key)
