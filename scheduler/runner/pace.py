"""Virtual time against real time: where the virtual clock of a run should stand, and how long to sleep until then."""

import time
from dataclasses import dataclass, field


@dataclass
class Pace:
    """`speed`: virtual seconds a real second; 0 = flat out, no relation to real time. `zero_us`: virtual time now."""

    speed: float
    zero_us: int
    began: float = field(default_factory=time.monotonic)

    @property
    def flat_out(self) -> bool:
        return self.speed == 0

    def target_us(self) -> int:
        """Virtual µs that should be reached by now."""
        return self.zero_us + int((time.monotonic() - self.began) * self.speed * 1_000_000)

    def seconds_until(self, at_us: int) -> float:
        """Real seconds until virtual `at_us`; 0 if it has passed."""
        if self.flat_out:
            return 0.0
        due = self.began + (at_us - self.zero_us) / (self.speed * 1_000_000)
        return max(0.0, due - time.monotonic())
