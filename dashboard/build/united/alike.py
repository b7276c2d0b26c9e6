"""Of many subsets those of which the same is told are told together."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from scheduler.engine.words import count, listed

SINGLE, NAMED = 12, 3
Thing = TypeVar("Thing")


def gathered(things: Iterable[tuple[Hashable, Thing]]) -> list[list[Thing]]:
    """Those of one key together, in the order of the first of them."""
    found: dict[Hashable, list[Thing]] = {}
    for key, thing in things:
        found.setdefault(key, []).append(thing)
    return list(found.values())


def named(names: Sequence[str]) -> str:
    """`pool-1, pool-2, pool-3 and 37 more`."""
    more = len(names) - NAMED
    return listed([*names[:NAMED], f"{more:,} more"]) if more > 1 else listed(names)


def split(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Lines of the split: `alike` is how many subsets a line tells of. `unsplit`: the subsets that have no line."""
    if len(rows) <= SINGLE:
        return {"split_rows": [{**row, "alike": 1} for row in rows], "unsplit": ""}
    groups = gathered((_words(row), row) for row in rows)
    lines = [{**one[0], "alike": len(one), "names": named([row["name"] for row in one])} for one in groups[:SINGLE]]
    left = sum(map(len, groups[SINGLE:]))
    return {"split_rows": lines, "unsplit": count(left, "more subset") if left else ""}


def _words(row: Mapping[str, Any]) -> Hashable:
    """All that a line says of a subset, but for its name."""
    held = row["condition"].status if row["condition"] is not None else ""
    return (
        held,
        *(row[name] for name in ("asked", "planned", "pods", "wait", "pending", "reason", "fails", "is_left")),
    )
