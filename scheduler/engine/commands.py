"""What one can ask of a simulation: imperative, immutable, complete. Undo needs an earlier state: `Simulation.reset`.

A command carries everything that decides its outcome; the engine reads no clock and draws no random number. Times are
integer microseconds since the Unix epoch of the *virtual* clock.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from scheduler.engine.scenario import ScenarioStep


class _Command(msgspec.Struct, frozen=True, tag_field="command"):
    pass


class AddObject(_Command, tag="add", frozen=True):
    """Create an object. `manifest` is already admitted (defaults, priority, uid). Refused if the key exists."""

    kind: str
    manifest: dict[str, Any]


class UpdateObject(_Command, tag="update", frozen=True):
    """Replace an object by its complete new manifest. Refused if the key does not exist."""

    kind: str
    manifest: dict[str, Any]


class DeleteObject(_Command, tag="delete", frozen=True):
    """`cause` and `by` of the event: "" for a deletion of its own, `evicted` by the node that a pod has to leave."""

    kind: str
    namespace: str
    name: str
    cause: str = ""
    by: str = ""


class PopPod(_Command, tag="pop", frozen=True):
    """Take the next pod and open a cycle. No event where no pod can be popped or a cycle is open already."""


class ReachPhase(_Command, tag="phase", frozen=True):
    """Record that the open cycle has been shown up to this phase (see `cycle.PHASES`)."""

    phase: str


class FinishCycle(_Command, tag="finish", frozen=True):
    """Close the open cycle with a decision computed on the snapshot of its Pop (see `cycle.Decision`)."""

    decision: dict[str, Any]


class Schedule(_Command, tag="schedule", frozen=True):
    """One whole attempt in process: pop, decide, finish."""


class AdvanceClock(_Command, tag="advance", frozen=True):
    """Move the virtual clock to `to_us` and fire the timers due until then, each at its own moment.

    After 10,000 such moments, or 100,000 events, the clock stays: the rest is for the next command.
    """

    to_us: int


class AdvanceToNextTimer(_Command, tag="next-timer", frozen=True):
    """Move the clock to the next moment at which something happens by itself; no event if there is none."""


class ActivatePods(_Command, tag="activate", frozen=True):
    """Bring waiting pods to activeQ now, as kube-scheduler's Activate does. Keys are `namespace/name`."""

    keys: tuple[str, ...]


class ChangeProfile(_Command, tag="profile", frozen=True):
    """Replace the scheduler configuration (a KubeSchedulerConfiguration v1 as JSON).

    `settings`: clock and queue settings (`settings.Settings` as plain data); None leaves them.
    """

    configuration: dict[str, Any]
    settings: dict[str, Any] | None = None


class LoadScenario(_Command, tag="scenario", frozen=True):
    """Plan steps that lie in the future; the clock plays each at its moment."""

    name: str
    steps: tuple[ScenarioStep, ...]


class CancelScenario(_Command, tag="cancel-scenario", frozen=True):
    """Forget the steps that have not been played."""


Command: TypeAlias = (
    AddObject
    | UpdateObject
    | DeleteObject
    | PopPod
    | ReachPhase
    | FinishCycle
    | Schedule
    | AdvanceClock
    | AdvanceToNextTimer
    | ActivatePods
    | ChangeProfile
    | LoadScenario
    | CancelScenario
)
