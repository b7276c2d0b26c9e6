"""A pod in the queues: kube-scheduler's QueuedPodInfo.

`Entry` is the part that events carry; `QueuedPod` joins it with the pod and its place. Source: v1.34.1,
framework/types.go.
"""

from __future__ import annotations

import msgspec

from scheduler.engine.objects import Pod

ACTIVE = "active"
BACKOFF = "backoff"
ERROR_BACKOFF = "error_backoff"
UNSCHEDULABLE = "unschedulable"
GATED = "gated"
IN_FLIGHT = "in_flight"
NOWHERE = ""

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

PLACES = (ACTIVE, BACKOFF, ERROR_BACKOFF, UNSCHEDULABLE, GATED, IN_FLIGHT)
NAMES = {
    ACTIVE: "ActiveQ",
    BACKOFF: "BackoffQ",
    ERROR_BACKOFF: "BackoffQ (errors)",
    UNSCHEDULABLE: "Unschedulable",
    GATED: "Gated",
    IN_FLIGHT: "in flight",
}
"""Of the places, for people."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Times are virtual µs. `timestamp_us`: time of the last add or failure, the second sort key of activeQ.

    `backoff_expiry_us`: 0 while the pod has never failed. Both plugin lists are sorted and without repetitions.
    """

    timestamp_us: int
    attempts: int = 0
    initial_attempt_us: int | None = None
    unschedulable_count: int = 0
    consecutive_errors: int = 0
    backoff_expiry_us: int = 0
    unschedulable_plugins: tuple[str, ...] = ()
    pending_plugins: tuple[str, ...] = ()
    gating_plugin: str = ""

    @property
    def failures(self) -> int:
        """The count that decides how long the pod backs off."""
        return self.consecutive_errors if self.consecutive_errors > 0 else self.unschedulable_count

    def popped(self, attempt: int) -> Entry:
        return Entry(
            timestamp_us=self.timestamp_us,
            attempts=attempt,
            initial_attempt_us=self.initial_attempt_us,
            unschedulable_count=self.unschedulable_count,
            consecutive_errors=self.consecutive_errors,
            backoff_expiry_us=self.backoff_expiry_us,
        )


class QueuedPod:
    """A waiting or in-flight pod. `entry` and `pod` are replaced, never changed."""

    __slots__ = ("_likeness", "entry", "key", "order", "place", "pod")

    def __init__(self, pod: Pod, entry: Entry, place: str) -> None:
        self.key = pod.key
        self.place = place
        self.replace(pod, entry)

    def replace(self, pod: Pod, entry: Entry) -> None:
        self.pod = pod
        self.entry = entry
        self.order = (-pod.priority, entry.timestamp_us)
        self._likeness: bytes | None = None

    def copy(self) -> QueuedPod:
        other = object.__new__(QueuedPod)
        other.key, other.place, other.pod, other.entry = self.key, self.place, self.pod, self.entry
        other.order, other._likeness = self.order, self._likeness
        return other

    @property
    def likeness(self) -> bytes:
        """All of the pod that a hint looks at. Replicas that wait for the same reason are asked for only once."""
        if self._likeness is None:
            pod = self.pod
            owns_claims = any(volume.ephemeral is not None for volume in pod.spec.volumes or ())
            refused, pending = self.entry.unschedulable_plugins, self.entry.pending_plugins
            self._likeness = _encode(
                (pod.namespace, pod.name if owns_claims else "", pod.labels, pod.spec, refused, pending)
            )
        return self._likeness

    @property
    def is_gated(self) -> bool:
        return self.entry.gating_plugin != ""

    @property
    def rejectors(self) -> tuple[str, ...]:
        """Plugins that may let the pod out of unschedulablePods: those that refused it, pending ones included."""
        return self.entry.unschedulable_plugins + self.entry.pending_plugins


def by_priority(a: QueuedPod, b: QueuedPod) -> bool:
    """PrioritySort: higher priority first, then the earlier timestamp."""
    return a.order < b.order


def by_expiry_then_priority(a: QueuedPod, b: QueuedPod) -> bool:
    first, second = a.entry.backoff_expiry_us, b.entry.backoff_expiry_us
    return a.order < b.order if first == second else first < second


def by_expiry(a: QueuedPod, b: QueuedPod) -> bool:
    return a.entry.backoff_expiry_us < b.entry.backoff_expiry_us
