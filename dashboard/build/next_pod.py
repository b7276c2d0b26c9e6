"""Which pod Pop takes next, and why that one, in one sentence. Names stand in backticks."""

from dashboard.text import age
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, IN_FLIGHT, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.simulation import Simulation

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
        return "No pod can be popped now: the waiting ones need an event or a timer."
    return "No pod waits to be scheduled."


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
