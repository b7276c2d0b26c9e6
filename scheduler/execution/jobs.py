"""A job of a cycle (one map range, one algorithm's reduce) and the two ways of getting it done."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, Self

from celery import Task, current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from scheduler.engine.cycle.score_errors import CellErrors
from scheduler.engine.framework import Int64Array
from scheduler.engine.words import count
from scheduler.execution.exchange import Exchange, Result
from scheduler.execution.redis import Unavailable
from scheduler.execution.report import CORE
from scheduler.execution.tasks import EXPIRES_SECONDS

log = logging.getLogger(__name__)
Unsendable = (*Unavailable, OperationalError)


@dataclass(frozen=True)
class Job:
    """`compute` does it in this process; `task` with `args` has a worker do it. It yields rows of `length` numbers.

    `needs`: rows that the worker's task looks up in the exchange, where they must be before it is sent. `first`: the
    place of the first of its nodes among the feasible ones.
    """

    name: str
    kind: Literal["map", "reduce"]
    label: str
    length: int
    task: Task
    args: tuple[Any, ...]
    compute: Callable[[], dict[str, Int64Array]]
    needs: dict[str, Int64Array] = field(default_factory=dict)
    first: int = 0


@dataclass(frozen=True)
class Done:
    """`cells`: errors that a worker met and went on from; in this process `compute` has written them down itself."""

    job: Job
    arrays: dict[str, Int64Array]
    worker: str
    started: float
    ended: float
    resent: bool = False
    cells: CellErrors = field(default_factory=dict)


class Executor(Protocol):
    """A context manager for one cycle. `note` says afterwards what did not go the usual way."""

    @property
    def name(self) -> Literal["celery", "in_process"]: ...

    note: str

    def run(self, jobs: Sequence[Job]) -> Iterator[Done]:
        """Every job exactly once, in the order of completion."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class InProcess(AbstractContextManager["InProcess"]):
    name: Final = "in_process"

    def __init__(self, note: str = "") -> None:
        self.note = note

    def __exit__(self, *_: object) -> None:
        """Nothing was put anywhere."""

    def run(self, jobs: Sequence[Job]) -> Iterator[Done]:
        return map(here, jobs)


class Workers(AbstractContextManager["Workers"]):
    """Sends jobs to Celery and is the barrier: what is missing at the deadline is sent once more, then done here."""

    name: Final = "celery"

    def __init__(self, exchange: Exchange) -> None:
        self.note = ""
        self._broker_failed = self._given_up = False
        self._exchange = exchange

    def __exit__(self, *_: object) -> None:
        if not self._broker_failed:
            with suppress(*Unavailable):
                self._exchange.close()

    def run(self, jobs: Sequence[Job]) -> Iterator[Done]:
        pending = {job.name: job for job in jobs}
        if not self._given_up:
            yield from self._by_workers(pending)
        if pending:
            # Who has missed two deadlines is not asked a third time: a cycle waits for two at most.
            self._given_up = True
            was = "was lost, so it was" if len(pending) == 1 else "were lost, so they were"
            self._tell(f"{len(pending)} of {count(len(jobs), f'{jobs[0].kind} task')} {was} computed in place.")
        yield from (here(job, resent=True) for job in pending.values())

    def _tell(self, sentence: str) -> None:
        self.note = f"{self.note} {sentence}".strip()

    def _by_workers(self, pending: dict[str, Job]) -> Iterator[Done]:
        sent = len(pending)
        try:
            yield from self._send_and_wait(pending, resent=False)
            if pending:
                log.warning("%d of %d tasks missed the deadline; sent again.", len(pending), sent)
                yield from self._send_and_wait(pending, resent=True)
        except Unsendable as fault:
            self._broker_failed = True
            log.warning("The broker failed during a cycle: %s", fault)

    def _send_and_wait(self, pending: dict[str, Job], resent: bool) -> Iterator[Done]:
        """The deadline counts from the last result: who is slow, as with a task per node, is not who is lost."""
        patience = settings.PODIUM_STEP_DEADLINE_MS / 1000
        self._send(list(pending.values()))
        heard = time.monotonic()
        while pending and (left := heard + patience - time.monotonic()) > 0:
            if results := self._exchange.take(left):
                yield from self._accept(results, pending, resent)
                heard = time.monotonic()
        # A mark can be lost with the connection that was to carry it; the result itself is still there.
        yield from self._accept(self._exchange.peek(pending), pending, resent)

    def _send(self, jobs: Sequence[Job]) -> None:
        if needs := {name: row for job in jobs for name, row in job.needs.items()}:
            self._exchange.put_rows(needs)
        with current_app.producer_or_acquire() as producer:
            for job in jobs:
                job.task.apply_async(
                    (self._exchange.reference, job.name, *job.args),
                    producer=producer,
                    retry=False,
                    expires=EXPIRES_SECONDS,
                )

    def _accept(self, results: list[tuple[str, Result]], pending: dict[str, Job], resent: bool) -> Iterator[Done]:
        """Counts each job once: what is no longer pending is a second delivery."""
        for name, result in results:
            if job := pending.pop(name, None):
                yield self._done(job, result, resent)

    def _done(self, job: Job, result: Result, resent: bool) -> Done:
        try:
            if result.error:
                raise ValueError(result.error)
            arrays = result.arrays(job.length)
        except ValueError as fault:
            log.warning("Task %s failed on %s: %s", job.name, result.worker, fault)
            self._tell(f"{job.label} failed on {result.worker} and was computed in place: {fault}.")
            return here(job, resent=True)
        return Done(job, arrays, result.worker, result.started, result.ended, resent, result.cells)


def here(job: Job, resent: bool = False) -> Done:
    started = time.time()
    arrays = job.compute()
    return Done(job, arrays, CORE, started, time.time(), resent)
