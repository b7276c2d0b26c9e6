"""What happened: past tense, immutable, complete. The log of these is the truth; every state is a fold of it.

Applying an event never decides anything: whatever was decided (a move's target, a cycle's node, a backoff's end)
is in the event. So a log keeps its meaning when the deciding code changes.
"""

from __future__ import annotations

from typing import Any, Self, TypeAlias

import msgspec

from scheduler.engine.hints.event import ClusterEvent
from scheduler.engine.objects import KubernetesObject, key_of
from scheduler.engine.queue.entry import Entry
from scheduler.engine.scenario import ScenarioStep


class _Happening(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Defaults here are only "", 0, False and None: msgspec omits by identity, which no other value can be sure of."""


class ClusterCreated(_Happening, tag="ClusterCreated", frozen=True):
    """First event of every log. `configuration`: a KubeSchedulerConfiguration; `settings`: see `settings.Settings`."""

    name: str
    seed: int
    start_us: int
    configuration: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class ObjectAdded(_Happening, tag="ObjectAdded", frozen=True):
    """A pod with a node is on it from here on; a pending one is queued by the PodMoved that follows."""

    object_kind: str
    manifest: dict[str, Any]


class ObjectUpdated(_Happening, tag="ObjectUpdated", frozen=True):
    """`manifest` replaces the old one; a waiting pod keeps its queue entry and is sorted again."""

    object_kind: str
    manifest: dict[str, Any]


class ObjectPatched(_Happening, tag="ObjectPatched", frozen=True):
    """Binding a pod changed a few fields of a volume or claim. `patch`: a JSON merge patch of its manifest."""

    object_kind: str
    namespace: str
    name: str
    patch: dict[str, Any]


class ObjectDeleted(_Happening, tag="ObjectDeleted", frozen=True):
    """`cause`: "" by a command, `preempted` by <key of the preemptor>, `completed` (its lifetime was over),
    `evicted` by <the node that was drained or deleted>, and `owner deleted` or `namespace deleted` by <kind/name>.
    """

    object_kind: str
    namespace: str
    name: str
    cause: str = ""
    by: str = ""


class PodMoved(_Happening, tag="PodMoved", frozen=True):
    """A pod changed its place in the queues.

    `source`/`target`: "" (not queued), active, backoff, error_backoff, unschedulable, gated, in_flight.
    `cause`: the event label as kube-scheduler names it (UnschedulablePodAdd, ScheduleAttemptFailure, BackoffComplete,
    NodeAdd, …). `hint`: the plugin whose queueing hint decided, if one did. `entry`: the complete queue entry after
    the move.
    """

    pod: str
    source: str
    target: str
    cause: str
    hint: str
    entry: Entry


class PodUnqueued(_Happening, tag="PodUnqueued", frozen=True):
    """A waiting pod left the queues because it was deleted, has ended or was bound from outside.

    One in flight leaves at the end of its cycle: `source` is in_flight then, and whoever has its name now stays.
    """

    pod: str
    source: str


class CycleStarted(_Happening, tag="CycleStarted", frozen=True):
    """A pod was popped: cycle `number` is open and reads the state of this event's seq. `source`: active or backoff."""

    number: int
    pod: str
    attempt: int
    source: str


class PhaseReached(_Happening, tag="PhaseReached", frozen=True):
    number: int
    phase: str


class CycleFinished(_Happening, tag="CycleFinished", frozen=True):
    """The open cycle ended. `decision` is `decision.Decision` as plain data.

    Outcome `bound`: from here on the pod is on `decision["node"]` and runs. Otherwise the PodMoved that follows puts it
    back. `woke`: the assigned pod was an event of interest, so the move request cycle is now the scheduling cycle.
    """

    number: int
    pod: str
    decision: dict[str, Any]
    woke: bool = False


class PodNominated(_Happening, tag="PodNominated", frozen=True):
    """The pod's `status.nominatedNodeName` changed: preemption made room on `node`, or "" took the nomination away."""

    pod: str
    node: str


class ClusterEventRecorded(_Happening, tag="ClusterEventRecorded", frozen=True):
    """An event of interest has moved what it could: the move request cycle is now the scheduling cycle.

    With `in_flight` set, pods in flight weigh the event when their attempt fails (kube-scheduler's inFlightEvents);
    `old_kind`/`new_kind` name the objects' kinds. `action`: bits of `hints.event.Action`. `is_move` off: an update of
    the pod in flight itself, which moves nothing.
    """

    resource: str
    action: int
    label: str
    in_flight: bool = False
    old_kind: str = ""
    old: dict[str, Any] | None = None
    new_kind: str = ""
    new: dict[str, Any] | None = None
    is_move: bool = True

    @classmethod
    def of(
        cls,
        event: ClusterEvent,
        change: tuple[KubernetesObject | None, KubernetesObject | None] | None,
        *,
        is_move: bool = True,
    ) -> Self:
        """`change`: the old and the new object where pods in flight must weigh them, else None."""
        resource, action, label = event.resource, event.action, event.label
        if change is None:
            return cls(resource, action, label)
        old, new = change
        return cls(resource, action, label, True, kind_of(old), plain(old), kind_of(new), plain(new), is_move)


def kind_of(value: KubernetesObject | None) -> str:
    return "" if value is None else type(value).__name__


def plain(value: KubernetesObject | None) -> dict[str, Any] | None:
    """The part of an object's manifest that scheduling reads."""
    return None if value is None else msgspec.to_builtins(value)


class ClockAdvanced(_Happening, tag="ClockAdvanced", frozen=True):
    """The clock moved to this event's `at_us`, and nothing else happened since the event before it."""


class ProfileChanged(_Happening, tag="ProfileChanged", frozen=True):
    """`settings`: None leaves them as they are."""

    configuration: dict[str, Any]
    settings: dict[str, Any] | None = None


class ScenarioLoaded(_Happening, tag="ScenarioLoaded", frozen=True):
    """These steps are to be played at their moments; each takes the next number."""

    name: str
    steps: list[ScenarioStep]


class ScenarioStepPlayed(_Happening, tag="ScenarioStepPlayed", frozen=True):
    """The clock reached step `number`; what it does follows as events of its own. `refused`: why it does nothing."""

    number: int
    action: str
    object_kind: str
    namespace: str
    name: str
    refused: str = ""


class ScenarioCancelled(_Happening, tag="ScenarioCancelled", frozen=True):
    """The `steps` that were still to come will not be played."""

    steps: int


class Reconciled(_Happening, tag="Reconciled", frozen=True):
    """The controller of a workload looked at it; what it did follows as events of their own."""

    object_kind: str
    namespace: str
    name: str


class ReconcilePlanned(_Happening, tag="ReconcilePlanned", frozen=True):
    """It will look again at `due_us` even if nothing changes. `failures`: how often in a row it has failed."""

    object_kind: str
    namespace: str
    name: str
    due_us: int
    failures: int = 0


class EventRecorded(_Happening, tag="EventRecorded", frozen=True):
    """A controller said something about an object: an Event in Kubernetes' sense. `type`: Normal or Warning."""

    object_kind: str
    namespace: str
    name: str
    type: str
    reason: str
    message: str


class ResetDone(_Happening, tag="Reset", frozen=True):
    """From here on the state, its clock included, is again the one of `to_seq`; cycles are numbered on from `cycle`.

    Applied to the state of `to_seq`, not to the one before this event: see `Simulation.reset`.
    """

    to_seq: int
    cycle: int = 0


Happening: TypeAlias = (
    ClusterCreated
    | ObjectAdded
    | ObjectUpdated
    | ObjectPatched
    | ObjectDeleted
    | PodMoved
    | PodUnqueued
    | CycleStarted
    | PhaseReached
    | CycleFinished
    | PodNominated
    | ClusterEventRecorded
    | ClockAdvanced
    | ProfileChanged
    | ScenarioLoaded
    | ScenarioStepPlayed
    | ScenarioCancelled
    | Reconciled
    | ReconcilePlanned
    | EventRecorded
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


def about(happening: Happening) -> str:
    """The object that an event is about: `Pod/default/web`, `Node//n1`; "" if about none."""
    if isinstance(happening, (ObjectAdded, ObjectUpdated)):
        return "/".join(key_of(happening.object_kind, happening.manifest))
    if isinstance(happening, (ObjectPatched, ObjectDeleted, Reconciled, ReconcilePlanned, EventRecorded)):
        return f"{happening.object_kind}/{happening.namespace}/{happening.name}"
    if isinstance(happening, (PodMoved, PodUnqueued, CycleStarted, CycleFinished, PodNominated)):
        return f"Pod/{happening.pod}"
    return ""
