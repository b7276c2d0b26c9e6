"""Stepping: one pod's whole attempt, or one phase of it. Whoever comes second steps the next pod."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, TypeVar

from django.db import connection

from scheduler import execution, store
from scheduler.engine.commands import FinishCycle, PopPod, ReachPhase
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.phases import PHASES, REFUSED_PHASES
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.execution.precedence import Precedence
from scheduler.execution.progress import Progress
from scheduler.services.commit import ATTEMPTS, PATIENCE_SECONDS, Busy, Committed, write
from scheduler.services.news import send

QUIET_SECONDS = 0.1  # an attempt that is over sooner is told as a whole
POP = "Pop"
SCORING = ("PreScore", "Map", "Reduce", "Sum")
Result = TypeVar("Result")
_locks: dict[int, threading.RLock] = {}
_mutex = threading.Lock()


class _SupersededError(Exception):
    """The cycle was finished by somebody else while this process computed it."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step did. `decision` is None while the cycle is still open. `tasks`: timings, see `execution`."""

    number: int
    pod: str
    phase: str
    decision: Decision | None
    committed: Committed
    tasks: Sequence[Any] = ()


def cycle_step(cluster_id: int, actor: str = "") -> Stepped | None:
    """Finish the open cycle, else pop the next pod and finish its cycle. None if no pod can be popped now."""
    return _in_turn(cluster_id, lambda: _step(cluster_id, actor))


def cycle_step_phase(cluster_id: int, actor: str = "") -> Stepped | None:
    """Show the next phase of the open cycle (the last one finishes it), or pop. None if no pod can be popped now."""
    return _in_turn(cluster_id, lambda: _step_phase(cluster_id, actor))


def _step(cluster_id: int, actor: str) -> Stepped | None:
    cycle, _ = open_cycle(cluster_id, actor, tell=False)
    return _finish(cluster_id, cycle, actor) if cycle else None


def _step_phase(cluster_id: int, actor: str) -> Stepped | None:
    reached = ""
    _work_ahead(cluster_id)

    def decide(simulation: Simulation) -> Sequence[Happened]:
        nonlocal reached
        if simulation.open_cycle is None:
            reached = POP
            return simulation.handle(PopPod())
        reached = _after(simulation.open_cycle.phase or POP, simulation.cycle_for_open())
        return simulation.handle(ReachPhase(reached)) if reached else ()

    committed = write(cluster_id, decide, actor)
    cycle, _ = open_cycle(cluster_id, actor, pop=False)
    if cycle is None:
        return None
    if not reached:
        return _finish(cluster_id, cycle, actor)
    return Stepped(cycle.number, cycle.pod.key, reached, None, committed)


def _work_ahead(cluster_id: int) -> None:
    """Where Map or Reduce is the phase to come, workers do it now, so that it is seen who did what."""
    with store.reading(cluster_id) as simulation:
        if simulation.open_cycle is None:
            return
        cycle = simulation.cycle_for_open()
        coming = _after(simulation.open_cycle.phase or POP, simulation.cycle_for_open())
    if coming in ("Map", "Reduce"):
        execution.rehearse(
            cycle, coming, cluster_id=cluster_id, observe=partial(_tell, cluster_id), quiet=QUIET_SECONDS
        )


def _tell(cluster_id: int, progress: Progress) -> None:
    send(cluster_id, dict(progress))


def _after(phase: str, cycle: Cycle) -> str:
    """The phase to show after this one, "" where only the end of the cycle is left."""
    way = phases_of(cycle)
    place = way.index(phase) + 1 if phase in way else len(way)
    return way[place] if place < len(way) else ""


def phases_of(cycle: Cycle) -> tuple[str, ...]:
    """The phases that this attempt goes through between its Pop and its end."""
    cycle.pre_filter()
    cycle.filter()
    if not len(cycle.feasible):
        return PHASES[1 : PHASES.index("PreScore")]
    if cycle.needs_scoring:
        return PHASES[1:-1]
    return tuple(name for name in PHASES[1:-1] if name not in SCORING)


def open_cycle(cluster_id: int, actor: str = "", pop: bool = True, tell: bool = True) -> tuple[Cycle | None, Committed]:
    """The cycle that is open now; opens one if none is and `pop`. A process that died left its cycle open for us."""
    cycle: Cycle | None = None

    def decide(simulation: Simulation) -> Sequence[Happened]:
        nonlocal cycle
        events = simulation.handle(PopPod()) if pop and simulation.open_cycle is None else []
        cycle = simulation.cycle_for_open() if simulation.open_cycle is not None else None
        return events

    committed = write(cluster_id, decide, actor, tell=tell)
    return cycle, committed


def _finish(cluster_id: int, cycle: Cycle, actor: str) -> Stepped:
    observe = partial(_tell, cluster_id)
    decision, tasks = execution.decide(cycle, cluster_id=cluster_id, observe=observe, quiet=QUIET_SECONDS)

    def decide(simulation: Simulation) -> Sequence[Happened]:
        if simulation.open_cycle is None or simulation.open_cycle.number != cycle.number:
            raise _SupersededError
        return simulation.handle(FinishCycle(decision.to_data()))

    committed = write(cluster_id, decide, actor)
    last = PHASES[-1] if decision.outcome == "bound" else REFUSED_PHASES[-1]
    return Stepped(cycle.number, cycle.pod.key, last, decision, committed, tasks)


def _in_turn(cluster_id: int, step: Callable[[], Result]) -> Result:
    """Steps of this process take turns; against others the log decides, and the loser steps on, before any run."""
    began = time.monotonic()
    with Precedence(cluster_id) as precedence:
        for attempt in count(1):
            try:
                with _turn(cluster_id):
                    return step()
            except _SupersededError:
                if attempt >= ATTEMPTS and time.monotonic() - began > PATIENCE_SECONDS:
                    break
            precedence.ask()
    raise Busy("Others kept finishing the cycles first; nothing was done. Try again.")


def _turn(cluster_id: int) -> AbstractContextManager[object]:
    if connection.in_atomic_block:
        return nullcontext()
    with _mutex:
        return _locks.setdefault(cluster_id, threading.RLock())
