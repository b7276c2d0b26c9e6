"""Two people changed one object: what each of them changed, and both changes together."""

from collections.abc import Iterator
from typing import Any

GONE = object()  # a field that is not there


def changed_paths(before: Any, after: Any, path: str = "") -> list[str]:
    """The fields that differ, as short as they can be told: `metadata.labels[team]`. Lists count as a whole."""
    return [where for where, _, _ in _changes(before, after, path)]


def merged(base: Any, mine: Any, theirs: Any) -> tuple[Any, list[str]]:
    """Both changes of `base`, and the fields that both changed differently, where mine is taken."""
    clashes: list[str] = []
    return _merged(base, mine, theirs, "", clashes), clashes


def _merged(base: Any, mine: Any, theirs: Any, path: str, clashes: list[str]) -> Any:
    if mine in (theirs, base):
        return theirs
    if theirs == base:
        return mine
    if not (isinstance(mine, dict) and isinstance(theirs, dict)):
        clashes.append(path)
        return mine
    before = base if isinstance(base, dict) else {}
    made = {}
    for name in [*theirs, *(name for name in mine if name not in theirs)]:
        was, own, other = (side.get(name, GONE) for side in (before, mine, theirs))
        value = _merged(was, own, other, below(path, name), clashes)
        if value is not GONE:
            made[name] = value
    return made


def _changes(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if before == after:
        return
    if not (isinstance(before, dict) and isinstance(after, dict)):
        yield path, before, after
        return
    for name in [*before, *(name for name in after if name not in before)]:
        yield from _changes(before.get(name, GONE), after.get(name, GONE), below(path, name))


def below(path: str, name: str) -> str:
    """A field of a field, as the API server names it: keys with dots and slashes stand in brackets."""
    if not path:
        return name
    return f"{path}.{name}" if name.isidentifier() else f"{path}[{name}]"
