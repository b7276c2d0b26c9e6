"""A pod as the controller that owns it sees it, and the pods of one workload, counted as they come, change and go."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

import msgspec

SECOND_US = 1_000_000
_MOMENT = itemgetter(0)


class OwnedPod(msgspec.Struct, frozen=True, gc=False):
    """Moments are virtual µs. `ready`: None where it has no Ready condition. `meant_for`: a daemon's node."""

    name: str
    phase: str = ""
    created_us: int | None = None
    node_name: str = ""
    unschedulable: bool = False
    ready: bool | None = None
    ready_since_us: int = 0
    revision: str = ""
    reserved: str = ""
    deleting: bool = False
    deletion_cost: int = 0
    meant_for: str = ""

    @property
    def is_active(self) -> bool:
        return not self.deleting and self.phase not in ("Failed", "Succeeded")

    def is_available(self, min_ready_seconds: int, now_us: int) -> bool:
        """Whether it has been ready for long enough."""
        return bool(self.ready) and self.ready_since_us + min_ready_seconds * SECOND_US <= now_us


class Count(msgspec.Struct, gc=False):
    """Of pods at one revision: all, those that live on, and those of them that are ready."""

    all: int = 0
    active: int = 0
    ready: int = 0


_NONE = Count()


class OwnedPods:
    """Pods in the order in which they came. Counts cost the same however many they are."""

    def __init__(self, pods: Iterable[OwnedPod] = ()) -> None:
        self._pods: dict[str, OwnedPod] = {}
        self.active: dict[str, OwnedPod] = {}
        self.revisions: dict[str, Count] = {}
        self._moments: list[tuple[int, str]] = []  # since when each active one is ready, the earliest first
        for pod in pods:
            self.put(pod)

    def __len__(self) -> int:
        return len(self._pods)

    def __iter__(self) -> Iterator[OwnedPod]:
        return iter(self._pods.values())

    def get(self, name: str) -> OwnedPod | None:
        return self._pods.get(name)

    def put(self, pod: OwnedPod) -> None:
        """A new one goes to the end, another version takes the place of the old one."""
        old = self._pods.get(pod.name)
        if old is not None:
            self._uncount(old)
        self._pods[pod.name] = pod
        self._count(pod)

    def drop(self, name: str) -> None:
        old = self._pods.pop(name, None)
        if old is not None:
            self._uncount(old)

    @property
    def ready(self) -> int:
        """How many active ones are."""
        return len(self._moments)

    def at(self, revision: str) -> Count:
        return self.revisions.get(revision, _NONE)

    def available(self, min_ready_seconds: int, now_us: int) -> int:
        """How many active ones have been ready for long enough."""
        return bisect_right(self._moments, now_us - min_ready_seconds * SECOND_US, key=_MOMENT)

    def late(self, min_ready_seconds: int, now_us: int) -> list[str]:
        """Names of active pods that are ready, but not for long enough."""
        return [name for _, name in self._moments[self.available(min_ready_seconds, now_us) :]]

    def wait_us(self, min_ready_seconds: int, now_us: int) -> int:
        """How long until the next ready active pod counts as available; 0 if none will by waiting."""
        place = self.available(min_ready_seconds, now_us)
        if place == len(self._moments):
            return 0
        return self._moments[place][0] + min_ready_seconds * SECOND_US - now_us

    def live(self) -> Mapping[str, tuple[int, int]]:
        """By revision: pods that live on, and those of them that are ready."""
        return {revision: (found.active, found.ready) for revision, found in self.revisions.items()}

    def _count(self, pod: OwnedPod) -> None:
        found = self.revisions.setdefault(pod.revision, Count())
        found.all += 1
        if pod.is_active:
            self.active[pod.name] = pod
            found.active += 1
            if pod.ready:
                found.ready += 1
                insort(self._moments, (pod.ready_since_us, pod.name))

    def _uncount(self, pod: OwnedPod) -> None:
        found = self.revisions[pod.revision]
        found.all -= 1
        if self.active.pop(pod.name, None) is not None:
            found.active -= 1
            if pod.ready:
                found.ready -= 1
                del self._moments[bisect_left(self._moments, (pod.ready_since_us, pod.name))]
        if not found.all:
            del self.revisions[pod.revision]


def counted(pods: Iterable[OwnedPod]) -> OwnedPods:
    """The same pods with their counts; those that are kept counted are taken as they are."""
    return pods if isinstance(pods, OwnedPods) else OwnedPods(pods)
