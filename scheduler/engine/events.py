"""What happened: past tense, immutable, complete. The log of these is the truth; every state is a fold of it.

Applying an event never decides anything: whatever was decided (a move's target, a cycle's node, a backoff's end)
is in the event. So a log keeps its meaning when the deciding code changes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec


class _Happening(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    pass


class ClusterCreated(_Happening, tag="ClusterCreated"):
    """First event of every log. `settings`: clock and queue settings; see `simulation.Settings`."""

    name: str
    seed: int
    start_us: int
    configuration: dict[str, Any]
    settings: dict[str, Any] = {}


class ObjectAdded(_Happening, tag="ObjectAdded"):
    object_kind: str
    manifest: dict[str, Any]


class ObjectUpdated(_Happening, tag="ObjectUpdated"):
    object_kind: str
    manifest: dict[str, Any]


class ObjectDeleted(_Happening, tag="ObjectDeleted"):
    object_kind: str
    namespace: str
    name: str


class PodMoved(_Happening, tag="PodMoved"):
    """A pod changed its place in the queues.

    `source`/`target`: "" (not queued), active, backoff, error_backoff, unschedulable, gated, in_flight.
    `cause`: the event label as kube-scheduler names it (UnschedulablePodAdd, ScheduleAttemptFailure, BackoffComplete,
    NodeAdd, …). `hint`: the plugin whose queueing hint decided, if one did. `entry`: the queue entry's complete
    fields after the move (see `queue.QueuedPod`).
    """

    pod: str
    source: str
    target: str
    cause: str
    hint: str = ""
    entry: dict[str, Any] = {}


class PodUnqueued(_Happening, tag="PodUnqueued"):
    """A waiting pod left the queues because it was deleted or bound from outside."""

    pod: str
    source: str


class CycleStarted(_Happening, tag="CycleStarted"):
    """A pod was popped: cycle `number` is open and reads the snapshot of this event's seq."""

    number: int
    pod: str
    attempt: int
    source: str = "active"


class PhaseReached(_Happening, tag="PhaseReached"):
    number: int
    phase: str


class CycleFinished(_Happening, tag="CycleFinished"):
    """`decision` is `cycle.Decision` as plain data: outcome, node, total, ties, draw, message, refusals, start index."""

    number: int
    pod: str
    decision: dict[str, Any]


class PodBound(_Happening, tag="PodBound"):
    pod: str
    node: str


class ClusterEventRecorded(_Happening, tag="ClusterEventRecorded"):
    """Something happened that in-flight pods must weigh when their attempt fails (kube-scheduler's inFlightEvents)."""

    label: str
    old: dict[str, Any] | None = None
    new: dict[str, Any] | None = None


class ClockAdvanced(_Happening, tag="ClockAdvanced"):
    """The clock moved and nothing else happened."""


class ProfileChanged(_Happening, tag="ProfileChanged"):
    configuration: dict[str, Any]


class ResetDone(_Happening, tag="Reset"):
    """From here on the state is again the one of `to_seq`."""

    to_seq: int


Happening: TypeAlias = (
    ClusterCreated
    | ObjectAdded
    | ObjectUpdated
    | ObjectDeleted
    | PodMoved
    | PodUnqueued
    | CycleStarted
    | PhaseReached
    | CycleFinished
    | PodBound
    | ClusterEventRecorded
    | ClockAdvanced
    | ProfileChanged
    | ResetDone
)


class Event(msgspec.Struct, frozen=True):
    """A happening at its place in the log. `at_us`: virtual time; `version`: of the payload's shape."""

    seq: int
    at_us: int
    happening: Happening
    version: int = 1

    @property
    def kind(self) -> str:
        return type(self.happening).__struct_config__.tag  # type: ignore[return-value]
