"""The Celery tasks of a cycle: map a range of nodes, map a whole list, reduce a row. They carry references only.

Running one twice does the same work and changes nothing: the exchange keeps the first result. A task whose cycle is
over does nothing.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from billiard import current_process
from celery import Task, shared_task

from scheduler.engine.cycle.score_errors import CellErrors
from scheduler.engine.framework import Int64Array
from scheduler.execution.exchange import Exchange, Result, pack

CACHED = 2
EXPIRES_SECONDS = 60
_prepared: OrderedDict[str, Any] = OrderedDict()


@shared_task(bind=True, ignore_result=True, name="podium.map")  # type: ignore[untyped-decorator]
def map_range(self: Task, reference: str, job: str, first: int, last: int, collects: bool = False) -> None:
    """Raw scores of the feasible rows first…last-1, for every algorithm that takes them in parts.

    `collects`: goes on after an error of an algorithm, and brings it back with the rows.
    """
    errors: CellErrors = {}
    _work(self, reference, job, lambda prepared, _: prepared.map(first, last, errors if collects else None), errors)


@shared_task(bind=True, ignore_result=True, name="podium.map_whole")  # type: ignore[untyped-decorator]
def map_whole(self: Task, reference: str, job: str, algorithm: str, collects: bool = False) -> None:
    """The raw row of an algorithm that scores all feasible nodes at once."""
    errors: CellErrors = {}
    _work(self, reference, job, lambda prepared, _: prepared.map_whole(algorithm, errors if collects else None), errors)


@shared_task(bind=True, ignore_result=True, name="podium.reduce")  # type: ignore[untyped-decorator]
def reduce_row(self: Task, reference: str, job: str, algorithm: str) -> None:
    """One algorithm's whole row, normalised."""

    def reduce(prepared: Any, exchange: Exchange) -> dict[str, Int64Array]:
        row = exchange.row(algorithm)
        if row is None:
            raise LookupError("its raw row is gone")
        return {algorithm: prepared.reduce(algorithm, row)}

    _work(self, reference, job, reduce)


def _work(
    task: Task,
    reference: str,
    job: str,
    compute: Callable[[Any, Exchange], dict[str, Int64Array]],
    cells: CellErrors | None = None,
) -> None:
    """`cells`: filled by `compute` with what failed and was gone on from."""
    exchange, started = Exchange(reference), time.time()
    try:
        prepared = _load(exchange)
        if prepared is None:
            return
        algorithms, rows = pack(compute(prepared, exchange))
        result = Result(worker_name(task), started, time.time(), algorithms, rows, cells=cells or {})
    except Exception as fault:  # whoever waits must hear of any fault at once, whatever it is
        result = Result(worker_name(task), started, time.time(), error=f"{type(fault).__name__}: {fault}")
    exchange.deposit(job, result)


def _load(exchange: Exchange) -> Any | None:
    """The prepared state, from the two newest that this worker has seen or from Redis."""
    prepared = _prepared.get(exchange.reference)
    if prepared is None:
        prepared = exchange.load()
        if prepared is None:
            return None
        _prepared[exchange.reference] = prepared
        while len(_prepared) > CACHED:
            _prepared.popitem(last=False)
    return prepared


def worker_name(task: Task) -> str:
    """`w1`, `w2`, … : the node name before its @, and which of its processes."""
    node = (task.request.hostname or "w").partition("@")[0]
    return f"{node}{getattr(current_process(), 'index', 0) + 1}"
