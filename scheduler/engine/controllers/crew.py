"""The pods of one workload as its controller sees them, kept from one look to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from scheduler.engine.objects import ObjectKey
from scheduler.engine.workloads.daemon_set import DaemonPods
from scheduler.engine.workloads.owned import OwnedPod, OwnedPods
from scheduler.engine.workloads.stateful_set import NumberedPods


class Crew:
    """Between two looks it is only noted whose pods changed; the look reads these again and no others."""

    def __init__(self, owner: ObjectKey, pods: Iterable[str]) -> None:
        """`pods`: names of those that are there, in the order in which they came."""
        self._pods = _empty(owner)
        self._changed = dict.fromkeys(pods)
        self._reading = Lock()  # a state that nobody changes may be looked at by several threads

    def changed(self, pod: str) -> None:
        self._changed[pod] = None

    def gone(self, pod: str) -> None:
        self._changed.pop(pod, None)
        self._pods.drop(pod)

    def seen(self, read: Callable[[str], OwnedPod | None]) -> OwnedPods:
        """All of them as they are now. `read` answers None for a pod that is not there."""
        with self._reading:
            for name in self._changed:
                pod = read(name)
                if pod is not None:
                    self._pods.put(pod)
            self._changed.clear()
        return self._pods


def _empty(owner: ObjectKey) -> OwnedPods:
    if owner[0] in ("StatefulSet", "AdvancedStatefulSet"):
        return NumberedPods(owner[2])
    return DaemonPods() if owner[0] == "DaemonSet" else OwnedPods()
