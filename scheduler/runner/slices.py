"""What a run does with a cluster in one bounded slice of time."""

import time

from scheduler.engine.commands import AdvanceClock, AdvanceToNextTimer, Command, Schedule
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.runner.idle import Failures, is_idle
from scheduler.runner.pace import Pace
from scheduler.runner.stop import Stop

SLICE_SECONDS = 0.2


def work(
    simulation: Simulation, pace: Pace, failures: Failures, seconds: float = SLICE_SECONDS, stop: Stop | None = None
) -> list[Event]:
    """Schedule pods and let timers fire until nothing is due or the time is over. Returns the events of both.

    Raises Refused where the very first command is refused; after that, what was done before counts.
    """
    stop = stop or Stop()
    deadline = time.monotonic() + seconds
    events: list[Event] = []
    while time.monotonic() < deadline and stop.met is None:
        command = (
            _flat_out(simulation, failures, stop.at_us)
            if pace.flat_out
            else _paced(simulation, pace.target_us(), stop.at_us)
        )
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
        stop.look(simulation, made)
    return events


def next_due_us(simulation: Simulation, stop_us: int | None = None) -> int | None:
    """Virtual time of what comes next by itself: now if a pod can be popped, None if nothing ever does.

    `stop_us`: the moment at which the run is to stop, which nothing goes beyond.
    """
    if can_schedule(simulation):
        return simulation.now_us
    return min((at_us for at_us in (simulation.next_timer_us, stop_us) if at_us is not None), default=None)


def can_schedule(simulation: Simulation) -> bool:
    return simulation.open_cycle is not None or simulation.queue.head() is not None


def _flat_out(simulation: Simulation, failures: Failures, stop_us: int | None) -> Command | None:
    if can_schedule(simulation):
        return Schedule()
    if stop_us is not None:
        due = simulation.next_timer_us
        return AdvanceClock(stop_us if due is None else min(due, stop_us))
    return None if is_idle(simulation, failures, flat_out=True) else AdvanceToNextTimer()


def _paced(simulation: Simulation, target_us: int, stop_us: int | None) -> Command | None:
    due = next_due_us(simulation, stop_us)
    if due is None or due > target_us:
        return None
    return Schedule() if can_schedule(simulation) else AdvanceClock(due)
