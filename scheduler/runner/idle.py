"""When a run has nothing left to do, and how to say so."""

from collections import Counter
from collections.abc import Iterable

from scheduler.engine.events import (
    CycleFinished,
    Event,
    ObjectAdded,
    ObjectDeleted,
    ObjectPatched,
    ObjectUpdated,
    ProfileChanged,
    ResetDone,
)
from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import age, count

FRUITLESS = 3
CONTROLLERS_US = 60_000_000
"""Flat out, how long after the last pod was bound controllers are still waited for."""
CHANGES = (CycleFinished, ObjectAdded, ObjectDeleted, ObjectPatched, ObjectUpdated, ProfileChanged, ResetDone)


class Failures:
    """How often each pod has failed since the cluster last changed. The same attempt again would fail again."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._bound_us: int | None = None

    def observe(self, events: Iterable[Event]) -> None:
        for event in events:
            happening = event.happening
            if isinstance(happening, CycleFinished) and happening.decision["outcome"] != "bound":
                self._count[happening.pod] += 1
            elif isinstance(happening, CHANGES):
                self._count.clear()
                if isinstance(happening, CycleFinished):
                    self._bound_us = event.at_us

    def fruitless(self, pod: str) -> bool:
        return self._count[pod] >= FRUITLESS

    def since_us(self, now_us: int) -> int:
        """When a pod was bound last, or this was first asked."""
        if self._bound_us is None:
            self._bound_us = now_us
        return self._bound_us


def is_idle(simulation: Simulation, failures: Failures, flat_out: bool) -> bool:
    """Whether nothing will ever change by itself.

    Flat out: no pod is to be tried, now or after a backoff; the flush of pods that have waited for five minutes is not
    run to, since the same attempt would fail again. At a speed such flushes are lived through, as in a real scheduler,
    and a run ends only when every waiting pod has failed three times since the last change. A run that nobody waits in
    goes on, asleep: it costs nothing, and a new pod is scheduled at once. Controllers are waited for; flat out only
    for a minute after the last pod was bound, since an adaptive one that has no room left would go on for ever.
    """
    if simulation.open_cycle is not None or simulation.departures.next_us() is not None or len(simulation.agenda):
        return False
    due_us = simulation.work.next_us()
    if due_us is not None and (not flat_out or due_us - failures.since_us(simulation.now_us) <= CONTROLLERS_US):
        return False
    waiting = [queued for queued in simulation.queue if queued.place != GATED]
    if flat_out:
        return all(failures.fruitless(queued.key) for queued in waiting if queued.place != UNSCHEDULABLE)
    return bool(waiting) and all(failures.fruitless(queued.key) for queued in waiting)


def reason(simulation: Simulation) -> str:
    """`Nothing left to do: 3 pods wait for an event.` A controller that is due later may still change something."""
    counts = simulation.queue.counts()
    failing = len(simulation.queue) - counts[UNSCHEDULABLE] - counts[GATED]
    parts = [
        _said(counts[UNSCHEDULABLE], "waits for an event", "wait for an event"),
        _said(counts[GATED], "is gated", "are gated"),
        _said(failing, "keeps failing", "keep failing"),
    ]
    told = ", ".join(filter(None, parts)) or "no pod waits"
    due_us = simulation.work.next_us()
    if due_us is not None:
        return f"Nothing to do for now: {told}; a controller is due in {age(due_us - simulation.now_us)}."
    return f"Nothing left to do: {told}."


def _said(number: int, one: str, many: str) -> str:
    return count(number, f"pod {one}", f"pods {many}") if number else ""
