"""Progress of long work on a terminal: one line that is written over; silence where nobody watches."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

EVERY_SECONDS = 0.1
CLEAR = "\r\x1b[K"


@contextmanager
def told_on(stream: Any) -> Iterator[Callable[[str, int, int], None]]:
    """A function of stage, done and total (0 = unknown) that says so on `stream`, if that is a terminal."""
    if not stream.isatty():
        yield lambda stage, done, total: None
        return
    last = 0.0

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY_SECONDS:
            last = now
            stream.write(f"{CLEAR}{stage} {_amount(done, total)}", ending="")
            stream.flush()

    try:
        yield tell
    finally:
        stream.write(CLEAR, ending="")
        stream.flush()


def _amount(done: int, total: int) -> str:
    if total:
        return f"{done:,} of {total:,} ({100 * done // total} %)"
    return f"{done:,}" if done else ""
