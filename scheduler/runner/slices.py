"""What a run does with a cluster in one bounded slice of time."""

import time

from scheduler.engine.commands import AdvanceClock, AdvanceToNextTimer, Command, Schedule
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.runner.idle import Failures, is_idle
from scheduler.runner.pace import Pace

SLICE_SECONDS = 0.2


def work(simulation: Simulation, pace: Pace, failures: Failures, seconds: float = SLICE_SECONDS) -> list[Event]:
    """Schedule pods and let timers fire until nothing is due or the time is over. Returns the events of both.

    Raises Refused where the very first command is refused; after that, what was done before counts.
    """
    deadline = time.monotonic() + seconds
    events: list[Event] = []
    while time.monotonic() < deadline:
        command = _flat_out(simulation, failures) if pace.flat_out else _paced(simulation, pace.target_us())
        try:
            made = simulation.handle(command) if command else []
        except Refused:
            if not events:
                raise
            break
        if not made:
            break
        failures.observe(made)
        events += made
    return events


def next_due_us(simulation: Simulation) -> int | None:
    """Virtual time of what comes next by itself: now if a pod can be popped, None if nothing ever does."""
    return simulation.now_us if _can_schedule(simulation) else simulation.next_timer_us


def _can_schedule(simulation: Simulation) -> bool:
    return simulation.open_cycle is not None or simulation.queue.head() is not None


def _flat_out(simulation: Simulation, failures: Failures) -> Command | None:
    if _can_schedule(simulation):
        return Schedule()
    return None if is_idle(simulation, failures, flat_out=True) else AdvanceToNextTimer()


def _paced(simulation: Simulation, target_us: int) -> Command | None:
    due = next_due_us(simulation)
    if due is None or due > target_us:
        return None
    return Schedule() if _can_schedule(simulation) else AdvanceClock(due)
