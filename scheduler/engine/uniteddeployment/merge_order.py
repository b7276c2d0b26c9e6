"""The order of a list after a strategic merge: items of the patch in its order, all others where they stood before."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any


def identity(item: Any, key: str | None) -> Hashable:
    """What tells items of a list apart: the value of their merge key, or the plain value itself."""
    found = item.get(key) if key is not None and isinstance(item, dict) else item
    return found if isinstance(found, Hashable) else repr(found)


def positions(items: Sequence[Any], key: str | None) -> dict[Hashable, int]:
    return {identity(one, key): number for number, one in enumerate(items)}


def in_order(items: Sequence[Any], order: Sequence[Any], key: str | None) -> bool:
    """Whether every item is in `order`, and none before one that precedes it there."""
    place = positions(order, key)
    places = [place.get(identity(one, key), -1) for one in items]
    return -1 not in places and places == sorted(places)


def joined_order(merged: Sequence[Any], patch: Sequence[Any], original: Sequence[Any], key: str | None) -> list[Any]:
    """Heads of both lists are compared: the original's goes first only if both were there and it stood earlier."""
    first, before = positions(patch, key), positions(original, key)
    named = sorted((one for one in merged if identity(one, key) in first), key=lambda one: first[identity(one, key)])
    others = [one for one in merged if identity(one, key) not in first]
    others.sort(key=lambda one: before.get(identity(one, key), len(before)))
    joined = []
    while named and others:
        right, left = before.get(identity(named[0], key)), before.get(identity(others[0], key))
        earlier = right is not None and left is not None and left < right
        joined.append(others.pop(0) if earlier else named.pop(0))
    return [*joined, *named, *others]
