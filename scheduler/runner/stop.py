"""Where a run is to stop by itself, and whether it has come there."""

from collections.abc import Sequence

from scheduler.engine import until
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.until import Condition


class Stop:
    """`met`: the condition that has come true, None while the run goes on."""

    def __init__(self, conditions: Sequence[Condition] = ()) -> None:
        self.conditions = conditions
        self.at_us = until.stop_us(conditions)
        self.on_idle = any(one.what == "idle" for one in conditions)
        self.reads_log = any(one.is_momentary for one in conditions)
        self.met: Condition | None = None

    def look(self, simulation: Simulation, events: Sequence[Event]) -> bool:
        """Whether to stop here: `events` have just happened."""
        self.met = until.first_true(self.conditions, simulation, events)
        return self.met is not None

    def reason(self) -> str:
        return f"Stopped: {self.met.says()}." if self.met else ""
