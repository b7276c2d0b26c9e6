"""What is worth a try for a pod that waits: what each algorithm proposes for near misses, and what helps in general."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from scheduler.engine.explain.nearest import misses
from scheduler.engine.fixes.change import Candidate, Fix
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.growing import one_node_more
from scheduler.engine.fixes.moving import make_room
from scheduler.engine.fixes.near import Near
from scheduler.engine.fixes.priority import higher_priority
from scheduler.engine.framework import Int64Array

MOST, COMBINED, COMBINATIONS, OF_ONE_FILTER = 16, 3, 3, 6


def candidates(near: Near) -> list[Candidate]:
    """At most `MOST`, the easiest first."""
    if near.cycle.pre_filter_status.is_rejected:
        return in_order(_distinct((fix,) for fix in _of_pre_filter(near)))
    single = [*_near_misses(near), *_settled_by_one(near)]
    proposed = [(fix,) for fix in single or _combined(near)]
    found = _distinct([*proposed, *one_node_more(near), *make_room(near), *higher_priority(near)])
    return in_order(found)


def in_order(found: list[Candidate]) -> list[Candidate]:
    """At most `MOST`, the easiest first."""
    return sorted(found, key=lambda one: (one[0].effort, one[0].size))[:MOST]


def _near_misses(near: Near) -> Iterator[Fix]:
    for name in near.refused:
        rows = near.alone(name)
        if len(rows):
            yield from near.plugin(name).fixes(near.cycle, rows)[:OF_ONE_FILTER]


def _of_pre_filter(near: Near) -> Iterable[Fix]:
    """The algorithm that refused the pod as such is asked about all nodes."""
    plugin = near.cycle.line_up.plugins.get(near.cycle.pre_filter_status.plugin)
    return plugin.fixes(near.cycle, near.cycle.snapshot.columns.all_rows) if plugin is not None else []


def _settled_by_one(near: Near) -> Iterator[Fix]:
    """For nodes that several filters refuse for one and the same thing, as a cordon is a taint as well."""
    for names, rows in near.signatures(COMBINED):
        for one in near.plugin(names[0]).fixes(near.cycle, rows)[:OF_ONE_FILTER]:
            if {names[0], *one.settles} >= set(names):
                yield one


def _combined(near: Near) -> list[Fix]:
    """For nodes that several filters refuse: one change against each, on the nearest of them."""
    distance = misses(near.cycle).distance
    nearest = ((names, int(rows[distance[rows].argmin()])) for names, rows in near.signatures(COMBINED))
    found = (_of_all(near, names, np.array([row], np.int64)) for names, row in nearest)
    return list(islice((one for one in found if one is not None), COMBINATIONS))


def _of_all(near: Near, names: tuple[str, ...], row: Int64Array) -> Fix | None:
    settled, parts = set[str](), list[Fix]()
    for name in names:
        if name not in settled:
            fixes = near.plugin(name).fixes(near.cycle, row)
            if not fixes:
                return None
            parts.append(fixes[0])
            settled.update(fixes[0].settles)
    return together(parts) if len(parts) > 1 else parts[0]


def _distinct(found: Iterable[Candidate]) -> list[Candidate]:
    seen, kept = set[str](), list[Candidate]()
    for one in found:
        new = tuple(fix for fix in one if fix.id not in seen)
        seen.update(fix.id for fix in new)
        if new:
            kept.append(new)
    return kept
