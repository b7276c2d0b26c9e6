"""Moving the virtual clock by hand, and what happens next by itself."""

from collections.abc import Sequence

from scheduler.engine.commands import AdvanceClock, AdvanceToNextTimer, PopPod, Schedule
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.commit import Committed, execute, write


def clock_advance(cluster_id: int, to_us: int | None = None, actor: str = "") -> Committed:
    """Move the clock to `to_us` (virtual µs), or to the next timer; what is due until then happens."""
    return execute(cluster_id, AdvanceToNextTimer() if to_us is None else AdvanceClock(to_us), actor=actor)


def event_step(cluster_id: int, actor: str = "") -> Committed:
    """The next thing that happens by itself, whatever it is.

    The end of the open cycle, else the Pop of the next pod, else the next timer. No event where nothing ever will.
    """

    def decide(simulation: Simulation) -> Sequence[Event]:
        if simulation.open_cycle is not None:
            return simulation.handle(Schedule())
        return simulation.handle(PopPod()) or simulation.handle(AdvanceToNextTimer())

    return write(cluster_id, decide, actor=actor)
