"""People go before runs: whoever lost a race against a run asks its runner to wait until they have written.

Only a hint. Without Redis nobody hears it, and a writer finds a gap between the commits of a run by trying again.
"""

import secrets
import time
from contextlib import suppress
from types import TracebackType

from scheduler.execution.redis import Unavailable, client

ASK_SECONDS = 5.0  # how long a process that died still asks
PAUSE_SECONDS = 5.0  # after a failure: a broker that hangs must not slow a run down
_silent_until = 0.0


class Precedence:
    """A writer's place before the run, from the first `ask` to the end of the block."""

    def __init__(self, cluster_id: int) -> None:
        self._key, self._name, self._asks = _key(cluster_id), secrets.token_hex(8), False

    def __enter__(self) -> "Precedence":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._asks:
            with suppress(*Unavailable):
                client().zrem(self._key, self._name)

    def ask(self) -> None:
        """To be said again before `ASK_SECONDS` are over."""
        self._asks = True
        with suppress(*Unavailable), client().pipeline() as pipe:
            pipe.zadd(self._key, {self._name: time.time() + ASK_SECONDS})
            pipe.expire(self._key, int(ASK_SECONDS) + 1)
            pipe.execute()


def asked(cluster_id: int) -> bool:
    """Whether anybody asks the runner of this cluster to wait."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return False
    try:
        return client().zcount(_key(cluster_id), time.time(), "+inf") > 0
    except Unavailable:
        _silent_until = time.monotonic() + PAUSE_SECONDS
        return False


def _key(cluster_id: int) -> str:
    return f"podium:precedence:{cluster_id}"
