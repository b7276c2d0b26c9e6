"""Wakes a sleeping runner: something was written to a cluster, or something is wanted of it."""

import time
from contextlib import suppress
from typing import Any

from scheduler.execution.redis import SOCKET_SECONDS, Unavailable, client

CHANNEL = "podium:doorbell"
REDIAL_SECONDS = 2.0


def ring(cluster_id: int) -> None:
    """Only a hint: a runner that misses it looks by itself after a second or so."""
    with suppress(*Unavailable):
        client().publish(CHANNEL, str(cluster_id))


class Doorbell:
    """Hears the rings. Without Redis it just sleeps, and dials again now and then."""

    def __init__(self) -> None:
        self._line: Any = None
        self._redial = 0.0

    def wait(self, seconds: float) -> bool:
        """Until somebody rings, `seconds` at most; whether somebody did. Rings since the last wait count."""
        deadline = time.monotonic() + seconds
        try:
            line = self._connected()
            rung = line is not None and self._listen(line, deadline)
        except Unavailable:
            self._hang_up()
            rung = False
        if not rung:
            time.sleep(max(0.0, deadline - time.monotonic()))
        return rung

    def _listen(self, line: Any, deadline: float) -> bool:
        rung = False
        while not rung and (left := deadline - time.monotonic()) > 0:
            rung = _hears(line, min(left, SOCKET_SECONDS))
        while _hears(line, 0):
            rung = True  # one visit answers everybody who rang
        return rung

    def close(self) -> None:
        with suppress(*Unavailable):
            self._hang_up()

    def _connected(self) -> Any:
        if self._line is None and time.monotonic() >= self._redial:
            self._redial = time.monotonic() + REDIAL_SECONDS
            line = client().pubsub()  # type: ignore[no-untyped-call]
            line.subscribe(CHANNEL)
            self._line = line
        return self._line

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()


def _hears(line: Any, seconds: float) -> bool:
    try:
        return line.get_message(ignore_subscribe_messages=True, timeout=seconds) is not None
    except (TypeError, ValueError) as fault:  # redis-py polls the socket of a connection that it has just lost
        raise ConnectionError(str(fault)) from fault
