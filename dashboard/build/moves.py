"""Every move of the log, newest first: which pod went from where to where, by which event and hint."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from django.db.models import Q, QuerySet

from dashboard.build.records import counting
from scheduler import store
from scheduler.engine.queue.entry import IN_FLIGHT, NAMES, NOWHERE, PLACES
from scheduler.engine.simulation.moves import BOUND, GONE
from scheduler.engine.simulation.tally import TallyData
from scheduler.models import Cluster, Event

NEW = "new"
WORDS = {NEW: "new", **NAMES, BOUND: "placed", GONE: "gone"}
SOURCES, TARGETS = (NEW, *PLACES), (*PLACES, BOUND, GONE)
PAGE = 100


class Wanted(NamedTuple):
    """What to look for; "" means any. `lane`: either end; `source` and `target` exactly."""

    pod: str = ""
    lane: str = ""
    source: str = ""
    target: str = ""
    event: str = ""
    plugin: str = ""

    @property
    def is_by_pod(self) -> bool:
        return bool(self.pod)


class MoveLine(NamedTuple):
    """`cycle`: the attempt that the move belongs to; None for one that an event or a timer caused."""

    seq: int
    at_us: int
    pod: str
    source: str
    target: str
    cause: str
    hint: str
    cycle: int | None


class MovePage(NamedTuple):
    """`older`, `newer`: the seq to page on from; None where there is nothing."""

    lines: list[MoveLine]
    older: int | None
    newer: int | None


def moves(cluster: Cluster, wanted: Wanted, up_to: int, before: int | None, after: int | None) -> MovePage:
    """A page of the moves that count at event `up_to`: those below seq `before`, or the ones next above `after`."""
    rows = _filtered(cluster, wanted, up_to)
    if after is not None:
        found = list(rows.filter(seq__gt=after).order_by("seq")[: PAGE + 1])
        page, has_newer, has_older = found[:PAGE][::-1], len(found) > PAGE, True
    else:
        found = list((rows if before is None else rows.filter(seq__lt=before)).order_by("-seq")[: PAGE + 1])
        page, has_newer, has_older = found[:PAGE], before is not None, len(found) > PAGE
    lines = _lines(cluster, page)
    return MovePage(
        lines,
        lines[-1].seq if lines and has_older else None,
        lines[0].seq if lines and has_newer else None,
    )


def _filtered(cluster: Cluster, wanted: Wanted, up_to: int) -> QuerySet[Event]:
    """Only moves have a target. What an undo took back does not count."""
    rows = Event.objects.filter(counting(cluster.pk, up_to), cluster=cluster, target__gt="").only(
        "seq", "at_us", "object_key", "source", "target", "cause", "hint", "cycle"
    )
    if wanted.pod:
        rows = rows.filter(object_key=f"Pod/{wanted.pod}")
    if wanted.lane:
        rows = rows.filter(Q(source=_stored(wanted.lane)) | Q(target=wanted.lane))
    if wanted.source:
        rows = rows.filter(source=_stored(wanted.source))
    exactly = {"target": wanted.target, "cause": wanted.event, "hint": wanted.plugin}
    return rows.filter(**{name: value for name, value in exactly.items() if value})


def _stored(place: str) -> str:
    return NOWHERE if place == NEW else place


def _lines(cluster: Cluster, page: list[Event]) -> list[MoveLine]:
    attempts = _attempts(cluster, page)
    return [
        MoveLine(
            row.seq,
            row.at_us,
            row.object_key.removeprefix("Pod/"),
            row.source or NEW,
            row.target,
            row.cause,
            row.hint,
            row.cycle or _cycle_before(row, attempts),
        )
        for row in page
    ]


def _cycle_before(row: Event, attempts: Mapping[str, list[tuple[int, int]]]) -> int | None:
    if row.source != IN_FLIGHT:
        return None
    return next((cycle for seq, cycle in attempts.get(row.object_key, ()) if seq < row.seq), None)


def _attempts(cluster: Cluster, page: list[Event]) -> Mapping[str, list[tuple[int, int]]]:
    """(seq, cycle) of the pops of the pods that an attempt has just put back, newest first."""
    keys = {row.object_key for row in page if row.source == IN_FLIGHT and row.cycle is None}
    if not keys:
        return {}
    begun = Event.objects.filter(cluster=cluster, object_key__in=keys, kind="CycleStarted", seq__lte=page[0].seq)
    found: dict[str, list[tuple[int, int]]] = {}
    for key, seq, cycle in begun.order_by("-seq").values_list("object_key", "seq", "cycle"):
        found.setdefault(key, []).append((seq, cycle or 0))
    return found


def tally_of(cluster: Cluster, at: int | None = None) -> TallyData:
    """The counters at event `at`; those of the head lie in the cluster's row (none before its next event)."""
    if at is not None:
        with store.reading(cluster.pk, at) as simulation:
            return simulation.tally.dump()
    return msgspec.convert(cluster.tally, TallyData) if cluster.tally else TallyData()


def known_words(told: TallyData) -> tuple[list[str], list[str]]:
    """The events and the plugins that a filter can ask for."""
    return sorted({cause for _, _, cause, _, _ in told.moves}), sorted({hint for *_, hint, _ in told.moves if hint})


def total(told: TallyData, wanted: Wanted) -> int:
    """How many moves there are, of the counters alone: for all that is not asked by pod."""
    return sum(count for *move, count in told.moves if _counts(wanted, *move))


def _counts(wanted: Wanted, source: str, target: str, cause: str, hint: str) -> bool:
    lane = _stored(wanted.lane)
    return (
        (not wanted.lane or lane in (source, target))
        and (not wanted.source or source == _stored(wanted.source))
        and (not wanted.target or target == wanted.target)
        and (not wanted.event or cause == wanted.event)
        and (not wanted.plugin or hint == wanted.plugin)
    )
