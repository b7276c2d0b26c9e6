"""Reads of the log for the screens: what is written about one cycle, and the latest cycles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Q

from dashboard.payloads.cycle import Outcome
from scheduler import store
from scheduler.engine.cycle.decision import Decision
from scheduler.models import Event

LOOKED_AT = 50
CYCLE_KINDS = ("CycleStarted", "PhaseReached", "CycleFinished")


@dataclass(slots=True)
class CycleRecord:
    """A cycle as the log tells it. `phase`: the last one shown; `decision`: None while it is open."""

    number: int
    pod: str = ""
    attempt: int = 0
    popped_seq: int = 0
    popped_us: int = 0
    phase: str = ""
    finished_seq: int | None = None
    finished_us: int | None = None
    decision: Decision | None = field(default=None, repr=False)

    @property
    def outcome(self) -> Outcome:
        return self.decision.outcome if self.decision else "open"


def cycle_record(cluster_id: int, number: int, up_to: int) -> CycleRecord | None:
    """Cycle `number` as it stood at event `up_to`; None if it had not begun."""
    rows = Event.objects.filter(cluster_id=cluster_id, cycle=number, kind__in=CYCLE_KINDS, seq__lte=up_to)
    return _folded(rows.order_by("seq")).get(number)


def ended_later(cluster_id: int, record: CycleRecord) -> CycleRecord | None:
    """An open cycle with the end that it came to after the moment that is looked at; None if it came to none."""
    rows = Event.objects.filter(cluster_id=cluster_id, cycle=record.number, kind__in=CYCLE_KINDS)
    found = _folded(rows.filter(seq__gte=record.popped_seq).order_by("seq")).get(record.number)
    return found if found is not None and found.popped_seq == record.popped_seq and found.decision else None


def counting(cluster_id: int, up_to: int) -> Q:
    """The events that count at `up_to`: what an undo took back does not."""
    stretches = Q()
    for stretch in store.lineage(cluster_id, up_to):
        stretches |= Q(seq__gt=stretch.after, seq__lte=stretch.last)
    return stretches


def last_cycle(cluster_id: int, up_to: int) -> int | None:
    """The number of the newest cycle that counts at `up_to`: one that was undone does not.

    Of a pod that is gone since only where there is no other of late.
    """
    begun = list(islice(_begun(cluster_id, up_to), LOOKED_AT))
    if not begun:
        return None
    gone = _gone(cluster_id, begun, up_to)
    return next((row.cycle for row in begun if row.cycle not in gone), begun[0].cycle)


def _begun(cluster_id: int, up_to: int) -> Iterator[Event]:
    """The beginnings of cycles that count, newest first."""
    for stretch in reversed(store.lineage(cluster_id, up_to)):
        begun = Event.objects.filter(cluster_id=cluster_id, kind="CycleStarted", seq__gt=stretch.after)
        yield from begun.filter(seq__lte=stretch.last).order_by("-seq").only("seq", "cycle", "object_key")[:LOOKED_AT]


def _gone(cluster_id: int, begun: Sequence[Event], up_to: int) -> set[int | None]:
    """Of these cycles, newest first, those that are over and whose pod was deleted afterwards."""
    after = Event.objects.filter(counting(cluster_id, up_to), cluster_id=cluster_id, seq__gt=begun[-1].seq)
    deletions = after.filter(kind="ObjectDeleted", object_key__in={row.object_key for row in begun}).order_by("seq")
    last = dict(deletions.values_list("object_key", "seq"))
    found = [row.cycle for row in begun if last.get(row.object_key, 0) > row.seq]
    return set(after.filter(kind="CycleFinished", cycle__in=found).values_list("cycle", flat=True)) if found else set()


def cycle_records(cluster_id: int, numbers: Iterable[int | None], up_to: int) -> list[CycleRecord]:
    """Several cycles as they stood at event `up_to`, newest first."""
    rows = Event.objects.filter(cluster_id=cluster_id, cycle__in=list(numbers), kind__in=CYCLE_KINDS, seq__lte=up_to)
    return sorted(_folded(rows.order_by("seq")).values(), key=lambda record: -record.popped_seq)


def _folded(rows: Iterable[Event]) -> dict[int, CycleRecord]:
    """Records by number. A number that an undo gave out twice keeps its latest cycle."""
    records: dict[int, CycleRecord] = {}
    for row in rows:
        number = row.cycle or 0
        if row.kind == "CycleStarted":
            pod, attempt = row.payload["pod"], row.payload["attempt"]
            records[number] = CycleRecord(number, pod, attempt, row.seq, row.at_us, phase="Pop")
        elif number not in records:
            continue
        elif row.kind == "PhaseReached":
            records[number].phase = row.payload["phase"]
        else:
            record = records[number]
            record.finished_seq, record.finished_us = row.seq, row.at_us
            record.decision = Decision.from_data(row.payload["decision"])
    return records
