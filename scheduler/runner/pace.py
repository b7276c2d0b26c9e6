"""Virtual time against real time: where the virtual clock of a run should stand, and how long to sleep until then."""

import time
from dataclasses import dataclass, field

LONGEST_WAIT_SECONDS = 3.0
"""In slow motion: the next moment of the clock comes within this real time, however far it is."""


def is_slow_motion(speed: float) -> bool:
    return 0 < speed < 1


def waiting_rate(speed: float, now_us: int, due_us: int | None) -> float:
    """Virtual seconds a real second while no pod can be tried, from `now_us` until `due_us` (None: nothing is to come).

    Slow motion is for cycles, which are to be watched; a wait keeps at least to real time.
    """
    if not is_slow_motion(speed):
        return speed
    distance_us = 0 if due_us is None else due_us - now_us
    return max(1.0, distance_us / (LONGEST_WAIT_SECONDS * 1_000_000))


@dataclass
class Pace:
    """`speed`: virtual seconds a real second; 0 = flat out, no relation to real time. `zero_us`: virtual time now.

    `waits`: in slow motion, while no pod can be tried. The clock then stops at `awaited_us`, when something falls due.
    """

    speed: float
    zero_us: int
    waits: bool = False
    awaited_us: int | None = None
    began: float = field(default_factory=time.monotonic)

    @property
    def flat_out(self) -> bool:
        return self.speed == 0

    @property
    def rate(self) -> float:
        """Virtual seconds a real second that pass now."""
        return waiting_rate(self.speed, self.zero_us, self.awaited_us) if self.waits else self.speed

    def target_us(self) -> int:
        """Virtual µs that should be reached by now."""
        target = self.zero_us + int((time.monotonic() - self.began) * self.rate * 1_000_000)
        return target if self.awaited_us is None else max(self.zero_us, min(target, self.awaited_us))

    def seconds_until(self, at_us: int) -> float:
        """Real seconds until virtual `at_us`; 0 if it has passed."""
        if self.flat_out:
            return 0.0
        due = self.began + (at_us - self.zero_us) / (self.rate * 1_000_000)
        return max(0.0, due - time.monotonic())

    def going_on(self, can_schedule: bool, due_us: int | None) -> "Pace":
        """The pace from here on. `due_us`: virtual time of what comes next by itself, None if nothing ever does."""
        waits = is_slow_motion(self.speed) and not can_schedule
        awaited_us = due_us if waits else None
        if (waits, awaited_us) == (self.waits, self.awaited_us):
            return self
        return Pace(self.speed, self.target_us(), waits, awaited_us)
