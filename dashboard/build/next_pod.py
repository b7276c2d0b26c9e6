"""Which pod Pop takes next, and why that one, in one sentence. Names stand in backticks."""

from collections.abc import Iterator

from dashboard.text import age, clock
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, IN_FLIGHT, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.time import flushed_us, released_us
from scheduler.engine.words import count

MILLI_US, SECOND_US = 1_000, 1_000_000


def next_pod(simulation: Simulation) -> str:
    """`shop/web-1` is next: …; or why none is."""
    queue = simulation.queue
    head, counts = queue.head(), queue.counts()
    if head is not None and head.place != ACTIVE:
        return f"`{head.key}` is next, early from BackoffQ, because ActiveQ is empty."
    if head is not None:
        return f"`{head.key}` is next: {before_others(simulation)}."
    if counts[IN_FLIGHT]:
        return "A pod is being scheduled; no other can be popped now."
    if counts[UNSCHEDULABLE] or counts[BACKOFF] or counts[ERROR_BACKOFF]:
        return f"No pod can be popped now: {_first_timer(simulation)}."
    return "No pod waits to be scheduled."


def _first_timer(simulation: Simulation) -> str:
    """Which flush comes first, when, and which of its pods goes first then."""
    found = [*_backing_off(simulation), *_left_over(simulation)]
    if not found:
        return "the waiting ones need an event"
    at_us = min(due_us for due_us, _ in found)
    due = sorted((queued for due_us, queued in found if due_us == at_us), key=lambda queued: queued.order)
    first, others = due[0], len(due) - 1
    comes = "the flush of Unschedulable comes first" if first.place == UNSCHEDULABLE else "the next backoff ends"
    before = f", before {count(others, 'other')}" if others else ""
    when = clock(at_us, simulation.start_us).removesuffix(".000")
    return f"unless an event wakes one earlier, {comes}, at {when}, and `{first.key}` goes first then{before}"


def _backing_off(simulation: Simulation) -> Iterator[tuple[int, QueuedPod]]:
    for place in (BACKOFF, ERROR_BACKOFF):
        for queued in simulation.queue.lane(place):
            if (at_us := released_us(simulation, queued)) is not None:
                yield at_us, queued


def _left_over(simulation: Simulation) -> Iterator[tuple[int, QueuedPod]]:
    for queued in simulation.queue.lane(UNSCHEDULABLE):
        if (at_us := flushed_us(simulation, queued.entry.timestamp_us)) is not None:
            yield max(at_us, simulation.now_us), queued


def before_others(simulation: Simulation) -> str:
    """Why the first pod of ActiveQ stands before the second."""
    head, *others = simulation.queue.lane(ACTIVE, 2)
    return _because(head, others[0]) if others else "no other pod is in ActiveQ"


def _because(head: QueuedPod, second: QueuedPod) -> str:
    if head.pod.priority > second.pod.priority:
        return f"its priority {head.pod.priority:,} is above all others (`{second.key}` has {second.pod.priority:,})"
    earlier = second.entry.timestamp_us - head.entry.timestamp_us
    if earlier > 0:
        return f"`{second.key}` has the same priority {head.pod.priority:,} and was queued {_span(earlier)} later"
    return f"`{second.key}` has the same priority and time, and stands behind it in the heap"


def _span(us: int) -> str:
    if us < MILLI_US:
        return f"{us} µs"
    return f"{us // MILLI_US} ms" if us < SECOND_US else age(us)
