"""The scheduling queue as a state: activeQ, the two backoff heaps, unschedulablePods, in-flight pods, the nominator.

Nothing here decides; `queue_control` does, and events bring the outcome. Source: v1.34.1, scheduling_queue.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from scheduler.engine.objects import Pod
from scheduler.engine.queue.backoff import Backoff
from scheduler.engine.queue.entry import (
    ACTIVE,
    BACKOFF,
    ERROR_BACKOFF,
    GATED,
    IN_FLIGHT,
    UNSCHEDULABLE,
    Entry,
    QueuedPod,
    by_expiry,
    by_expiry_then_priority,
    by_priority,
)
from scheduler.engine.queue.heap import Heap
from scheduler.engine.queue.in_flight import Change, InFlight
from scheduler.engine.queue.nominator import Nominator, uid_of
from scheduler.engine.queue.unschedulable import UnschedulablePods
from scheduler.engine.simulation.settings import Settings


def _key(queued: QueuedPod) -> str:
    return queued.key


class SchedulingQueue:
    """Look-up of a waiting pod is O(1) everywhere; heaps move in O(log n)."""

    def __init__(self, settings: Settings, backoff: Backoff) -> None:
        order = by_expiry_then_priority if settings.pop_from_backoff else by_expiry
        self.settings = settings
        self.backoff = backoff
        self.active: Heap[QueuedPod] = Heap(by_priority, _key)
        self.backing_off: Heap[QueuedPod] = Heap(order, _key)
        self.error_backing_off: Heap[QueuedPod] = Heap(by_expiry, _key)
        self.unschedulable = UnschedulablePods()
        self.in_flight = InFlight()
        self.nominator = Nominator()
        self.scheduling_cycle = 0
        self.move_request_cycle = -1
        self._waiting: dict[str, QueuedPod] = {}

    def reconfigure(self, settings: Settings, backoff: Backoff) -> None:
        """Take over other settings; waiting pods keep the places and the expiries that they have."""
        self.settings, self.backoff = settings, backoff
        order = by_expiry_then_priority if settings.pop_from_backoff else by_expiry
        if not self.backing_off.orders_by(order):
            waiting = self.backing_off.in_order()
            self.backing_off = Heap(order, _key)
            self.backing_off.heapify(waiting)

    # --- reading ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Waiting pods; those in flight do not wait."""
        return len(self._waiting)

    def __iter__(self) -> Iterator[QueuedPod]:
        return iter(self._waiting.values())

    def get(self, key: str) -> QueuedPod | None:
        """The waiting pod `namespace/name`, or else the one in flight."""
        return self._waiting.get(key) or self.flying(key)

    def waiting(self, key: str) -> QueuedPod | None:
        return self._waiting.get(key)

    def flying(self, key: str) -> QueuedPod | None:
        return next((queued for queued in self.in_flight.pods.values() if queued.key == key), None)

    def head(self) -> QueuedPod | None:
        """The pod that Pop would take: of activeQ, else of backoffQ where that is allowed."""
        head = self.active.peek()
        if head is None and self.settings.pop_from_backoff:
            return self.backing_off.peek()
        return head

    def lane(self, place: str, first: int | None = None) -> list[QueuedPod]:
        """The pods of a place (the `first` few) in its order: of a heap in pop order, else in order of arrival."""
        if place in (ACTIVE, BACKOFF, ERROR_BACKOFF):
            return self._heap(place).in_order(first)
        pods = self.in_flight.pods.values() if place == IN_FLIGHT else self.unschedulable.in_place(place)
        return list(islice(pods, first))

    def counts(self) -> dict[str, int]:
        return {
            ACTIVE: len(self.active),
            BACKOFF: len(self.backing_off),
            ERROR_BACKOFF: len(self.error_backing_off),
            UNSCHEDULABLE: len(self.unschedulable.in_place(UNSCHEDULABLE)),
            GATED: len(self.unschedulable.in_place(GATED)),
            IN_FLIGHT: len(self.in_flight),
        }

    def is_backing_off(self, entry: Entry, now_us: int) -> bool:
        return self.backoff.is_backing_off(entry.backoff_expiry_us, now_us)

    # --- changing: one method an event --------------------------------------------------------------------------------

    def put(self, pod: Pod, entry: Entry, place: str) -> None:
        """Bring a pod to a place, out of the one where it waited."""
        queued = self._waiting.get(pod.key)
        if queued is None:
            queued = self._waiting[pod.key] = QueuedPod(pod, entry, place)
        else:
            self._take_out(queued)
            queued.replace(pod, entry)
            queued.place = place
        if place in (UNSCHEDULABLE, GATED):
            self.unschedulable.add(queued)
        else:
            self._heap(place).add_or_update(queued)

    def remove(self, key: str) -> QueuedPod | None:
        queued = self._waiting.pop(key, None)
        if queued is not None:
            self._take_out(queued)
        return queued

    def start(self, key: str, attempt: int) -> QueuedPod:
        """Pop: the pod leaves its heap and is in flight. Raises KeyError unless it waits."""
        queued = self._waiting.pop(key)
        self._take_out(queued)
        queued.replace(queued.pod, queued.entry.popped(attempt))
        queued.place = IN_FLIGHT
        self.in_flight.begin(uid_of(queued.pod), queued)
        self.scheduling_cycle += 1
        return queued

    def done(self, uid: str) -> None:
        self.in_flight.done(uid)

    def record(self, change: Change | None, *, is_move: bool = True) -> None:
        """An event of interest has moved what it could; a change is kept for pods in flight."""
        if is_move:
            self.move_request_cycle = self.scheduling_cycle
        if change is not None:
            self.in_flight.record(change)

    def replace_pod(self, old: Pod, new: Pod) -> QueuedPod | None:
        """A waiting pod was updated: it keeps its entry and place, and is sorted again. One in flight is left alone."""
        queued = self._waiting.get(old.key)
        if queued is not None:
            queued.replace(new, queued.entry)
            if queued.place not in (UNSCHEDULABLE, GATED):
                self._heap(queued.place).fix(queued.key)
        return queued

    # --- inner --------------------------------------------------------------------------------------------------------

    def fork(self, pods: Mapping[str, Pod]) -> SchedulingQueue:
        """A copy that goes its own way. `pods`: all pods by key."""
        other = SchedulingQueue(self.settings, self.backoff)
        other._waiting = {key: queued.copy() for key, queued in self._waiting.items()}
        for place, heap in other.heaps().items():
            heap.load([other._waiting[queued.key] for queued in self._heap(place)])
        for place in (UNSCHEDULABLE, GATED):
            for queued in self.unschedulable.in_place(place):
                other.unschedulable.add(other._waiting[queued.key])
        flying = {uid: queued.copy() for uid, queued in self.in_flight.pods.items()}
        other.in_flight.load(flying, self.in_flight.dump())
        other.nominator.load(self.nominator.dump(), pods)
        other.scheduling_cycle, other.move_request_cycle = self.scheduling_cycle, self.move_request_cycle
        return other

    def restore(self, pod: Pod, entry: Entry, place: str) -> QueuedPod:
        """A waiting pod out of a checkpoint; the heaps are loaded by the caller."""
        queued = self._waiting[pod.key] = QueuedPod(pod, entry, place)
        if place in (UNSCHEDULABLE, GATED):
            self.unschedulable.add(queued)
        return queued

    def heaps(self) -> dict[str, Heap[QueuedPod]]:
        return {ACTIVE: self.active, BACKOFF: self.backing_off, ERROR_BACKOFF: self.error_backing_off}

    def _heap(self, place: str) -> Heap[QueuedPod]:
        if place == ACTIVE:
            return self.active
        return self.backing_off if place == BACKOFF else self.error_backing_off

    def _take_out(self, queued: QueuedPod) -> None:
        if queued.place in (UNSCHEDULABLE, GATED):
            self.unschedulable.remove(queued)
        else:
            self._heap(queued.place).remove(queued.key)
