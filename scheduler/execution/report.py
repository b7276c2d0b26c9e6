"""What a cycle's execution took and who did it: kept an hour for the screen, never part of the log."""

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypedDict, cast

import msgspec

from scheduler.execution.redis import Unavailable, client

TTL_SECONDS = 3600
KEPT = 200
CORE = "core"
_recent: OrderedDict[str, "Report"] = OrderedDict()


class TaskTime(TypedDict):
    """The shape of `dashboard.payloads.cycle.Task`. Milliseconds count from the beginning of the attempt."""

    worker: str
    kind: Literal["phase", "map", "reduce"]
    label: str
    start_ms: float
    ms: float
    resent: bool


class Report(TypedDict):
    """`executor`: who mapped and reduced; who would have, where there was nothing to score. `phases`: milliseconds by
    phase name. `note`: what did not go the usual way, "" if nothing."""

    executor: Literal["celery", "in_process"]
    tasks: list[TaskTime]
    phases: dict[str, float]
    note: str


class Recorder:
    """Builds a report while an attempt runs. Tasks come in Unix seconds, as workers on other machines measure them."""

    def __init__(self) -> None:
        self.report: Report = {"executor": "in_process", "tasks": [], "phases": {}, "note": ""}
        self._zero = time.time()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Times a phase. Phases in this process are also tasks of the core; Map and Reduce are their tasks' span."""
        wall, started = time.time(), time.perf_counter()
        yield
        seconds = time.perf_counter() - started
        self.report["phases"][name] = round(seconds * 1000, 3)
        if name not in ("Map", "Reduce"):
            self.task("phase", name, CORE, wall, wall + seconds)

    def task(
        self,
        kind: Literal["phase", "map", "reduce"],
        label: str,
        worker: str,
        started: float,
        ended: float,
        resent: bool = False,
    ) -> None:
        entry: TaskTime = {
            "worker": worker,
            "kind": kind,
            "label": label,
            "start_ms": round(max(0.0, started - self._zero) * 1000, 3),
            "ms": round(max(0.0, ended - started) * 1000, 3),
            "resent": resent,
        }
        self.report["tasks"].append(entry)


def keep(cluster_id: int, number: int, report: Report) -> None:
    """Keep it where the web process finds it, whoever ran the cycle; without Redis at least in this process."""
    key = _key(cluster_id, number)
    _recent[key] = report
    while len(_recent) > KEPT:
        _recent.popitem(last=False)
    try:
        client().set(key, msgspec.json.encode(report), ex=TTL_SECONDS)
    except Unavailable:
        return


def report_of(cluster_id: int, number: int) -> Report | None:
    """How cycle `number` was executed; None for one of long ago, or one that the runner did on its own."""
    key = _key(cluster_id, number)
    try:
        packed = cast("bytes | None", client().get(key))
    except Unavailable:
        packed = None
    return msgspec.json.decode(packed, type=Report) if packed else _recent.get(key)


def _key(cluster_id: int, number: int) -> str:
    return f"podium:report:{cluster_id}:{number}"
