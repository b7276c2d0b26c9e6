"""Fields that an API server does not know, as its field validation tells them: `unknown field "spec.nodeSelectr"`.

The names are in `fields.txt`, by type. Kinds that are not in it, such as those of a CRD, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.manifests.kinds import API_VERSIONS

Manifest = dict[str, Any]
Version = tuple[str, str]
"""apiVersion and kind, as they are written."""

_TABLE = Path(__file__).with_name("fields.txt")
_ALIKE = 0.75
_PLACE = re.compile(r"\[\d+\]")
MOST_LETTERS, MOST_FIELDS = 100, 50


@dataclass(slots=True, eq=False)
class Type:
    """`inner`: the types of those fields that hold objects, or lists of them."""

    names: frozenset[str]
    inner: dict[str, Type] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A field by its path, and the type of the object that it stands in."""

    path: str
    name: str
    of: Type

    def __str__(self) -> str:
        path = self.path if len(self.path) <= MOST_LETTERS else f"{self.path[:MOST_LETTERS]}…"
        return f'unknown field "{path}"' + (f", did you mean {self.meant}?" if self.meant else "")

    @property
    def meant(self) -> str:
        """The known field that it looks like, "" if it looks like none."""
        return _meant(self.name, self.of) if len(self.name) <= MOST_LETTERS else ""

    @property
    def everywhere(self) -> str:
        """The same path for every element of a list."""
        return _PLACE.sub("[]", self.path)


class UnknownField(Invalid):
    """Its words hold its path, so that is not told before them."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(f"strict decoding error: {unknown}")
        self.path = unknown.path


def unknown_fields(manifest: Manifest) -> list[Unknown]:
    """The first `MOST_FIELDS`, as they stand in the object. Values of a wrong type are left to others."""
    root = type_of(manifest)
    if root is None or not _has_unknown(manifest, root):
        return []
    return list(islice(_unknown(manifest, root), MOST_FIELDS))


def refused_fields(manifest: Manifest, stored: Manifest | None = None) -> list[Invalid]:
    """What `kubectl --validate=strict` would not send. What is `stored` already is nobody's slip of today."""
    found = unknown_fields(manifest)
    there = {one.everywhere for one in unknown_fields(stored)} if found and stored else set()
    return [UnknownField(one) for one in found if one.everywhere not in there]


def type_of(manifest: Manifest) -> Type | None:
    kind = manifest.get("kind")
    version = manifest.get("apiVersion") or (API_VERSIONS.get(kind) if isinstance(kind, str) else None)
    return kinds().get((version, kind)) if isinstance(version, str) and isinstance(kind, str) else None


@cache
def kinds() -> dict[Version, Type]:
    """The table, read when it is first asked for."""
    head, _, body = _TABLE.read_text("utf-8").partition("\n\n")[2].partition("\n\n")
    written = {name: fields.split() for name, fields in _lines(body)}
    types = {name: Type(frozenset(one.partition(":")[0] for one in fields)) for name, fields in written.items()}
    for name, fields in written.items():
        pairs = (one.partition(":") for one in fields)
        types[name].inner = {inner: types[of] for inner, _, of in pairs if of}
    roots = (line.replace(" =", "").split() for line in head.splitlines())
    return {(version, kind): types[name] for version, kind, name in roots}


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.replace("\n    ", " ").splitlines():
        name, _, rest = line.partition(" = ")
        yield name, rest


def _has_unknown(value: Manifest, of: Type) -> bool:
    """Without paths, as nearly every object has known fields only. Goes no deeper than types do."""
    names, types = of.names, of.inner
    for name, inner in value.items():
        if name not in names:
            return True
        if name not in types:
            continue
        for one in inner if inner.__class__ is list else (inner,):
            if one.__class__ is dict and _has_unknown(one, types[name]):
                return True
    return False


def _unknown(value: Any, root: Type) -> Iterator[Unknown]:
    rest: list[tuple[Any, Type, str]] = [(value, root, "")]
    while rest:
        value, of, path = rest.pop()
        found: list[tuple[Any, Type, str]] = []
        if isinstance(value, list):
            found = [(one, of, f"{path}[{place}]") for place, one in enumerate(value)]
        elif isinstance(value, dict):
            before = f"{path}." if path else ""
            yield from (Unknown(before + name, name, of) for name in value if name not in of.names)
            found = [(inner, of.inner[name], before + name) for name, inner in value.items() if name in of.inner]
        rest += reversed(found)


@lru_cache(maxsize=1024)
def _meant(name: str, of: Type) -> str:
    """Capitals first: `nodeselector` is the commonest slip."""
    same = [known for known in of.names if known.lower() == name.lower()]
    near = same or get_close_matches(name, sorted(of.names), 1, _ALIKE)
    return near[0] if near else ""
