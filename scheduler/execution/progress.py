"""Tells a watcher, while a cycle is on its way, which cells have returned and what each phase is doing."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypedDict

from scheduler.engine.cycle.phases import PHASES
from scheduler.execution.jobs import Done
from scheduler.execution.report import Report, TaskTime

Cell: TypeAlias = dict[str, Any]
log = logging.getLogger(__name__)
FEW_TASKS = 16  # so many messages are all sent, each as it comes; of more, one every PAUSE_SECONDS
PAUSE_SECONDS = 0.03


class Progress(TypedDict):
    """The shape of `dashboard.payloads.news.Progress`; an algorithm's entry holds name, state and worker.

    `cells`: what this message adds; rows count the nodes that passed the filters, in the cycle's order. `tasks`: all
    that have ended so far.
    """

    type: str
    cycle: int
    phase: str
    phases: list[dict[str, Any]]
    algorithms: list[dict[str, Any]]
    cells: list[Cell]
    tasks: list[TaskTime]


Observer: TypeAlias = Callable[[Progress], None]


class Teller:
    """Keeps the picture of one attempt and hands it to the observer at each change; without one, does nothing.

    In its first `quiet` seconds it says once that it maps, and no more: most attempts are over by then.
    """

    def __init__(self, number: int, report: Report, observe: Observer | None, quiet: float = 0.0) -> None:
        self._loud = time.monotonic() + quiet
        self._number, self._report, self._observe = number, report, observe
        self._notes: dict[str, str] = {}
        self._states: dict[str, str] = {}
        self._reducers: dict[str, str] = {}
        self._cells: list[Cell] = []
        self._told = 0.0

    def prepared(self, algorithms: Sequence[str]) -> None:
        self._states = dict.fromkeys(algorithms, "waiting")

    def mapping(self, tasks: int) -> None:
        self._states = dict.fromkeys(self._states, "mapping")
        self._notes["Map"] = f"0 of {tasks}"
        self._tell("Map")

    def mapped(self, done: Done, first: int, count: int, tasks: int) -> None:
        self._notes["Map"] = f"{count} of {tasks}"
        if count == tasks:
            self._states = dict.fromkeys(self._states, "raw")
        if self._observe:
            raw = [done.arrays.get(name) for name in self._states]
            more = tasks > FEW_TASKS and count < tasks
            failed = [[place - first for place in done.cells.get(name, ())] for name in self._states]
            self._tell("Map", {"rows": [first, first + done.job.length], "raw": raw, "failed": failed}, more)

    def reducing(self, algorithms: Sequence[str]) -> None:
        self._states = {name: "reducing" if name in algorithms else "as_is" for name in self._states}
        self._notes["Reduce"] = f"0 of {len(algorithms)}"
        self._tell("Reduce")

    def reduced(self, done: Done, algorithm: str, count: int, tasks: int) -> None:
        self._notes["Reduce"] = f"{count} of {tasks}"
        self._states[algorithm], self._reducers[algorithm] = "set", done.worker
        if self._observe:
            index = list(self._states).index(algorithm)
            self._tell("Reduce", {"algorithm": index, "normalized": done.arrays[algorithm]})

    def _tell(self, phase: str, cell: Cell | None = None, more: bool = False) -> None:
        """`more`: another message is sure to follow soon, so that this one may wait for it."""
        if self._observe is None:
            return
        if cell is not None:
            self._cells.append(cell)
        now = time.monotonic()
        if self._told and (now < self._loud or (more and now - self._told < PAUSE_SECONDS)):
            return
        try:
            self._observe(self._progress(phase))
        except Exception:
            # Who watches may never break what is watched.
            log.exception("A watcher of cycle %s failed and is not told any more.", self._number)
            self._observe = None
        self._cells, self._told = [], now

    def _progress(self, phase: str) -> Progress:
        return {
            "type": "progress",
            "cycle": self._number,
            "phase": phase,
            "phases": self._phases(phase),
            "algorithms": [
                {"name": name, "state": state, "worker": self._reducers.get(name, "")}
                for name, state in self._states.items()
            ],
            "cells": [_plain(cell) for cell in self._cells],
            "tasks": list(self._report["tasks"]),
        }

    def _phases(self, current: str) -> list[dict[str, Any]]:
        measured = self._report["phases"]
        names = [name for name in PHASES if name in measured or name == current]
        return [
            {
                "name": name,
                "state": "done" if name in measured else "run",
                "ms": measured.get(name),
                "note": self._notes.get(name, ""),
            }
            for name in names
        ]


def _plain(cell: Cell) -> Cell:
    """Rows of numbers as lists. What failed has no number: its error is told when the cycle is shown as a whole."""
    if "raw" not in cell:
        return {**cell, "normalized": cell["normalized"].tolist()}
    raw: list[Any] = [None if row is None else row.tolist() for row in cell["raw"]]
    for row, places in zip(raw, cell["failed"], strict=True):
        for place in places:
            row[place] = None
    return {"rows": cell["rows"], "raw": raw}
