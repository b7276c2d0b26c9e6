"""A second simulation in the same state, for trying things out. It shares with the first all that neither changes."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from scheduler.engine.controllers.work import Work
from scheduler.engine.scenario import Agenda
from scheduler.engine.simulation.parts import Departures
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.tally import Tally


def fork(of: Simulation) -> Simulation:
    """A copy that may be driven on its own. `of` must not be changed as long as the copy is in use.

    Costs what the numbers of nodes and of waiting pods are large, and nothing for the pods on nodes.
    """
    copy = Simulation()
    copy.seq, copy.clock.now_us, copy.recorded_us = of.seq, of.clock.now_us, of.recorded_us
    copy.name, copy.seed, copy.start_us = of.name, of.seed, of.start_us
    copy.last_cycle, copy.start_index = of.last_cycle, of.start_index
    copy.messages, copy.tally, copy.preempting = dict(of.messages), Tally.load(of.tally.dump()), set(of.preempting)
    copy.queue = of.queue.fork(of.pods)
    copy.departures, copy.agenda = _departures(of), _agenda(of)
    copy.configure(of.configuration, msgspec.to_builtins(of.settings))
    copy.cluster = of.cluster.fork()
    copy.owners = None if of.owners is None else of.owners.copy()
    copy.work = _work(of)
    copy.open_cycle = None if of.open_cycle is None else replace(of.open_cycle)
    copy.take_changes()
    return copy


def _departures(of: Simulation) -> Departures:
    copy = Departures()
    for key, at_us in of.departures.dump().items():
        copy.add(key, at_us)
    return copy


def _agenda(of: Simulation) -> Agenda:
    copy = Agenda()
    for number, step in of.agenda.steps():
        copy.add(step, number)
    copy.planned = of.agenda.planned
    return copy


def _work(of: Simulation) -> Work:
    copy = Work()
    copy.reconciles.load(of.work.reconciles.dump())
    copy.readying.load(of.work.readying.dump())
    copy.failures = dict(of.work.failures)
    return copy
