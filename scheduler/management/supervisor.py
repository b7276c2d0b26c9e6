"""Keeps child processes running: starts them again after growing pauses, passes on what they say, ends them all."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_SECONDS = 60.0

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Linux ends the child when this process is killed outright, so not even `kill -9` leaves orphans."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass
class Child:
    """A supervised process. `grace`: seconds it may take to end by itself. `before`: done ahead of each start.
    `serves`: others need it until they have ended."""

    name: str
    command: Sequence[str]
    grace: float = 5.0
    pass_fds: Sequence[int] = ()
    before: Callable[[], None] | None = None
    serves: bool = False
    process: "subprocess.Popen[str] | None" = field(default=None, init=False)
    started: float = field(default=0.0, init=False)
    pause: float = field(default=0.0, init=False)
    due: float = field(default=0.0, init=False)

    def start(self) -> None:
        """In a session of its own: a Ctrl-C in the terminal reaches Podium alone, which ends its children in order."""
        if self.before:
            self.before()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=tuple(self.pass_fds),
            start_new_session=True,
            preexec_fn=_die_with_parent,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.started = time.monotonic()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def ask_to_end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def end(self) -> bool:
        """Wait until it has ended, and make it and whatever it started end; whether it went by itself."""
        if self.process is None:
            return True
        try:
            self.process.wait(self.grace)
            willing = True
        except subprocess.TimeoutExpired:
            willing = False
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        return willing


class Supervisor:
    """`say` prints a line for people. Start and restart happen in the thread that calls `start` and `tend`: on Linux a
    child lives no longer than the thread that started it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.children: list[Child] = []

    def start(self, child: Child) -> None:
        child.start()
        self.children.append(child)
        self._listen(child)

    def tend(self) -> None:
        """Notice who has died, and start again whose pause is over. Call it a few times a second."""
        now = time.monotonic()
        for child in self.children:
            if child.running:
                continue
            if not child.due:
                self._mourn(child, now)
            elif now >= child.due:
                child.due = 0.0
                child.start()
                self._listen(child)

    def stop(self) -> None:
        """End the children: first, side by side, those that use others, then those that serve them."""
        for serves in (False, True):
            ending = [child for child in reversed(self.children) if child.serves is serves]
            for child in ending:
                child.ask_to_end()
            for child in ending:
                if not child.end():
                    self._say(f"{child.name} did not end within {child.grace:g} s and was killed.")

    def kill(self) -> None:
        """At once, for somebody who will not wait."""
        for child in self.children:
            child.grace = 0
            if child.running and child.process is not None:
                child.process.kill()

    def _mourn(self, child: Child, now: float) -> None:
        steady = now - child.started > STEADY_SECONDS
        child.pause = FIRST_PAUSE if steady or not child.pause else min(child.pause * 2, LONGEST_PAUSE)
        child.due = now + child.pause
        child.end()
        code = child.process.returncode if child.process else 0
        self._say(f"{child.name} ended unexpectedly ({_cause(code)}); starting it again in {child.pause:g} s.")

    def _listen(self, child: Child) -> None:
        assert child.process is not None
        assert child.process.stdout is not None
        threading.Thread(target=self._relay, args=(child.name, child.process.stdout), daemon=True).start()

    def _relay(self, name: str, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                if line.strip():
                    self._say(f"{name:<7}| {line.rstrip()}")


def _cause(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
