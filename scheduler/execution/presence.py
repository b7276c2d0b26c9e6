"""Who is there: workers and runners sign a list in Redis again and again, so that nobody waits for one that is not."""

import logging
import os
import socket
import threading
from typing import Literal

from celery.signals import worker_ready, worker_shutting_down

from scheduler.execution.redis import Unavailable, client

log = logging.getLogger(__name__)
BEAT_SECONDS = 2
TTL_SECONDS = 7


class Presence:
    """Says every two seconds that a `role` ("worker", "runner") is alive, until `stop()`."""

    def __init__(self, role: str) -> None:
        self._key = f"podium:alive:{role}"
        self._name = f"{socket.gethostname()}:{os.getpid()}"
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"presence-{role}", daemon=True)

    def start(self) -> "Presence":
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stopped.set()
        try:
            client().zrem(self._key, self._name)
        except Unavailable as fault:
            log.info("No Redis to sign off at: %s", fault)

    def _beat(self) -> None:
        while not self._stopped.is_set():
            try:
                now = _server_time()
                client().zadd(self._key, {self._name: now + TTL_SECONDS})
                client().zremrangebyscore(self._key, "-inf", now)
            except Unavailable as fault:
                log.info("No Redis to report to: %s", fault)
            self._stopped.wait(BEAT_SECONDS)


def alive(role: str) -> bool | None:
    """Whether any process of this role is there; None when Redis does not answer, so nobody can know."""
    try:
        return bool(client().zcount(f"podium:alive:{role}", _server_time(), "+inf"))
    except Unavailable:
        return None


def _server_time() -> float:
    """Unix seconds by the server's clock: those of several machines may differ by more than a beat."""
    seconds, microseconds = client().time()
    return seconds + microseconds / 1_000_000


def executor_now() -> Literal["celery", "in_process"]:
    """Who would run map and reduce of a step now."""
    return "celery" if alive("worker") else "in_process"


def _worker_arrives(sender: object = None, **_: object) -> None:
    global _worker
    _worker = Presence("worker").start()


def _worker_leaves(**_: object) -> None:
    if _worker:
        _worker.stop()


_worker: Presence | None = None
worker_ready.connect(_worker_arrives)
worker_shutting_down.connect(_worker_leaves)
