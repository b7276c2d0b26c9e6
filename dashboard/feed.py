"""What one browser is still to be told: at most one frame under way, the newest state wins, ten frames a second.

Memory a socket can hold is bounded by one frame and one cycle's progress, however slow its browser is.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

FRAMES_PER_SECOND = 8.0
BURST = 2  # with the rate above: never more than ten frames in any second
PROGRESS_AFTER = 0.1  # a cycle that is over sooner is told as a whole
PROGRESS_EVERY = 0.25  # leaves the next frame to news
ACK_DEADLINE = 30.0  # seconds after which a browser that does not acknowledge is let go


class Stalled(Exception):  # noqa: N818 - a state of the browser, not a fault of ours
    """The browser has not acknowledged its last frame in time."""


class Feed:
    """Fed by the channel layer and the browser, drained by one task. `seq`: what the browser holds."""

    def __init__(self, seq: int, clock: Callable[[], float] = monotonic) -> None:
        self.seq = self.newest = seq
        self.progress: dict[str, Any] | None = None
        self.touched = False
        self._progress_due = 0.0
        self._clock = clock
        self._tokens, self._filled = float(BURST), clock()
        self._wake = asyncio.Event()
        self._acknowledged = asyncio.Event()
        self._acknowledged.set()

    def news(self, seq: int) -> None:
        self.newest = max(self.newest, seq)
        self.touched = True  # seq stays the same where only the run state changed
        self._wake.set()

    def add_progress(self, progress: dict[str, Any]) -> None:
        if self.progress is None or self.progress["cycle"] != progress["cycle"]:
            self._progress_due = max(self._progress_due, self._clock() + PROGRESS_AFTER)
        self.progress = merged(self.progress, progress)
        self._wake.set()

    def acknowledge(self, seq: int | None = None) -> None:
        """The browser has painted its frame. With `seq` it says what it holds, after having fetched state itself."""
        if seq is not None and 0 <= seq <= self.newest:
            self.seq = seq
        self._acknowledged.set()

    async def turn(self) -> None:
        """Return when there is something to send and it may be sent. Raises Stalled."""
        await self._something_due()
        try:
            await asyncio.wait_for(self._acknowledged.wait(), ACK_DEADLINE)
        except TimeoutError:
            raise Stalled from None
        await asyncio.sleep(self._delay())
        self._wake.clear()
        self._acknowledged.clear()

    def take_news(self) -> tuple[int, int] | None:
        """(from, to) of the news to send now; progress older than it is dropped."""
        if not self.touched:
            return None
        self.touched, self.progress = False, None
        span = self.seq, self.newest
        self.seq = self.newest
        return span

    def take_progress(self) -> dict[str, Any] | None:
        progress, self.progress = self.progress, None
        self._progress_due = self._clock() + PROGRESS_EVERY
        return progress

    def skip(self) -> None:
        """Nothing was sent after all: no acknowledgement will come."""
        self._acknowledged.set()

    async def _something_due(self) -> None:
        """News are due at once, progress when a cycle takes its time."""
        while True:
            await self._wake.wait()
            left = self._progress_due - self._clock()
            if self.touched or self.progress is None or left <= 0:
                return
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), left)
            self._wake.set()

    def _delay(self) -> float:
        """Take a token from the bucket; seconds to wait for it."""
        now = self._clock()
        self._tokens = min(BURST, self._tokens + (now - self._filled) * FRAMES_PER_SECOND)
        self._filled = now
        self._tokens -= 1
        return max(0.0, -self._tokens / FRAMES_PER_SECOND)


def merged(held: dict[str, Any] | None, progress: dict[str, Any]) -> dict[str, Any]:
    """Two progress messages of one cycle as one: the newer words, all cells and tasks. No cell is kept twice."""
    if held is None or held["cycle"] != progress["cycle"]:
        return progress
    cells = {_cell_key(cell): cell for cell in [*held["cells"], *progress["cells"]]}
    tasks = {(task["kind"], task["label"]): task for task in [*held["tasks"], *progress["tasks"]]}
    return {**progress, "cells": list(cells.values()), "tasks": list(tasks.values())}


def _cell_key(cell: dict[str, Any]) -> tuple[Any, ...]:
    return ("rows", *cell["rows"]) if "rows" in cell else ("algorithm", cell["algorithm"])
