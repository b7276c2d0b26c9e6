"""In-flight pods, and what happened in the cluster since each was popped. Source: v1.34.1, active_queue.go."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from scheduler.engine.hints.event import ClusterEvent
from scheduler.engine.objects import KubernetesObject
from scheduler.engine.queue.entry import QueuedPod


class Change(msgspec.Struct, frozen=True):
    """A cluster event with the objects it was about; hints of failed attempts weigh it again."""

    event: ClusterEvent
    old: KubernetesObject | None = None
    new: KubernetesObject | None = None


class InFlight:
    """One list of markers (a pod was popped) and changes, in order of arrival; it never begins with a change."""

    def __init__(self) -> None:
        self.pods: dict[str, QueuedPod] = {}
        self._markers: dict[str, int] = {}
        self._log: OrderedDict[int, str | Change] = OrderedDict()
        self._next = 0

    def __len__(self) -> int:
        return len(self.pods)

    def __contains__(self, uid: object) -> bool:
        return uid in self.pods

    def begin(self, uid: str, queued: QueuedPod) -> None:
        self.pods[uid] = queued
        self._markers[uid] = self._append(uid)

    def record(self, change: Change) -> None:
        self._append(change)

    def done(self, uid: str) -> None:
        """Forget a pod, and every change that nobody in flight is older than. No-op for an unknown one."""
        if self.pods.pop(uid, None) is None:
            return
        del self._log[self._markers.pop(uid)]
        while self._log and isinstance(next(iter(self._log.values())), Change):
            self._log.popitem(last=False)

    def changes_since(self, uid: str) -> list[Change] | None:
        """What happened after the pod was popped, oldest first; None for a pod that is not in flight."""
        marker = self._markers.get(uid)
        if marker is None:
            return None
        return [item for at, item in self._log.items() if at > marker and isinstance(item, Change)]

    @property
    def changes(self) -> list[Change]:
        return [item for item in self._log.values() if isinstance(item, Change)]

    def dump(self) -> list[str | Change]:
        """The list as it is: uids are markers."""
        return list(self._log.values())

    def load(self, pods: dict[str, QueuedPod], log: list[str | Change]) -> None:
        for item in log:
            if isinstance(item, Change):
                self.record(item)
            else:
                self.begin(item, pods[item])

    def validate(self) -> None:
        markers = [item for item in self._log.values() if not isinstance(item, Change)]
        assert markers == sorted(self.pods, key=self._markers.__getitem__), "in-flight markers and pods differ"
        first = next(iter(self._log.values()), None)
        assert not isinstance(first, Change), "the in-flight list begins with a change"

    def _append(self, item: str | Change) -> int:
        self._next += 1
        self._log[self._next] = item
        return self._next
