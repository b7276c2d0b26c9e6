"""What happens to waiting pods when something is added, popped, refused, activated or changed: decided here.

Each decision is emitted as an event, and applied before the next one is taken. Source: v1.34.1, scheduling_queue.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from scheduler.engine.events import ClusterEventRecorded, Happening, PodMoved, PodUnqueued
from scheduler.engine.framework import Status
from scheduler.engine.hints.decide import Hints, Strategy
from scheduler.engine.hints.event import (
    ATTEMPT_FAILURE,
    BACKOFF_COMPLETE,
    FORCE_ACTIVATE,
    POD_ADD,
    UNSCHEDULABLE_TIMEOUT,
    ClusterEvent,
)
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.queue.entry import (
    ACTIVE,
    BACKOFF,
    ERROR_BACKOFF,
    GATED,
    IN_FLIGHT,
    NOWHERE,
    UNSCHEDULABLE,
    Entry,
    QueuedPod,
)
from scheduler.engine.queue.in_flight import Change
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.queue.state import SchedulingQueue
from scheduler.engine.simulation.clock import Clock

PreEnqueue: TypeAlias = Callable[[Pod], Status]
Gates: TypeAlias = Mapping[str, Sequence[tuple[str, PreEnqueue]]]
"""PreEnqueue plugins, in the order in which they are asked, by scheduler name."""

_structs_replace = msgspec.structs.replace


class QueueControl:
    def __init__(
        self,
        queue: SchedulingQueue,
        clock: Clock,
        emit: Callable[[Happening], None],
        hints: Hints,
        gates: Gates,
    ) -> None:
        self.queue = queue
        self.clock = clock
        self.emit = emit
        self.hints = hints
        self.gates = gates

    # --- operations ---------------------------------------------------------------------------------------------------

    def add(self, pod: Pod, cause: str = POD_ADD) -> None:
        """A pending pod appeared: to activeQ, unless a gate holds it."""
        self._to_active(pod, Entry(timestamp_us=self.clock.now_us), NOWHERE, cause)

    def remove(self, key: str) -> None:
        """A pending pod is gone. One in flight is not interrupted."""
        queued = self.queue.waiting(key)
        if queued is not None:
            self.emit(PodUnqueued(pod=key, source=queued.place))

    def fail(
        self, queued: QueuedPod, pod: Pod, refused: Iterable[str], pending: Iterable[str], since: list[Change] | None
    ) -> str:
        """An attempt failed: the pod goes to wait again. Returns why it does not, "" where it does.

        `since`: changes while it was in flight, taken before Done. No plugin at all = it failed with an error.
        """
        present = self.queue.waiting(pod.key)
        if present is not None:
            return f"Pod {pod.key} is already present in {_QUEUE_WORDS[present.place]} queue"
        entry = self._failed(queued.entry, tuple(sorted(set(refused))), tuple(sorted(set(pending))))
        strategy, hint = self._weigh(pod, entry, since)
        self._requeue(pod, entry, IN_FLIGHT, strategy, ATTEMPT_FAILURE, hint)
        return ""

    def activate(self, pods: Iterable[Pod]) -> None:
        """Bring pods to activeQ at once, whatever they wait for; gates are asked again."""
        missed: list[Pod] = []
        for pod in pods:
            queued = self.queue.waiting(pod.key)
            waits = queued is not None and queued.place != ACTIVE
            if queued is None or not waits or not self._activate(queued):
                missed.append(pod)
        for pod in missed:
            in_flight = uid_of(pod) in self.queue.in_flight
            self._record(FORCE_ACTIVATE, None, pod, in_flight)

    def move_all(
        self,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
        accept: Callable[[Pod], bool] | None = None,
    ) -> None:
        """Something changed in the cluster: move every unschedulable pod that it may help."""
        if not self.hints.is_of_interest(event):
            return
        plugins = self.hints.interested(event)
        waiting = self.queue.unschedulable
        candidates = waiting.all() if plugins is None else waiting.refused_by(plugins)
        if accept is not None:
            candidates = [queued for queued in candidates if accept(queued.pod)]
        self._move(candidates, event, old, new)

    def flush_backoff_completed(self) -> None:
        """The job of every whole second: pods that have waited long enough go to activeQ."""
        for heap in (self.queue.backing_off, self.queue.error_backing_off):
            while (head := heap.peek()) is not None and not self._is_backing_off(head.entry):
                self._to_active(head.pod, head.entry, head.place, BACKOFF_COMPLETE)

    def flush_unschedulable_leftover(self) -> None:
        """The job of every 30 seconds: pods that nothing woke for five minutes are tried again."""
        limit = self.clock.now_us - self.queue.settings.max_unschedulable_us
        candidates = [queued for queued in self.queue.unschedulable.all() if queued.entry.timestamp_us < limit]
        if candidates:
            self._move(candidates, UNSCHEDULABLE_TIMEOUT, None, None)

    def update_unschedulable(self, queued: QueuedPod, events: Iterable[ClusterEvent], old: Pod, new: Pod) -> None:
        """An unschedulable pod itself was updated: its own change may be what it waits for."""
        for event in events:
            strategy, hint = self._hint(queued, event, old, new)
            target = self._requeue(queued.pod, queued.entry, queued.place, strategy, event.label, hint)
            if target not in (UNSCHEDULABLE, GATED):
                return

    def record_for_flying(self, events: Iterable[ClusterEvent], old: Pod, new: Pod) -> None:
        """A pod in flight was updated: its attempt weighs that when it fails."""
        for event in events:
            self.emit(ClusterEventRecorded.of(event, (old, new), is_move=False))

    # --- moves --------------------------------------------------------------------------------------------------------

    def _move(
        self,
        candidates: Iterable[QueuedPod],
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
    ) -> None:
        """Move those that a hint speaks for, in the order that activeQ would have them, whatever way they came here."""
        for queued, strategy, hint in sorted(self._woken(candidates, event, old, new), key=_by_order):
            self._requeue(queued.pod, queued.entry, queued.place, strategy, event.label, hint)
        self._record(event, old, new, len(self.queue.in_flight) > 0)

    def _woken(
        self,
        candidates: Iterable[QueuedPod],
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
    ) -> Iterator[tuple[QueuedPod, Strategy, str]]:
        """The candidates that are worth requeuing, each with the way and the plugin that said so."""
        answers: dict[bytes, tuple[Strategy, str]] = {}
        itself = {uid_of(one) for one in (old, new) if isinstance(one, Pod)}
        for queued in candidates:
            gate = queued.entry.gating_plugin
            if gate and not self.hints.wakes_gated(gate, event):
                continue
            if uid_of(queued.pod) in itself:
                answer = self._hint(queued, event, old, new)
            else:
                known = answers.get(queued.likeness)
                answer = answers[queued.likeness] = known or self._hint(queued, event, old, new)
            if answer[0] is not Strategy.SKIP:
                yield queued, *answer

    def _requeue(self, pod: Pod, entry: Entry, source: str, strategy: Strategy, cause: str, hint: str) -> str:
        """Where the pod goes to by a hint's answer; the move is emitted unless it stays as it is."""
        if strategy is Strategy.SKIP:
            return self._stay(pod, entry, source, cause, hint)
        if strategy is Strategy.AFTER_BACKOFF and self._is_backing_off(entry):
            return self._to_backoff(pod, entry, source, cause, hint)
        return self._to_active(pod, entry, source, cause, hint)

    def _to_active(self, pod: Pod, entry: Entry, source: str, cause: str, hint: str = "") -> str:
        if not (self.queue.settings.pop_from_backoff and cause == BACKOFF_COMPLETE):
            entry = self._pre_enqueue(pod, entry)
        if entry.gating_plugin:
            return self._stay(pod, entry, source, cause, hint)
        if entry.initial_attempt_us is None:
            entry = _structs_replace(entry, initial_attempt_us=self.clock.now_us)
        self.emit(PodMoved(pod.key, source, ACTIVE, cause, hint, entry))
        return ACTIVE

    def _to_backoff(self, pod: Pod, entry: Entry, source: str, cause: str, hint: str) -> str:
        if self.queue.settings.pop_from_backoff:
            entry = self._pre_enqueue(pod, entry)
            if entry.gating_plugin:
                return self._stay(pod, entry, source, cause, hint)
        refused = entry.unschedulable_plugins or entry.pending_plugins
        target = BACKOFF if refused or self.queue.settings.single_backoff_queue else ERROR_BACKOFF
        self.emit(PodMoved(pod.key, source, target, cause, hint, entry))
        return target

    def _stay(self, pod: Pod, entry: Entry, source: str, cause: str, hint: str) -> str:
        """In unschedulablePods, gated or not. A pod that was there already is mentioned only if its entry changed."""
        target = GATED if entry.gating_plugin else UNSCHEDULABLE
        queued = self.queue.waiting(pod.key)
        if queued is None or queued.place != target or queued.entry != entry:
            self.emit(PodMoved(pod.key, source, target, cause, hint, entry))
        return target

    def _activate(self, queued: QueuedPod) -> bool:
        cause = FORCE_ACTIVATE.label
        return self._to_active(queued.pod, queued.entry, queued.place, cause) == ACTIVE

    # --- judgements ---------------------------------------------------------------------------------------------------

    def _pre_enqueue(self, pod: Pod, entry: Entry) -> Entry:
        """The entry with the first gate that holds the pod, or with none. The one that held it last is asked first."""
        gates = self.gates.get(pod.spec.scheduler_name or "default-scheduler", ())
        for name, gate in (
            sorted(gates, key=lambda one: one[0] != entry.gating_plugin) if entry.gating_plugin else gates
        ):
            if not gate(pod).is_success:
                refused = tuple(sorted({*entry.unschedulable_plugins, name}))
                return _structs_replace(entry, unschedulable_plugins=refused, gating_plugin=name)
        return _structs_replace(entry, gating_plugin="") if entry.gating_plugin else entry

    def _failed(self, entry: Entry, refused: tuple[str, ...], pending: tuple[str, ...]) -> Entry:
        """The entry after a failure now: counters, timestamp, and the end of the backoff that it costs."""
        rejected = bool(refused or pending)
        failed = _structs_replace(
            entry,
            timestamp_us=self.clock.now_us,
            unschedulable_count=entry.unschedulable_count + rejected,
            consecutive_errors=0 if rejected else entry.consecutive_errors + 1,
            unschedulable_plugins=refused,
            pending_plugins=pending,
        )
        return _structs_replace(
            failed, backoff_expiry_us=self.queue.backoff.expiry_us(failed.timestamp_us, failed.failures)
        )

    def _weigh(self, pod: Pod, entry: Entry, since: list[Change] | None) -> tuple[Strategy, str]:
        """How to requeue a failed pod: by the best answer to what happened while it was in flight."""
        if not (entry.unschedulable_plugins or entry.pending_plugins) or since is None:
            return Strategy.AFTER_BACKOFF, ""
        best, by = Strategy.SKIP, ""
        for change in since:
            strategy, hint = self.hints.is_worth_requeuing(pod, entry, change.event, change.old, change.new)
            if strategy > best:
                best, by = strategy, hint
            if best is Strategy.IMMEDIATELY or (best is Strategy.AFTER_BACKOFF and not entry.pending_plugins):
                break
        return best, by

    def _hint(
        self, queued: QueuedPod, event: ClusterEvent, old: KubernetesObject | None, new: KubernetesObject | None
    ) -> tuple[Strategy, str]:
        return self.hints.is_worth_requeuing(queued.pod, queued.entry, event, old, new)

    def _is_backing_off(self, entry: Entry) -> bool:
        return self.queue.is_backing_off(entry, self.clock.now_us)

    def _record(
        self, event: ClusterEvent, old: KubernetesObject | None, new: KubernetesObject | None, in_flight: bool
    ) -> None:
        """Note a move request, unless it would leave no trace."""
        if in_flight:
            self.emit(ClusterEventRecorded.of(event, (old, new)))
        elif self.queue.move_request_cycle != self.queue.scheduling_cycle:
            self.emit(ClusterEventRecorded.of(event, None))


def _by_order(woken: tuple[QueuedPod, Strategy, str]) -> tuple[tuple[int, int], str]:
    return woken[0].order, woken[0].key


_QUEUE_WORDS = {
    ACTIVE: "the active",
    BACKOFF: "the backoff",
    ERROR_BACKOFF: "the backoff",
    UNSCHEDULABLE: "unschedulable",
    GATED: "unschedulable",
}
