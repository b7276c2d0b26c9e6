"""How long a failed pod waits: 1, 2, 4, 8, 10, 10, … seconds, counted in whole seconds of the clock.

Source: kube-scheduler v1.34.1, backend/queue/backoff_queue.go.
"""

from __future__ import annotations

import msgspec

from scheduler.engine.simulation.settings import SECOND_US


class Backoff(msgspec.Struct, frozen=True):
    """`aligned`: expiries and the clock are cut to the whole second, which is so while Pop may take from backoffQ."""

    initial_us: int = SECOND_US
    max_us: int = 10 * SECOND_US
    aligned: bool = True

    def duration_us(self, count: int) -> int:
        """The wait after the `count`-th failure, 0 where there was none."""
        if count <= 0 or self.max_us == 0:
            return 0
        if self.initial_us > self.max_us >> (count - 1):
            return self.max_us
        return self.initial_us << (count - 1)

    def align(self, at_us: int) -> int:
        return at_us - at_us % SECOND_US if self.aligned else at_us

    def expiry_us(self, failed_us: int, count: int) -> int:
        """The end of the wait that began at `failed_us`; 0 = no wait at all."""
        duration = self.duration_us(count)
        return self.align(failed_us + duration) if duration else 0

    def is_backing_off(self, expiry_us: int, now_us: int) -> bool:
        """A pod still waits during the whole second of its expiry."""
        return expiry_us >= self.align(now_us) and expiry_us != 0

    def over_us(self, expiry_us: int) -> int:
        """The first moment at which a pod with this expiry no longer waits."""
        return self.align(expiry_us) + SECOND_US if self.aligned else expiry_us + 1
