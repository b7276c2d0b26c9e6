"""Commands on the clock: it moves from one due moment to the next, and each job fires at its own.

Source: v1.34.1, scheduling_queue.go Run, for the periods of the two flush jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.commands import AdvanceClock, AdvanceToNextTimer
from scheduler.engine.controllers.fire import completed, run_due
from scheduler.engine.errors import Refused
from scheduler.engine.events import ClockAdvanced
from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.clock import LATEST_US, first_tick_from
from scheduler.engine.simulation.objects import remove
from scheduler.engine.simulation.script import play_due

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

MOST_MOMENTS, MOST_EVENTS = 10_000, 100_000
"""How often something may fall due, and how much may happen, within one command: memory holds all its events."""


def advance(state: Simulation, command: AdvanceClock) -> None:
    """Let the clock run to a moment that has not passed yet. Raises Refused."""
    if command.to_us < state.now_us:
        raise Refused("The clock cannot go back; go back to an earlier event instead.")
    if command.to_us > LATEST_US:
        raise Refused("The clock ends with the year 9998: kube-scheduler's times have years of four digits.")
    pass_time(state, command.to_us)
    if state.recorded_us < state.now_us:
        state.emit(ClockAdvanced())


def advance_to_next_timer(state: Simulation, command: AdvanceToNextTimer) -> None:
    at_us = next_timer_us(state)
    if at_us is not None:
        advance(state, AdvanceClock(at_us))


def pass_time(state: Simulation, to_us: int) -> None:
    """Let the clock run to `to_us`, firing what is due on the way, that moment included. The next event records it.

    Controllers may find something to do for ever: after so much the clock stays where it is.
    """
    began = state.seq
    for _ in range(MOST_MOMENTS):
        if state.seq - began > MOST_EVENTS:
            return
        at_us = next_timer_us(state)
        if at_us is None or at_us > to_us:
            state.clock.now_us = to_us
            return
        state.clock.now_us = at_us
        fire(state)


def next_timer_us(state: Simulation) -> int | None:
    """The next moment after now at which a job would change anything; None if there is none before the clock ends."""
    moments = (
        _backoff_us(state),
        _leftover_us(state),
        state.departures.next_us(),
        state.agenda.next_us(),
        state.work.next_us(),
    )
    return min((moment for moment in moments if moment is not None and moment <= LATEST_US), default=None)


def flushed_us(state: Simulation, since_us: int) -> int | None:
    """The tick at which a pod that is unschedulable since then has been so for too long; None: there are no ticks."""
    late, period = since_us + state.settings.max_unschedulable_us + 1, state.settings.leftover_flush_us
    return first_tick_from(late, period, state.start_us) if period else None


def released_us(state: Simulation, queued: QueuedPod) -> int | None:
    """The first tick after now at which a pod has backed off for long enough; None: there are no ticks."""
    period, over = state.settings.backoff_flush_us, state.queue.backoff.over_us(queued.entry.backoff_expiry_us)
    return first_tick_from(max(over, state.now_us + 1), period, _backoff_origin(state)) if period else None


def fire(state: Simulation) -> None:
    """Everything that is due now, in a fixed order: backoff, leftovers, ends of lifetimes, scenario, controllers."""
    now, settings = state.now_us, state.settings
    if _is_tick(now, settings.backoff_flush_us, _backoff_origin(state)):
        state.control.flush_backoff_completed()
    if _is_tick(now, settings.leftover_flush_us, state.start_us):
        state.control.flush_unschedulable_leftover()
    for key in state.departures.take_due(now):
        namespace, _, name = key.partition("/")
        completed(state, state.pods[key])
        remove(state, "Pod", namespace, name, cause="completed")
    play_due(state)
    run_due(state)


def _is_tick(at_us: int, period_us: int, origin_us: int) -> bool:
    return period_us > 0 and (at_us - origin_us) % period_us == 0


def _backoff_origin(state: Simulation) -> int:
    """The job ticks at whole seconds of the clock, or counted from the start where backoffs are not aligned."""
    return 0 if state.queue.backoff.aligned else state.start_us


def _backoff_us(state: Simulation) -> int | None:
    """The first tick after now at which the head of a backoff heap has waited long enough."""
    queue, period = state.queue, state.settings.backoff_flush_us
    heads = [head for heap in (queue.backing_off, queue.error_backing_off) if (head := heap.peek()) is not None]
    if not heads or not period:
        return None
    return released_us(state, min(heads, key=lambda head: head.entry.backoff_expiry_us))


def _leftover_us(state: Simulation) -> int | None:
    """The first tick after now at which a pod has been unschedulable for too long.

    Gated pods stay where they are; they count only while their flush would at least leave its mark.
    """
    queue, period = state.queue, state.settings.leftover_flush_us
    if not period:
        return None
    moved_since = queue.move_request_cycle == queue.scheduling_cycle
    leaves_mark = len(queue.in_flight) > 0 or not (state.settings.queueing_hints or moved_since)
    places = (UNSCHEDULABLE, GATED) if leaves_mark else (UNSCHEDULABLE,)
    oldest = [at for place in places if (at := queue.unschedulable.oldest_us(place)) is not None]
    if not oldest:
        return None
    late = min(oldest) + state.settings.max_unschedulable_us + 1
    return first_tick_from(max(late, state.now_us + 1), period, state.start_us)
