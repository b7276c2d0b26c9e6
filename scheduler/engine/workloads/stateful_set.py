"""StatefulSets, plain and advanced: pods with ordinals, made and replaced in order.

Source: v1.34.1 pkg/controller/statefulset; kruise pkg/controller/statefulset for the advanced kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any

import msgspec

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST, amount, coming_of
from scheduler.engine.workloads.owned import SECOND_US, OwnedPod, OwnedPods

MOST_ORDINALS = 150_000
"""As many as there may be pods. What reserves ordinals beyond is not looked at."""


class Ordinals(msgspec.Struct, frozen=True):
    """What a StatefulSet asks for. Only an advanced one has the last four:

    `unavailable`: how many pods an update may have down at once; `coming`: how many may be down while pods are made all
    at once, None: any number; `reserved`: ordinals that no pod may have, others stand in for them; `paused`: no update.
    """

    name: str
    replicas: int
    start: int = 0
    advanced: bool = False
    parallel: bool = False
    on_delete: bool = False
    partition: int = 0
    min_ready_seconds: int = 0
    unavailable: int = 1
    coming: int | None = None
    reserved: frozenset[int] = frozenset()
    paused: bool = False

    @classmethod
    def of(cls, name: str, spec: dict[str, Any], *, advanced: bool = False) -> Ordinals:
        replicas = 1 if spec.get("replicas") is None else spec["replicas"]
        strategy = spec.get("updateStrategy") or {}
        rolling = strategy.get("rollingUpdate") or {}
        return cls(
            name=name,
            replicas=replicas,
            start=(spec.get("ordinals") or {}).get("start", 0),
            advanced=advanced,
            parallel=spec.get("podManagementPolicy") == "Parallel",
            on_delete=strategy.get("type") == "OnDelete",
            partition=rolling.get("partition") or 0,
            min_ready_seconds=spec.get("minReadySeconds") or rolling.get("minReadySeconds") or 0,
            **(_advanced(spec, rolling, replicas) if advanced else {}),
        )

    def pod(self, ordinal: int) -> str:
        return f"{self.name}-{ordinal}"

    def ordinals(self) -> Sequence[int]:
        """Of the pods that there are to be."""
        if not self.reserved:
            return range(self.start, self.start + self.replicas)
        free = (at for at in count(self.start) if at not in self.reserved)
        return list(islice(free, self.replicas))


def _advanced(spec: dict[str, Any], rolling: dict[str, Any], replicas: int) -> dict[str, Any]:
    coming, reserved = coming_of(spec), spec.get("reserveOrdinals")
    return {
        "unavailable": max(amount(rolling.get("maxUnavailable"), replicas, up=False, absent=1), 1),
        "coming": None if coming is None else max(amount(coming, replicas, up=False), 1),
        "reserved": frozenset(_reserved(reserved if isinstance(reserved, list) else ())),
        "paused": bool(rolling.get("paused")),
    }


def _reserved(given: Iterable[Any]) -> Iterator[int]:
    """Ordinals, and ranges of them such as `2-5`. What cannot be read reserves nothing."""
    for one in given:
        first, _, last = str(one).partition("-")
        if first.isdecimal() and (last or first).isdecimal() and int(last or first) < MOST_ORDINALS:
            yield from range(int(first), int(last or first) + 1)


class NumberedPods(OwnedPods):
    """Pods of the StatefulSet `name`, also by their ordinals. Others that it owns are only counted."""

    def __init__(self, name: str, pods: Iterable[OwnedPod] = ()) -> None:
        self._prefix = f"{name}-"
        self.numbered: dict[int, OwnedPod] = {}
        self._ready: set[int] = set()
        super().__init__(pods)

    def ordinal(self, pod: str) -> int:
        """-1 for a name that is not of this set."""
        number = pod.removeprefix(self._prefix)
        is_ours = number != pod and number.isdecimal() and number.isascii() and (number[0] != "0" or number == "0")
        return int(number) if is_ours else -1

    def put(self, pod: OwnedPod) -> None:
        super().put(pod)
        if (at := self.ordinal(pod.name)) >= 0:
            self.numbered[at] = pod
            (self._ready.add if pod.ready and pod.is_active else self._ready.discard)(at)

    def drop(self, name: str) -> None:
        super().drop(name)
        at = self.ordinal(name)
        self.numbered.pop(at, None)
        self._ready.discard(at)

    def healthy(self, min_ready_seconds: int, now_us: int) -> set[int]:
        """Ordinals of pods that are active and have been ready for long enough, the caller's own."""
        return self._ready.difference(map(self.ordinal, self.late(min_ready_seconds, now_us)))

    def only_numbered(self) -> NumberedPods:
        """Those that have an ordinal."""
        if len(self.numbered) == len(self):
            return self
        return NumberedPods(self._prefix[:-1], self.numbered.values())


def stateful_set(asked: Ordinals, pods: Iterable[OwnedPod], current: str, updated: str, now_us: int) -> Wanted:
    """`current`, `updated`: revisions. Pods below the partition are made from the current template."""
    given = pods if isinstance(pods, NumberedPods) else NumberedPods(asked.name, pods)
    look = _Look(asked, given.only_numbered(), now_us)
    creates, is_blocked = look.creates(current, updated)
    deletes = [OldPod(pod.name, "failed") for pod in look.inactive if not pod.deleting]
    if not is_blocked:
        deletes += look.scaled_down()
        if asked.parallel or not look.extra:
            deletes += look.replaced(updated)
    return Wanted(tuple(creates), tuple(deletes), look.status(current, updated), look.wait_us())


class _Look:
    """The pods by ordinal, and what may be done to them now."""

    def __init__(self, asked: Ordinals, given: NumberedPods, now_us: int) -> None:
        self.asked, self.given, self.now_us = asked, given, now_us
        self.pods = given.numbered
        self.wanted = asked.ordinals()
        there = frozenset(self.wanted) if asked.reserved else self.wanted
        self.extra = sorted((at for at in self.pods if at not in there), reverse=True)
        self.healthy = given.healthy(asked.min_ready_seconds, now_us)
        is_all_active = len(given.active) == len(given)
        self.inactive = [] if is_all_active else [pod for pod in given if not pod.is_active]

    def creates(self, current: str, updated: str) -> tuple[list[NewPod], bool]:
        """All that are missing, or one after the other; and whether one that is not healthy blocks everything else."""
        asked, found = self.asked, list[NewPod]()
        left = asked.coming if asked.parallel else 1
        if left is None and len(self.pods) - len(self.extra) == asked.replicas:
            return found, False
        for at in self.wanted:
            if at not in self.pods:
                below = at < asked.start + asked.partition and not asked.on_delete
                found.append(NewPod(current if below else updated, asked.pod(at)))
                if len(found) == BURST:
                    return found, True
            if left is not None and at not in self.healthy:
                left -= 1
                if left <= 0:
                    return found, True
        return found, False

    def scaled_down(self) -> list[OldPod]:
        """The highest ordinal first, and one at a time unless parallel: one that is down waits for others below it."""
        going = self.extra if self.asked.parallel else self.extra[:1]
        down = [at for at in self.extra if at not in self.healthy]
        if not self.asked.parallel and going and going[0] in down[:-1]:
            return []
        return [OldPod(self.pods[at].name, "scaled down") for at in going if self.pods[at].is_active]

    def replaced(self, updated: str) -> list[OldPod]:
        """From the highest ordinal down to the partition."""
        asked = self.asked
        if asked.on_delete or asked.paused or self.given.at(updated).active == len(self.pods):
            return []
        order = [at for at in reversed(self.wanted) if at >= asked.start + asked.partition]
        names = self._several(order, updated) if asked.advanced else self._next(order, updated)
        return [OldPod(name, "replaced") for name in names]

    def _next(self, order: list[int], updated: str) -> list[str]:
        """The plain kind: the first that is old, unless one above it is not healthy yet."""
        for at in order:
            pod = self.pods.get(at)
            if pod is not None and pod.revision != updated and pod.is_active:
                return [pod.name]
            if at not in self.healthy:
                return []
        return []

    def _several(self, order: list[int], updated: str) -> list[str]:
        """The advanced kind: from the highest on, until as many are down as may be, these included."""
        names, down = list[str](), 0
        for at in order:
            pod = self.pods.get(at)
            if pod is not None and pod.revision != updated and pod.is_active:
                names.append(pod.name)
            down += pod is None or pod.revision != updated or at not in self.healthy
            if down >= self.asked.unavailable:
                break
        return names

    def status(self, current: str, updated: str) -> dict[str, int | str]:
        """Once every pod is at the updated revision and ready, that one is the current."""
        active, ready, at_updated = len(self.given.active), self.given.ready, self.given.at(updated).active
        is_done = not self.asked.on_delete and at_updated == ready == active == self.asked.replicas
        return {
            "replicas": active,
            "readyReplicas": ready,
            "availableReplicas": len(self.healthy),
            "updatedReplicas": at_updated,
            "currentReplicas": self.given.at(current).active,
            "currentRevision": updated if is_done else current,
            "updateRevision": updated,
        }

    def wait_us(self) -> int:
        """Until the next pod has been ready for long enough, be it one that is going."""
        seconds = self.asked.min_ready_seconds
        left = [pod.ready_since_us + seconds * SECOND_US - self.now_us for pod in self.inactive if pod.ready]
        return min((one for one in (self.given.wait_us(seconds, self.now_us), *left) if one > 0), default=0)
