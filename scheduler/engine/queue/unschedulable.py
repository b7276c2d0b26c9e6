"""unschedulablePods: the pods that wait for a change, gated ones among them, indexed by the plugins that refused them.

The index lets an event touch only the pods that care. Source: v1.34.1, backend/queue/unschedulable_pods.go.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, ValuesView

from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE, QueuedPod

ANYBODY = ""
"""Index key of pods that no plugin refused: every event is worth a try for them."""


class UnschedulablePods:
    def __init__(self) -> None:
        self._pods: dict[str, dict[str, QueuedPod]] = {UNSCHEDULABLE: {}, GATED: {}}
        self._by_plugin: dict[str, dict[str, QueuedPod]] = {}
        self._oldest: dict[str, list[tuple[int, str]]] = {UNSCHEDULABLE: [], GATED: []}

    def in_place(self, place: str) -> ValuesView[QueuedPod]:
        """The pods of `unschedulable` or of `gated`, in order of arrival."""
        return self._pods[place].values()

    def all(self) -> list[QueuedPod]:
        """Every pod, in no particular order."""
        return [*self._pods[UNSCHEDULABLE].values(), *self._pods[GATED].values()]

    def add(self, queued: QueuedPod) -> None:
        self._pods[queued.place][queued.key] = queued
        entries, pods = self._oldest[queued.place], self._pods[queued.place]
        heapq.heappush(entries, (queued.entry.timestamp_us, queued.key))
        if len(entries) > 2 * len(pods) + 64:
            entries[:] = sorted((pod.entry.timestamp_us, pod.key) for pod in pods.values())
        for plugin in queued.rejectors or (ANYBODY,):
            self._by_plugin.setdefault(plugin, {})[queued.key] = queued

    def remove(self, queued: QueuedPod) -> None:
        del self._pods[queued.place][queued.key]
        for plugin in queued.rejectors or (ANYBODY,):
            pods = self._by_plugin.get(plugin, {})
            pods.pop(queued.key, None)
            if not pods:
                self._by_plugin.pop(plugin, None)

    def refused_by(self, plugins: Iterable[str]) -> list[QueuedPod]:
        """The pods that at least one of these plugins refused, and those that nobody did, in no particular order."""
        found: dict[str, QueuedPod] = {}
        for plugin in (*plugins, ANYBODY):
            found.update(self._by_plugin.get(plugin, {}))
        return list(found.values())

    def oldest_us(self, place: str) -> int | None:
        """The earliest timestamp among the pods of a place. Amortised O(log n): stale entries go on the way."""
        entries, pods = self._oldest[place], self._pods[place]
        while entries:
            timestamp, key = entries[0]
            queued = pods.get(key)
            if queued is not None and queued.entry.timestamp_us == timestamp:
                return timestamp
            heapq.heappop(entries)
        return None

    def validate(self) -> None:
        for place, pods in self._pods.items():
            for key, queued in pods.items():
                assert queued.key == key, f"{key} is filed under another name"
                assert queued.place == place, f"{key} lies in {place} and says {queued.place}"
                assert (place == GATED) == queued.is_gated, f"{key}: gated and {place}"
        indexed = {(plugin, key) for plugin, pods in self._by_plugin.items() for key in pods}
        expected = {(plugin, q.key) for q in self.all() for plugin in (q.rejectors or (ANYBODY,))}
        assert indexed == expected, "index by plugin is out of step with unschedulablePods"
