"""The one way in: decide outside any transaction, append and project in one short one, tell the browsers."""

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import count

from django.db import connection, transaction

from scheduler import store
from scheduler.engine.commands import AdvanceClock, Command
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.execution import pacemaker
from scheduler.execution.precedence import Precedence
from scheduler.models import Cluster
from scheduler.services import log
from scheduler.services.news import publish
from scheduler.services.projection import Changes, Rows, prepare, undone

ATTEMPTS = 12
PATIENCE_SECONDS = 10.0  # a person's command is tried that long at least: under load every attempt is slow
RETRY_CHECKPOINT = 250  # events
logger = logging.getLogger(__name__)
_locks: dict[int, threading.RLock] = {}
_mutex = threading.Lock()

Decide = Callable[[Simulation], Sequence[Happened]]


class Busy(Refused):
    """Others wrote again and again before this command could be placed. Nothing was written."""


class _ConflictError(Exception):
    """Somebody else moved the head of the log since the decision."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What was written: events `first_seq`…`last_seq`. Without events, `first_seq` is one more than `last_seq`."""

    first_seq: int
    last_seq: int
    events: tuple[Happened, ...] = ()


def execute(cluster_id: int, *commands: Command, actor: str = "") -> Committed:
    """Carry out `commands` together or not at all. Raises `Refused`, `Invalid`, `Busy`, `Cluster.DoesNotExist`."""

    def decide(simulation: Simulation) -> list[Happened]:
        return [event for command in commands for event in simulation.handle(command)]

    return write(cluster_id, decide, actor=actor)


def write(cluster_id: int, decide: Decide, actor: str = "", by_run: bool = False, *, tell: bool = True) -> Committed:
    """Append what `decide` makes happen on the newest state. It runs again if others wrote meanwhile.

    While a runner drives the cluster at a speed, time has passed since the last event, and passes first. `by_run`: the
    runner itself writes, at the time that it has decided on; others go before it. Without `tell` browsers are not
    told: more follows at once.
    """
    began = time.monotonic()
    with Precedence(cluster_id) as precedence:
        for attempt in count(1):
            try:
                with _turn(cluster_id):
                    present = decide if by_run else _at_present(cluster_id, decide)
                    return _write_once(cluster_id, present, actor, by_run, tell)
            except _ConflictError:
                if attempt >= ATTEMPTS and (by_run or time.monotonic() - began > PATIENCE_SECONDS):
                    break
            if not by_run:
                precedence.ask()
            time.sleep(random.uniform(0, 0.005 * 2 ** min(attempt, 5)))
            _shorten_the_way(cluster_id)
    raise Busy("This cluster is being changed too often at the moment; nothing was done. Try again.")


def _shorten_the_way(cluster_id: int) -> None:
    """A lost race spoiled the cached state. Where others write all the time the next one must be had quickly."""
    if not connection.in_atomic_block:
        store.checkpoint(cluster_id, every=RETRY_CHECKPOINT)


def _at_present(cluster_id: int, decide: Decide) -> Decide:
    present_us = pacemaker.present_us(cluster_id)
    if present_us is None:
        return decide

    def advance_and_decide(simulation: Simulation) -> list[Happened]:
        behind = simulation.now_us < present_us
        passed = simulation.handle(AdvanceClock(present_us)) if behind else []
        return [*passed, *decide(simulation)]

    return advance_and_decide


def _write_once(cluster_id: int, decide: Decide, actor: str, by_run: bool, tell: bool) -> Committed:
    identity, simulation = store.borrow(cluster_id)
    expected = simulation.seq
    simulation.take_changes()
    try:
        events = tuple(decide(simulation))
    except Exception:
        if simulation.seq == expected:
            store.restore(identity, simulation)
        raise
    if not events:
        store.restore(identity, simulation)
        return Committed(expected + 1, expected)
    _append(cluster_id, simulation, expected, events, actor, by_run)
    transaction.on_commit(lambda: _after(identity, simulation, tell))
    return Committed(events[0].seq, events[-1].seq, events)


def _append(
    cluster_id: int, simulation: Simulation, expected: int, events: Sequence[Happened], actor: str, by_run: bool
) -> None:
    if events[0].seq != expected + 1 or events[-1].seq != simulation.seq:
        raise RuntimeError(f"Events {events[0].seq}…{events[-1].seq} do not continue the log at {expected}.")
    rows = _rows(cluster_id, simulation, events)
    head: dict[str, object] = {
        "seq": simulation.seq,
        "now_us": simulation.now_us,
        "cycle": simulation.last_cycle,
        "tally": simulation.tally.dump(),
    }
    if not by_run:
        head["wanted_reason"] = ""  # why the last run ended is true no longer
    with transaction.atomic():
        if not Cluster.objects.filter(pk=cluster_id, seq=expected).update(**head):
            raise _ConflictError
        log.append(cluster_id, events, actor)
        rows.write()


def _rows(cluster_id: int, simulation: Simulation, events: Sequence[Happened]) -> Rows:
    changes, touched = Changes.of(events), simulation.take_changes()
    if changes.reset_to is None:
        return prepare(cluster_id, simulation, changes, touched.nodes)
    reset = max(place for place, event in enumerate(events) if event.kind == "Reset")
    return undone(cluster_id, simulation, events[0].seq - 1, changes.reset_to, events[reset + 1 :])


def _after(identity: store.Identity, simulation: Simulation, tell: bool) -> None:
    """The command is on disk: nothing that fails from here on may look like its failure."""
    cluster_id, seq = identity[0], simulation.seq
    try:
        store.checkpoint_write(cluster_id, simulation, store.checkpoint_due(simulation))
        store.restore(identity, simulation)
    except Exception:
        logger.exception("Cluster %s: no checkpoint at %s.", cluster_id, seq)
    if tell:
        publish(cluster_id, seq)


def _turn(cluster_id: int) -> AbstractContextManager[object]:
    """Writers of this process take turns. Inside a transaction nobody waits: it may hold the database's own lock."""
    if connection.in_atomic_block:
        return nullcontext()
    with _mutex:
        return _locks.setdefault(cluster_id, threading.RLock())
