"""What happened how often, counted while the log is folded: moves between places, attempts, preemptions.

Counters go back with an undo, as the state does. What they mean is kube-scheduler's: v1.34.1, metrics/metrics.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler.engine import events
from scheduler.engine.events import Happening
from scheduler.engine.simulation.moves import Move, move_of

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


class TallyData(msgspec.Struct, array_like=True):
    """A tally as plain data, sorted: equal tallies are equal bytes."""

    moves: list[tuple[str, str, str, str, int]] = []
    attempts: list[tuple[str, str, int]] = []
    preemptions: int = 0
    victims: list[tuple[int, int]] = []
    tries: list[tuple[int, int]] = []

    @property
    def cycles(self) -> int:
        """How many are over and count: what an undo took back does not."""
        return sum(times for *_, times in self.attempts)


class Tally:
    """`moves`: by source, target, cause and hint. `attempts`: by result and profile. `preemptions`: PostFilter runs.

    `victims`: preemptions by the number of their victims; `tries`: bound pods by the attempts that they took.
    """

    def __init__(self) -> None:
        self.moves: dict[Move, int] = {}
        self.attempts: dict[tuple[str, str], int] = {}
        self.preemptions = 0
        self.victims: dict[int, int] = {}
        self.tries: dict[int, int] = {}

    def take(self, before: Simulation, happening: Happening) -> None:
        """Count one event. `before`: the state that it is about to be applied to."""
        if (move := move_of(happening)) is not None:
            self.moves[move] = self.moves.get(move, 0) + 1
        if isinstance(happening, events.CycleFinished) and before.open_cycle is not None:
            self._attempt(happening, before.open_cycle.attempt, before.open_cycle.profile.scheduler_name)
            if happening.decision.get("unschedulable_plugins") and before.open_cycle.profile.enabled("postFilter"):
                self.preemptions += 1

    def _attempt(self, happening: events.CycleFinished, attempt: int, profile: str) -> None:
        decision = happening.decision
        result = "scheduled" if decision["outcome"] == "bound" else decision["outcome"]
        self.attempts[result, profile] = self.attempts.get((result, profile), 0) + 1
        if result == "scheduled":
            self.tries[attempt] = self.tries.get(attempt, 0) + 1
        if victims := len(decision.get("victims", ())):
            self.victims[victims] = self.victims.get(victims, 0) + 1

    def dump(self) -> TallyData:
        return TallyData(
            sorted((*move, count) for move, count in self.moves.items()),
            sorted((*key, count) for key, count in self.attempts.items()),
            self.preemptions,
            sorted(self.victims.items()),
            sorted(self.tries.items()),
        )

    @classmethod
    def load(cls, data: TallyData) -> Tally:
        tally = cls()
        tally.moves = {Move(*key): count for *key, count in data.moves}
        tally.attempts = {(result, profile): count for result, profile, count in data.attempts}
        tally.preemptions = data.preemptions
        tally.victims, tally.tries = dict(data.victims), dict(data.tries)
        return tally
