"""Where the virtual clock of a live run stands now, for every process that writes to its cluster.

The runner says so once; time then passes by the wall clock. Without Redis nobody knows, and the virtual clock moves
with the runner's own events only.
"""

import time
from contextlib import suppress
from typing import cast

import msgspec

from scheduler.execution.redis import Unavailable, client

TTL_SECONDS = 15
PAUSE_SECONDS = 5.0  # after a failure: a broker that hangs must not slow every command down
_silent_until = 0.0


class Beat(msgspec.Struct, array_like=True, frozen=True):
    """At Unix time `at` the virtual clock stood at `virtual_us`, moving `rate` virtual seconds a real one.

    `awaited_us`: the moment at which it waits for its runner; None where it goes on.
    """

    at: float
    virtual_us: int
    rate: float
    awaited_us: int | None = None

    def present_us(self) -> int:
        now_us = self.virtual_us + int((time.time() - self.at) * self.rate * 1_000_000)
        return now_us if self.awaited_us is None else min(now_us, self.awaited_us)


def say(cluster_id: int, virtual_us: int, rate: float, awaited_us: int | None = None) -> None:
    """The virtual time is `virtual_us` now. To be said again before `TTL_SECONDS` are over."""
    beat = Beat(time.time(), virtual_us, rate, awaited_us)
    with suppress(*Unavailable):
        client().set(_key(cluster_id), msgspec.json.encode(beat), ex=TTL_SECONDS)


def stop(cluster_id: int) -> None:
    with suppress(*Unavailable):
        client().delete(_key(cluster_id))


def present_us(cluster_id: int) -> int | None:
    """The virtual time now; None unless a runner drives the cluster at a speed."""
    found = beat(cluster_id)
    return found.present_us() if found else None


def beat(cluster_id: int) -> Beat | None:
    """What the runner said last; None unless one drives the cluster at a speed."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return None
    try:
        packed = cast("bytes | None", client().get(_key(cluster_id)))
    except Unavailable:
        _silent_until = time.monotonic() + PAUSE_SECONDS
        return None
    if packed is None:
        return None
    return msgspec.json.decode(packed, type=Beat)


def _key(cluster_id: int) -> str:
    return f"podium:pace:{cluster_id}"
