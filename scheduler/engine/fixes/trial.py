"""One change tried: carried out on a copy of the simulation, which is driven until the pod is placed or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import msgspec

from scheduler.engine.commands import ActivatePods, AdvanceToNextTimer, Command, Schedule
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.errors import PodiumError
from scheduler.engine.events import CycleFinished, Event, ObjectDeleted
from scheduler.engine.fixes.change import CONFIGURATION, Edit, Restart
from scheduler.engine.fixes.crowd import fits_anywhere, poppable, thin_out
from scheduler.engine.fixes.edits import commands
from scheduler.engine.fixes.manifests import profile_of
from scheduler.engine.fixes.successors import are_missing, successors
from scheduler.engine.objects import ObjectKey, Pod
from scheduler.engine.queue.entry import ACTIVE, GATED, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.fork import fork
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation

Outcome: TypeAlias = Literal["fits", "no help", "unfinished"]
AHEAD, AFTER, COMMANDS = 30, 20, 200
TRIES, LONGEST_US, SOON_US = 3, 120 * SECOND_US, 10 * SECOND_US


@dataclass(frozen=True, slots=True)
class Moved:
    """A pod that leaves a node. `after`: where it runs then, "" where it waits or is gone; `waits`: which of them."""

    pod: str
    before: str
    after: str = ""
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """`node`: where the pod landed, of `feasible` nodes. `message`: the scheduler's word where it did not, or what is
    wrong with the change. `ahead`: how many pods come first, if these are too many; then it was tried out of turn.

    `moved`: pods that started anew because of the change; `preempted`: that had to give way; `also`: other waiting pods
    that were placed, with their nodes; where the pod does not fit, those that went before it. `rivals`: where it does
    not fit, those that took room, with their nodes, also by preemption.
    """

    outcome: Outcome
    node: str = ""
    feasible: int = 0
    message: str = ""
    ahead: int = 0
    seconds: float = 0.0
    moved: tuple[Moved, ...] = ()
    preempted: tuple[Moved, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()
    decision: Decision | None = None

    @property
    def fits(self) -> bool:
        return self.outcome == "fits"


def look_up_in(simulation: Simulation) -> Any:
    """Manifests made of typed objects: all that scheduling reads; and profiles as they are written."""

    def look_up(key: ObjectKey) -> dict[str, Any]:
        if key[0] == CONFIGURATION:
            return profile_of(simulation.configuration, key[2])
        found = simulation.cluster.get(*key)
        if found is None:
            raise LookupError(f"{key[0]} {key[2]}")
        manifest: dict[str, Any] = msgspec.to_builtins(found)
        return {"kind": key[0], **manifest}

    return look_up


def try_out(base: Simulation, key: str, edits: Sequence[Edit]) -> Result:
    """What becomes of the pending pod `key` with these edits. `base` stays as it is."""
    trial = _Trial(base, fork(base), key, edits)
    try:
        first, then = commands(base, edits, look_up_in(base))
        trial.do([*first, ActivatePods((key,)), *then])
        return trial.run()
    except PodiumError as fault:
        return Result("no help", message=str(fault))


def carried_out(base: Simulation, edits: Sequence[Edit]) -> Simulation | None:
    """A copy with these edits, nothing scheduled yet; None where they cannot be made."""
    copy = fork(base)
    try:
        for order in commands(base, edits, look_up_in(base))[0]:
            copy.handle(order)
    except PodiumError:
        return None
    return copy


@dataclass
class _Trial:
    base: Simulation
    copy: Simulation
    key: str
    edits: Sequence[Edit]
    decisions: list[Decision] = field(default_factory=list)
    bound: dict[str, str] = field(default_factory=dict)
    preempted: dict[str, str] = field(default_factory=dict)

    def do(self, orders: Sequence[Command]) -> int:
        """How many events that made."""
        events = [event for order in orders for event in self.copy.handle(order)]
        for event in events:
            self._note(event)
        return len(events)

    def _note(self, event: Event) -> None:
        happening = event.happening
        if isinstance(happening, CycleFinished):
            decision = Decision.from_data(happening.decision)
            if happening.pod == self.key:
                self.decisions.append(decision)
            elif decision.outcome == "bound":
                self.bound[happening.pod] = decision.node
        elif isinstance(happening, ObjectDeleted) and happening.cause == "preempted":
            self.preempted[f"{happening.namespace}/{happening.name}"] = happening.by

    def run(self) -> Result:
        start_us = self.copy.now_us
        outcome = self._until_known(start_us)
        if outcome is None:
            return self._out_of_turn()
        seconds = (self.copy.now_us - start_us) / SECOND_US
        also = dict(self.bound)
        if outcome == "fits":
            self._settle()
            if self.key in self.preempted:
                rivals = ((self.preempted[self.key], self.decisions[-1].node),)
                return Result("no help", message=self._driven_out(), preempted=self._gave_way(), rivals=rivals)
        return self._result(outcome, seconds, also)

    def _until_known(self, start_us: int) -> Outcome | None:
        """None where too many others come first."""
        others = 0
        for _ in range(COMMANDS):
            pod = self.copy.pods.get(self.key)
            if pod is None:
                return "no help"
            if pod.node_name:
                return "fits"
            if self._is_refused(pod):
                return "no help"
            if self.copy.now_us - start_us > LONGEST_US:
                return "unfinished"
            if self._others_come_first():
                others += 1
                if others > AHEAD or not self._let_go_ahead():
                    return None
            order: Command = Schedule() if self.copy.queue.head() is not None else AdvanceToNextTimer()
            if not self.do([order]):
                return "no help"
        return "unfinished"

    def _others_come_first(self) -> bool:
        head = self.copy.queue.head()
        return head is not None and head.key != self.key and self.copy.open_cycle is None

    def _let_go_ahead(self) -> bool:
        """While the pod backs off, everybody goes ahead of it."""
        queued = self.copy.queued(self.key)
        is_active = queued is not None and queued.place == ACTIVE
        return thin_out(self.copy, {self.key}, before=queued if is_active else None)

    def _is_refused(self, pod: Pod) -> bool:
        """Tried since the change, and nothing is under way that would bring it back."""
        queued: QueuedPod | None = self.copy.queued(self.key)
        if queued is None or queued.place == GATED:
            return queued is None or (queued.key not in self.copy.preempting and not pod.nominated_node_name)
        if not self.decisions:
            return False
        tries = len(self.decisions)
        return queued.place == UNSCHEDULABLE or (tries >= TRIES and not pod.nominated_node_name)

    def _settle(self) -> None:
        """Let those that left a node, and others that the change woke and that find one now, be tried."""
        gone, priority, start_us = self._restarted(), self.copy.pods[self.key].priority, self.copy.now_us
        for _ in range(AFTER + len(gone)):
            found = successors(self.base, self.copy, gone)
            self._leave_out_all_but(set(found.values()), priority)
            if self.copy.queue.head() is not None:
                order: Command = Schedule()
            elif are_missing(self.base, gone, found) and self.copy.now_us - start_us < SOON_US:
                order = AdvanceToNextTimer()
            else:
                break
            if not self.do([order]):
                break

    def _leave_out_all_but(self, kept: set[str], priority: int) -> None:
        if not thin_out(self.copy, kept, feared=priority):
            for queued in [one for one in poppable(self.copy) if one.key not in kept]:
                self.copy.queue.remove(queued.key)

    def _restarted(self) -> list[str]:
        return [f"{edit.key[1]}/{edit.key[2]}" for edit in self.edits if isinstance(edit, Restart)]

    def _out_of_turn(self) -> Result:
        queued = self.copy.queued(self.key)
        waits = queued is None or queued.place != ACTIVE
        ahead = sum(waits or (queued is not None and one.order < queued.order) for one in poppable(self.copy))
        copy, pod = self.copy, self.copy.pods[self.key]
        profile = copy.profiles.get(pod.spec.scheduler_name)
        if profile is None:
            return Result("no help", message="No scheduler of this cluster is responsible for it.")
        cycle = Cycle(copy.cluster.snapshot(), profile, pod, seed=copy.seed, nominated=copy.nominated_pods())
        decision = cycle.run()
        outcome: Outcome = "fits" if decision.outcome == "bound" or decision.nominated_node else "no help"
        victims = tuple(Moved(key, decision.nominated_node or "", waits=True) for key in decision.victims)
        node = decision.node or decision.nominated_node or ""
        return Result(
            outcome,
            node,
            decision.feasible,
            decision.message,
            ahead,
            preempted=(*self._gave_way(), *victims),
            decision=decision,
        )

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _result(self, outcome: Outcome, seconds: float, ahead: dict[str, str]) -> Result:
        decision = self.decisions[-1] if self.decisions else None
        restarted = self._restarted()
        found = successors(self.base, self.copy, [*restarted, *self.preempted])
        touched = {*restarted, *self.preempted, *found.values()}
        also = self._because_of_it() if outcome == "fits" else ahead
        return Result(
            outcome,
            node=decision.node if decision is not None else "",
            feasible=decision.feasible if decision is not None else 0,
            message=decision.message if decision is not None else self.copy.last_message(self.key),
            seconds=seconds,
            moved=tuple(self._moved(key, found.get(key, key)) for key in restarted),
            preempted=self._gave_way(),
            also=tuple((key, node) for key, node in also.items() if key not in touched),
            rivals=tuple(ahead.items()) if outcome != "fits" else (),
            decision=decision,
        )

    def _because_of_it(self) -> dict[str, str]:
        """Other pods that were placed and that no node would have taken without the change."""
        if not self.bound:
            return {}
        before = fork(self.base)
        waiting = {key: before.pods[key] for key in self.bound if key in before.pods}
        return {key: self.bound[key] for key, pod in waiting.items() if not fits_anywhere(before, pod)}

    def _gave_way(self) -> tuple[Moved, ...]:
        found = successors(self.base, self.copy, self.preempted)
        return tuple(self._moved(key, found.get(key, key)) for key in self.preempted if key != self.key)

    def _driven_out(self) -> str:
        return f"It lands on `{self.decisions[-1].node}`, and is preempted there by `{self.preempted[self.key]}`."

    def _moved(self, key: str, successor: str) -> Moved:
        pod, origin = self.copy.pods.get(successor), self.base.pods.get(key)
        before = (origin.node_name if origin is not None else "") or self.bound.get(key, "")
        return Moved(key, before, pod.node_name if pod else "", pod is not None and not pod.node_name)
