"""What edits make of objects, one edit after the other: each finds what those before it have made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from scheduler.engine.fixes.change import Clone, Create, Patch
from scheduler.engine.fixes.manifests import Manifest, cloned, put
from scheduler.engine.objects import ObjectKey

Lookup: TypeAlias = Callable[[ObjectKey], Manifest]


class Making:
    """`look_up`: manifests as they are before the first edit."""

    def __init__(self, look_up: Lookup) -> None:
        self._look_up = look_up
        self._made: dict[ObjectKey, Manifest] = {}

    def present(self, key: ObjectKey) -> Manifest:
        return self._made[key] if key in self._made else self._look_up(key)

    def make(self, edit: Patch | Clone | Create) -> Manifest:
        """The object as the edit leaves it."""
        if isinstance(edit, Patch):
            key, manifest = edit.key, put(self.present(edit.key), edit.puts)
        elif isinstance(edit, Clone):
            key, manifest = edit.made, cloned(self.present(edit.key), edit)
        else:
            key, manifest = edit.key, edit.manifest
        self._made[key] = manifest
        return manifest
