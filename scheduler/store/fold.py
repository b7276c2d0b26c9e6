"""Folding the log: from the nearest checkpoint to any seq, across resets, and writing checkpoints."""

from collections.abc import Iterator
from typing import NamedTuple

from scheduler.engine.codec import codec
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Checkpoint, Event

CHECKPOINT_EVERY = 2_000
CHUNK = 2_000


class Stretch(NamedTuple):
    """Events with first < seq ≤ last."""

    after: int
    last: int


def events_between(cluster_id: int, after: int, last: int) -> Iterator[Happened]:
    """The events with after < seq ≤ last, in order. Raises `LookupError` where the log has a hole."""
    rows = (
        Event.objects.filter(cluster_id=cluster_id, seq__gt=after, seq__lte=last)
        .order_by("seq")
        .values_list("seq", "at_us", "version", "kind", "payload")
    )
    seen = after
    for row in rows.iterator(CHUNK):
        if row[0] != seen + 1:
            break
        yield codec.event_from_row(*row)
        seen += 1
    if seen < last:
        raise LookupError(f"The log of cluster {cluster_id} has no event {seen + 1}.")


def last_reset(cluster_id: int, after: int, last: int) -> tuple[int, int] | None:
    """(seq, to_seq) of the newest reset in that stretch: what was before it no longer counts."""
    found = (
        Event.objects.filter(cluster_id=cluster_id, kind="Reset", seq__gt=after, seq__lte=last)
        .order_by("-seq")
        .values_list("seq", "payload")
        .first()
    )
    return (found[0], int(found[1]["to_seq"])) if found else None


def lineage(cluster_id: int, seq: int) -> list[Stretch]:
    """The stretches of the log, oldest first, whose events alone make up the state at `seq`."""
    stretches: list[Stretch] = []
    while reset := last_reset(cluster_id, 0, seq):
        stretches.append(Stretch(reset[0], seq))
        seq = reset[1]
    stretches.append(Stretch(0, seq))
    return stretches[::-1]


def born_seq(cluster_id: int) -> int:
    """The last event that was written together with the cluster itself: that of its first checkpoint."""
    first = Checkpoint.objects.filter(cluster_id=cluster_id).order_by("seq").values_list("seq", flat=True).first()
    return first or 1


def load(cluster_id: int, seq: int) -> Simulation:
    """The state at `seq`, made from the nearest checkpoint at or before it."""
    checkpoint = (
        Checkpoint.objects.filter(cluster_id=cluster_id, seq__lte=seq, format=codec.CHECKPOINT_FORMAT)
        .order_by("-seq")
        .first()
    )
    start = codec.decode_checkpoint(bytes(checkpoint.blob)) if checkpoint else Simulation()
    return catch_up(start, cluster_id, seq)


def catch_up(simulation: Simulation, cluster_id: int, seq: int) -> Simulation:
    """`simulation` moved on to `seq`. After a reset in between it is another object: use what is returned."""
    if simulation.seq >= seq:
        return simulation
    if reset := last_reset(cluster_id, simulation.seq, seq):
        reset_seq, to_seq = reset
        event = next(events_between(cluster_id, reset_seq - 1, reset_seq))
        simulation = load(cluster_id, to_seq)
        simulation.apply(event)
    for event in events_between(cluster_id, simulation.seq, seq):
        simulation.apply(event)
    return simulation


def has_shortcut(cluster_id: int, after: int, seq: int) -> bool:
    """Whether a checkpoint spares most of the way from `after` to `seq`."""
    if seq - after <= CHECKPOINT_EVERY:
        return False
    return Checkpoint.objects.filter(
        cluster_id=cluster_id, seq__gt=after + CHECKPOINT_EVERY // 2, seq__lte=seq, format=codec.CHECKPOINT_FORMAT
    ).exists()


def mark_of(simulation: Simulation) -> tuple[int, int]:
    """Changes with all that a careless reader could do to a state: events, and snapshots, which have a memory."""
    return simulation.seq, simulation.cluster.snapshot_number


def size_of(simulation: Simulation) -> int:
    """Objects held: what a copy of the state costs in memory and time."""
    return sum(map(len, simulation.cluster.objects.values()))


def checkpoint_due(simulation: Simulation) -> int:
    """Events that may pass between checkpoints: writing one costs as much as the cluster is large."""
    return max(CHECKPOINT_EVERY, size_of(simulation) // 4)


def checkpoint_write(cluster_id: int, simulation: Simulation, every: int = CHECKPOINT_EVERY) -> bool:
    """Keep `simulation`, which must be committed, if enough happened since the last checkpoint."""
    newest = Checkpoint.objects.filter(cluster_id=cluster_id, format=codec.CHECKPOINT_FORMAT, seq__lte=simulation.seq)
    since = newest.order_by("-seq").values_list("seq", flat=True).first() or 0
    if simulation.seq - since < every:
        return False
    checkpoint_save(cluster_id, simulation.seq, codec.encode_checkpoint(simulation))
    return True


def checkpoint_save(cluster_id: int, seq: int, blob: bytes) -> None:
    Checkpoint.objects.bulk_create(
        [Checkpoint(cluster_id=cluster_id, seq=seq, format=codec.CHECKPOINT_FORMAT, blob=blob)],
        ignore_conflicts=True,
    )
