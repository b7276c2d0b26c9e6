"""A cluster and its scheduler as one deterministic state: a fold of events, with one door for commands.

`handle(command)` decides and applies, event by event, through the same `apply` that folds a log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast
from weakref import proxy

import msgspec

from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.commands import (
    ActivatePods,
    AddObject,
    AdvanceClock,
    AdvanceToNextTimer,
    CancelScenario,
    ChangeProfile,
    Command,
    DeleteObject,
    FinishCycle,
    LoadScenario,
    PopPod,
    ReachPhase,
    Schedule,
    UpdateObject,
)
from scheduler.engine.controllers import marks
from scheduler.engine.controllers.owners import Owners
from scheduler.engine.controllers.work import Work
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import Invalid
from scheduler.engine.events import ClusterCreated, Event, Happening, ProfileChanged, ResetDone
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.plugins import line_up
from scheduler.engine.profile import Profiles
from scheduler.engine.queue.backoff import Backoff
from scheduler.engine.queue.control import QueueControl
from scheduler.engine.queue.entry import QueuedPod
from scheduler.engine.queue.state import SchedulingQueue
from scheduler.engine.scenario import Agenda
from scheduler.engine.simulation import apply as folding
from scheduler.engine.simulation import cycles as simulation_cycles
from scheduler.engine.simulation import invariants, script
from scheduler.engine.simulation import objects as simulation_objects
from scheduler.engine.simulation import time as simulation_time
from scheduler.engine.simulation.clock import LATEST_US, Clock
from scheduler.engine.simulation.gates import gates_of
from scheduler.engine.simulation.hints import hints_of
from scheduler.engine.simulation.parts import Changes, Departures, OpenCycle
from scheduler.engine.simulation.settings import SECOND_US, Settings
from scheduler.engine.simulation.tally import Tally


class Simulation:
    """Empty until `ClusterCreated` is applied. `seq`: of the last event; times are virtual µs."""

    def __init__(self) -> None:
        self.seq = 0
        self.clock = Clock()
        self.name, self.seed, self.start_us = "", 0, 0
        self.cluster = ClusterState()
        self.messages: dict[str, str] = {}
        self.departures = Departures()
        self.agenda = Agenda()
        self.open_cycle: OpenCycle | None = None
        self.last_cycle = 0
        self.start_index = 0
        self.changes = Changes()
        self.tally = Tally()
        self.recorded_us = 0
        self.preempting: set[str] = set()
        self._emitted: list[Event] = []
        self.owners: Owners | None = None
        self.work = Work()
        self.settings = Settings()
        self.queue = SchedulingQueue(self.settings, Backoff())
        self.configure({}, {})

    @classmethod
    def create(
        cls,
        name: str,
        seed: int,
        start_us: int,
        configuration: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | Settings | None = None,
    ) -> tuple[Simulation, list[Event]]:
        """A new cluster without objects, and the first event of its log. Raises Invalid."""
        simulation = cls()
        plain = msgspec.to_builtins(settings) if isinstance(settings, Settings) else dict(settings or {})
        check_configuration(dict(configuration or {}), plain)
        if not -LATEST_US < start_us <= LATEST_US:
            raise Invalid("must lie before the year 9999", "start_us")
        simulation.clock.now_us = start_us
        simulation.emit(ClusterCreated(name, seed, start_us, dict(configuration or {}), plain))
        return simulation, simulation._take_emitted()

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        return self.clock.now_us

    @property
    def pods(self) -> Mapping[str, Pod]:
        """All pods by `namespace/name`, in the order in which they came."""
        return cast("Mapping[str, Pod]", self.cluster.objects.get("Pod", {}))

    def pod(self, key: str) -> Pod | None:
        return self.pods.get(key)

    def objects(self, kind: str) -> Iterable[KubernetesObject]:
        """All objects of a kind, in the order in which they came."""
        return self.cluster.objects.get(kind, {}).values()

    def queued(self, key: str) -> QueuedPod | None:
        """The queue entry of a waiting or in-flight pod."""
        return self.queue.get(key)

    def last_message(self, key: str) -> str:
        """The scheduler's last word on a pending pod: the FitError or error of its last attempt."""
        return self.messages.get(key, "")

    def nominated_pods(self) -> Mapping[str, Sequence[Pod]]:
        """Waiting pods by the node on which they count as reserved, in the order of their nomination."""
        return self.queue.nominator.pods()

    @property
    def next_timer_us(self) -> int | None:
        """The next moment at which something happens by itself; None if nothing will."""
        return simulation_time.next_timer_us(self)

    def cycle_for_open(self) -> Cycle:
        """The open cycle's attempt, on the state of its Pop. Raises Refused if no cycle is open."""
        return simulation_cycles.cycle_for_open(self)

    # --- the door -----------------------------------------------------------------------------------------------------

    def handle(self, command: Command) -> list[Event]:
        """Decide and apply. Raises Refused, with a sentence and without any effect, where the command may not be done.

        Raises Invalid for a manifest or configuration that cannot be read.
        """
        _HANDLERS[type(command)](self, command)
        return self._take_emitted()

    def apply(self, event: Event) -> None:
        """Fold one event. Raises ValueError unless it is the next one (after a Reset, any later one)."""
        if event.seq != self.seq + 1 and not isinstance(event.happening, ResetDone):
            raise ValueError(f"event {event.seq} cannot follow event {self.seq}")
        self.seq = event.seq
        if not isinstance(event.happening, ResetDone):
            self.clock.now_us = self.recorded_us = event.at_us
        self.tally.take(self, event.happening)
        folding.apply(self, event.happening)

    def reset(self, earlier: Simulation) -> list[Event]:
        """Undo: become `earlier`, a state of the same log that nobody else holds and that is spent afterwards.

        To fold such an event, load the state of its `to_seq` and apply it there.
        """
        event = Event(self.seq + 1, self.now_us, ResetDone(earlier.seq, self.last_cycle))
        earlier.apply(event)
        self.__dict__.update(earlier.__dict__)
        self.configure(self.configuration, None)
        return [event]

    def take_changes(self) -> Changes:
        """Whose rows have changed since the last call."""
        taken, self.changes = self.changes, Changes()
        return taken

    def validate(self) -> None:
        """Raise AssertionError if any invariant is broken."""
        invariants.validate(self)

    @property
    def is_torn(self) -> bool:
        """Whether the application of an event broke off: then this state is of no use any more."""
        return bool(self._emitted) and self._emitted[-1].seq != self.seq

    # --- for the deciding code ----------------------------------------------------------------------------------------

    def emit(self, happening: Happening) -> None:
        """Append to the log and apply at once, at the clock's present moment."""
        event = Event(self.seq + 1, self.clock.now_us, happening)
        self.apply(event)
        self._emitted.append(event)

    def configure(self, configuration: dict[str, Any], settings: dict[str, Any] | None) -> None:
        """Take over a scheduler configuration and, unless None, settings; waiting pods stay where they are."""
        self.configuration = configuration
        if settings is not None:
            self.settings = msgspec.convert(settings, Settings)
        self.profiles = Profiles.recorded(configuration)
        self.queue.reconfigure(self.settings, self._backoff())
        gates = gates_of(self.profiles, self.preempting)
        me = proxy(self)  # with a reference to itself, a dropped state would wait for the garbage collector
        self.control = QueueControl(self.queue, self.clock, lambda happening: me.emit(happening), hints_of(self), gates)
        self.changes.profiles = True
        marks.switch(self)

    def _backoff(self) -> Backoff:
        initial, longest = self.profiles.initial_backoff_seconds, self.profiles.max_backoff_seconds
        return Backoff(initial * SECOND_US, longest * SECOND_US, aligned=self.settings.pop_from_backoff)

    def _take_emitted(self) -> list[Event]:
        taken, self._emitted = self._emitted, []
        return taken


def check_configuration(configuration: dict[str, Any], settings: dict[str, Any] | None) -> None:
    """Raises Invalid where either cannot be read."""
    for profile in Profiles.from_configuration(configuration):
        if fault := line_up(profile).fault:
            raise Invalid(fault)
    if settings is not None:
        try:
            msgspec.convert(settings, Settings)
        except msgspec.ValidationError as problem:
            raise Invalid(str(problem), "settings") from problem


def _change_profile(simulation: Simulation, command: ChangeProfile) -> None:
    check_configuration(command.configuration, command.settings)
    simulation.emit(ProfileChanged(command.configuration, command.settings))
    simulation_objects.queue_anew(simulation)


_HANDLERS: dict[type, Callable[[Simulation, Any], None]] = {
    AddObject: simulation_objects.add,
    UpdateObject: simulation_objects.update,
    DeleteObject: simulation_objects.delete,
    ActivatePods: simulation_objects.activate,
    PopPod: simulation_cycles.pop,
    ReachPhase: simulation_cycles.reach_phase,
    FinishCycle: simulation_cycles.finish,
    Schedule: simulation_cycles.schedule,
    AdvanceClock: simulation_time.advance,
    AdvanceToNextTimer: simulation_time.advance_to_next_timer,
    ChangeProfile: _change_profile,
    LoadScenario: script.load,
    CancelScenario: script.cancel,
}
