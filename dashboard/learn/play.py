"""A lesson played in memory: its cluster made, its pods scheduled until nothing more happens; and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from dashboard.build.attempt import Attempt, attempt
from dashboard.build.marks import QUEUES
from dashboard.build.records import CycleRecord
from dashboard.build.united.rehearsal import pods_of
from dashboard.learn.lesson import LANES, PENDING, Head, Lesson, Manifest, Task
from scheduler.engine.commands import AddObject, AdvanceClock, AdvanceToNextTimer, FinishCycle, LoadScenario, PopPod
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.errors import Refused
from scheduler.engine.objects import key_of
from scheduler.engine.simulation.settings import SECOND_US, Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.scenario import read_scenario
from scheduler.services.scenarios import planned

START_US = 1_735_689_600_000_000
MOST_ATTEMPTS, MOST_TIMERS, MOST_PODS, QUIET_US = 200, 20_000, 1_000, 10 * SECOND_US


@dataclass
class Played:
    """`attempts`: of the pod that is asked about, else of all; oldest first. `evicted`: pods that had to go."""

    simulation: Simulation
    attempts: list[Attempt] = field(default_factory=list)
    popped: list[str] = field(default_factory=list)
    evicted: list[str] = field(default_factory=list)

    def answer(self, head: Head) -> str:
        if head.ask == "next":
            return self.popped[0] if self.popped else PENDING
        if head.ask == "victim":
            return ", ".join(self.evicted) or "nobody"
        if head.ask == "count":
            namespace, name, subset = head.subset.split("/")
            key = ("UnitedDeployment", namespace, name)
            return str(sum(1 for of in pods_of(self.simulation, key).values() if of == subset))
        pod = self.simulation.pod(head.pod)
        node = pod.node_name if pod is not None else ""
        return (node or PENDING) if head.ask == "where" else self.lane(head.pod)

    def lane(self, key: str) -> str:
        queued = self.simulation.queued(key)
        return LANES[-1] if queued is None else QUEUES[queued.place]


def play(lesson: Lesson, task: Task | None = None) -> Played:
    """`task`: with its change."""
    head = lesson.head
    played = Played(_begun(lesson, lesson.objects if task is None else lesson.changed(task)))
    for made in _attempts(played.simulation):
        played.popped.append(made.record.pod)
        decision = made.record.decision
        played.evicted += decision.victims if decision else ()
        if made.record.pod == head.pod or not head.pod:
            played.attempts.append(made)
    return played


def _begun(lesson: Lesson, objects: list[Manifest]) -> Simulation:
    """Everything is there; waiting pods came 1 µs apart."""
    head = lesson.head
    settings = msgspec.convert(head.settings, Settings)
    simulation, _ = Simulation.create(lesson.slug, head.seed, START_US, head.configuration, settings)
    manifests = {}
    for kind, manifest in admitted(objects):
        manifests[key_of(kind, manifest)] = manifest
        if kind == "Pod" and not manifest["spec"].get("nodeName"):
            simulation.handle(AdvanceClock(simulation.now_us + 1))
        simulation.handle(AddObject(kind, manifest))
    if head.scenario:
        file = read_scenario(lesson.slug, msgspec.json.encode(head.scenario).decode(), strict=False)
        simulation.handle(LoadScenario(lesson.slug, planned(file, simulation, manifests.get)))
    return simulation


def _attempts(simulation: Simulation) -> Iterator[Attempt]:
    """Attempt after attempt until nothing is to come that a lesson would wait for. Raises `Refused` beyond bounds."""
    timers = 0
    for number in range(1, MOST_ATTEMPTS):
        simulation.handle(PopPod())
        while simulation.open_cycle is None:
            timers += 1
            if timers > MOST_TIMERS or len(simulation.pods) > MOST_PODS:
                raise Refused("it goes on for too long, or makes too many pods: a case is over soon")
            if not _waits_for_more(simulation) or not simulation.handle(AdvanceToNextTimer()):
                return
            simulation.handle(PopPod())
        yield _finished(simulation, number)


def _waits_for_more(simulation: Simulation) -> bool:
    due_us = simulation.work.next_us()
    return simulation.agenda.next_us() is not None or (due_us is not None and due_us <= simulation.now_us + QUIET_US)


def _finished(simulation: Simulation, number: int) -> Attempt:
    opened, popped_us = simulation.open_cycle, simulation.now_us
    assert opened is not None
    cycle = simulation.cycle_for_open()
    decision = cycle.run()
    record = CycleRecord(number, cycle.pod.key, opened.attempt, simulation.seq, popped_us, "Bind")
    made = attempt(cycle, record, None)
    record.decision, record.finished_us = decision, simulation.now_us
    simulation.handle(FinishCycle(decision.to_data()))
    return made
