"""How many states of one cluster may be lent at a time: each costs memory, and making one costs time."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Places:
    """A thread that holds a place may read other states of the same cluster: waiting for itself would be for ever."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._semaphores: dict[int, threading.BoundedSemaphore] = {}
        self._mutex = threading.Lock()
        self._mine = threading.local()

    @contextmanager
    def one(self, cluster_id: int) -> Iterator[None]:
        """Waits until a place is free."""
        held: Counter[int] = self._mine.__dict__.setdefault("held", Counter())
        semaphore = self._semaphore(cluster_id)
        if not held[cluster_id]:
            semaphore.acquire()
        held[cluster_id] += 1
        try:
            yield
        finally:
            held[cluster_id] -= 1
            if not held[cluster_id]:
                semaphore.release()

    def _semaphore(self, cluster_id: int) -> threading.BoundedSemaphore:
        with self._mutex:
            return self._semaphores.setdefault(cluster_id, threading.BoundedSemaphore(self._limit))
