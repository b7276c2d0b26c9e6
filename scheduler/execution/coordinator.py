"""One attempt at one cycle: prepare here, map and reduce by whoever is there, then sum and select here."""

import pickle
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.phases import phase_of
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Int64Array
from scheduler.execution import presence
from scheduler.execution.exchange import Exchange
from scheduler.execution.jobs import Executor, InProcess, Job, Workers
from scheduler.execution.progress import Observer, Teller
from scheduler.execution.ranges import ranges
from scheduler.execution.redis import Unavailable
from scheduler.execution.report import Recorder, TaskTime, keep
from scheduler.execution.tasks import map_range, map_whole, reduce_row

Rows = dict[str, Int64Array]
UNPICKLABLE = (pickle.PicklingError, AttributeError, TypeError)


class Attempt(NamedTuple):
    decision: Decision
    tasks: list[TaskTime]


def decide(
    cycle: Cycle,
    *,
    cluster_id: int,
    observe: Observer | None = None,
    quiet: float = 0.0,
    range_size: int | None = None,
) -> Attempt:
    """Run the whole attempt and time every part of it; the numbers are those of `cycle.run()`, whoever computes them.

    `observe` hears of the cells as they return, of those of the first `quiet` seconds together. `range_size` overrides
    PODIUM_RANGE_SIZE (see `ranges`). How it went (executor, times, what was computed in place) is kept for
    `report_of(cluster_id, cycle.number)`.
    """
    recorder = Recorder()
    teller = Teller(cycle.number, recorder.report, observe, quiet)
    _prepare(cycle, recorder)
    raw: Rows = {}
    normalized: Rows = {}
    if cycle.needs_scoring:
        try:
            raw, normalized = _score(cycle, cluster_id, recorder, teller, range_size)
        except PluginError as problem:
            cycle.fail(phase_of(problem), str(problem))
    else:
        recorder.report["executor"] = presence.executor_now()
    with recorder.phase("Select" if len(cycle.feasible) else "PostFilter"):
        decision = cycle.finish(raw, normalized)
    keep(cluster_id, cycle.number, recorder.report)
    return Attempt(decision, recorder.report["tasks"])


def rehearse(cycle: Cycle, until: str, *, cluster_id: int, observe: Observer | None = None, quiet: float = 0.0) -> None:
    """Do an open attempt's work up to Map or Reduce, where one steps to that phase: `report_of` then tells of it.

    Nothing is decided: whoever finishes the cycle does it all again, as the log knows no numbers of an open one.
    """
    recorder = Recorder()
    teller = Teller(cycle.number, recorder.report, observe, quiet)
    _prepare(cycle, recorder)
    if cycle.needs_scoring:
        with suppress(PluginError):  # told when the cycle is finished
            _score(cycle, cluster_id, recorder, teller, None, reduces=until != "Map")
        keep(cluster_id, cycle.number, recorder.report)


def _prepare(cycle: Cycle, recorder: Recorder) -> None:
    """All that comes before the first score."""
    for name, step in (("PreFilter", cycle.pre_filter), ("Filter", cycle.filter), ("PreScore", cycle.pre_score)):
        with recorder.phase(name):
            step()


def _score(
    cycle: Cycle,
    cluster_id: int,
    recorder: Recorder,
    teller: Teller,
    range_size: int | None,
    *,
    reduces: bool = True,
) -> tuple[Rows, Rows]:
    """Raw and normalised rows by algorithm, by whoever is there; only raw ones where nothing is to be reduced yet."""
    teller.prepared(cycle.algorithms)
    with recorder.phase("Prepare"):
        executor = _executor(cycle, cluster_id)
    with executor:
        with recorder.phase("Map"):
            raw = _map(cycle, executor, recorder, teller, range_size)
        normalized: Rows = {}
        if reduces:
            with recorder.phase("Reduce"):
                normalized = _reduce(cycle, raw, executor, recorder, teller)
    recorder.report["executor"], recorder.report["note"] = executor.name, executor.note
    return raw, normalized


def _map(cycle: Cycle, executor: Executor, recorder: Recorder, teller: Teller, range_size: int | None) -> Rows:
    """Raw scores of all feasible rows by algorithm."""
    raw = {name: np.zeros(len(cycle.feasible), np.int64) for name in cycle.algorithms}
    jobs = [*_range_jobs(cycle, range_size), *_whole_list_jobs(cycle)]
    teller.mapping(len(jobs))
    for count, done in enumerate(executor.run(jobs), start=1):
        first = done.job.first
        for name, scores in done.arrays.items():
            raw[name][first : first + done.job.length] = scores
        if cycle.score_errors is not None:
            cycle.score_errors.add(done.cells)
        recorder.task("map", done.job.label, done.worker, done.started, done.ended, done.resent)
        teller.mapped(done, first, count, len(jobs))
    return raw


def _range_jobs(cycle: Cycle, size: int | None) -> list[Job]:
    """A job for each range of nodes, for all algorithms that take them in parts."""
    in_parts, collects = len(cycle.algorithms) > len(cycle.whole_lists), cycle.score_errors is not None
    return [
        Job(
            name=f"map:{first}",
            kind="map",
            label=_label(first, last),
            length=last - first,
            task=map_range,
            args=(first, last, collects),
            compute=partial(cycle.map, first, last),
            first=first,
        )
        for first, last in ranges(len(cycle.feasible) if in_parts else 0, size)
    ]


def _whole_list_jobs(cycle: Cycle) -> list[Job]:
    """A job for each algorithm that scores all feasible nodes at once."""
    rows, collects = len(cycle.feasible), cycle.score_errors is not None
    return [
        Job(
            name=f"map:{name}",
            kind="map",
            label=f"{name}: whole list",
            length=rows,
            task=map_whole,
            args=(name, collects),
            compute=partial(cycle.map_whole, name),
        )
        for name in cycle.whole_lists
    ]


def _reduce(cycle: Cycle, raw: Rows, executor: Executor, recorder: Recorder, teller: Teller) -> Rows:
    """The rows of those algorithms that normalise, each brought to 0…100 by a task of its own."""
    jobs = [_reduce_job(cycle, name, row) for name, row in raw.items() if _normalizes(cycle, name)]
    teller.reducing([job.label for job in jobs])
    normalized = dict(raw)
    for count, done in enumerate(executor.run(jobs), start=1):
        name = done.job.label
        normalized[name] = done.arrays[name]
        recorder.task("reduce", name, done.worker, done.started, done.ended, done.resent)
        teller.reduced(done, name, count, len(jobs))
    return normalized


def _reduce_job(cycle: Cycle, name: str, row: Int64Array) -> Job:
    def compute() -> Rows:
        return {name: cycle.reduce(name, row)}

    return Job(f"reduce:{name}", "reduce", name, len(row), reduce_row, (name,), compute, {name: row})


def _normalizes(cycle: Cycle, name: str) -> bool:
    return cycle.scoring is not None and cycle.scoring.plugins[name].implements("normalize")


def _label(first: int, last: int) -> str:
    """Nodes are counted from one where people read."""
    return f"nodes {first + 1}–{last}" if last - first > 1 else f"node {last}"


def _executor(cycle: Cycle, cluster_id: int) -> Executor:
    """Workers, if any are there to serve; else this process, and why."""
    there = presence.alive("worker")
    if there is None:
        return InProcess("No broker answered, so it was computed in this process.")
    if not there:
        return InProcess("No worker was there, so it was computed in this process.")
    try:
        return Workers(Exchange.open(cluster_id, cycle.number, cycle.prepared()))
    except PluginError:
        if cycle.score_errors is None:
            raise
        return InProcess("An algorithm failed before anything was sent, so it was computed in this process.")
    except Unavailable as fault:
        return InProcess(f"The broker could not take the cycle ({fault}), so it was computed in this process.")
    except UNPICKLABLE as fault:
        return InProcess(f"What an algorithm keeps for its score cannot be sent ({fault}), so it was computed here.")
