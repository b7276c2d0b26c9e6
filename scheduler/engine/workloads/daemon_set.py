"""DaemonSets: one pod on every node that it may run on. Source: v1.34.1 pkg/controller/daemon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST, amount
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.owned import OwnedPod, OwnedPods


class DaemonPods(OwnedPods):
    """Pods of a DaemonSet, also by the node that each is meant for."""

    def __init__(self, pods: Iterable[OwnedPod] = ()) -> None:
        self._by_node: dict[str, list[OwnedPod]] | None = {}
        super().__init__(pods)

    def put(self, pod: OwnedPod) -> None:
        """Where one comes to another, or moves, its node is looked up again when somebody asks."""
        old = self.get(pod.name)
        super().put(pod)
        if self._by_node is not None:
            there = self._by_node.setdefault(pod.meant_for, [pod])
            if there[0] is old and len(there) == 1:
                there[0] = pod
            elif old is not None or there[0] is not pod:
                self._by_node = None

    def drop(self, name: str) -> None:
        old = self.get(name)
        super().drop(name)
        if old is not None and self._by_node is not None:
            if len(self._by_node[old.meant_for]) == 1:
                del self._by_node[old.meant_for]
            else:
                self._by_node = None

    def by_node(self) -> Mapping[str, Sequence[OwnedPod]]:
        if self._by_node is None:
            self._by_node = {}
            for pod in self:
                self._by_node.setdefault(pod.meant_for, []).append(pod)
        return self._by_node


def daemon_set(
    spec: dict[str, Any], pods: Iterable[OwnedPod], eligible: Sequence[str], updated: str, now_us: int
) -> Wanted:
    """`eligible`: nodes that are to have a pod."""
    everyone = pods if isinstance(pods, DaemonPods) else DaemonPods(pods)
    seconds = spec.get("minReadySeconds") or 0
    wanted, deletes, kept = set(eligible), list[OldPod](), dict[str, OwnedPod]()
    surge = _surge(spec, len(eligible))
    beside: dict[str, OwnedPod] = {}
    alive = {node: [pod for pod in given if pod.is_active] for node, given in everyone.by_node().items()}
    for node, given in alive.items():
        if node not in wanted:
            deletes += [OldPod(pod.name, "no longer meant for its node") for pod in given]
        elif given:
            *extra, kept[node] = in_deletion_order(given, now_us) if len(given) > 1 else given
            if surge and extra:
                extra = _with_successor(node, given, kept, beside, updated, now_us)
            deletes += [OldPod(pod.name, "one a node is enough") for pod in extra]
    creates = [NewPod(updated, node=node) for node in eligible if not alive.get(node)]
    if surge:
        creates += [NewPod(updated, node=node) for node in _surging(surge, kept, beside, updated, seconds, now_us)]
        deletes += _succeeded(kept, beside, seconds, now_us)
    else:
        deletes += _replaced(spec, kept, len(eligible), updated, now_us)
    misplaced = sum(bool(given) for node, given in alive.items() if node not in wanted)
    status: dict[str, int | str] = {
        "desiredNumberScheduled": len(eligible),
        "currentNumberScheduled": len(kept),
        "numberMisscheduled": misplaced,
        "numberReady": sum(bool(pod.ready) for pod in kept.values()),
        "numberAvailable": sum(pod.is_available(seconds, now_us) for pod in kept.values()),
        "updatedNumberScheduled": sum(pod.revision == updated for pod in kept.values()),
    }
    return Wanted(tuple(creates[:BURST]), tuple(deletes), status, everyone.wait_us(seconds, now_us))


def _surge(spec: dict[str, Any], wanted: int) -> int:
    """On how many nodes a new pod may stand beside the old one until it is available."""
    strategy = spec.get("updateStrategy") or {}
    given = (strategy.get("rollingUpdate") or {}).get("maxSurge")
    return 0 if strategy.get("type") == "OnDelete" else amount(given, wanted, up=True)


def _with_successor(
    node: str,
    given: Sequence[OwnedPod],
    kept: dict[str, OwnedPod],
    beside: dict[str, OwnedPod],
    updated: str,
    now_us: int,
) -> list[OwnedPod]:
    """Of several pods on a node an old one stays, and beside it a new one. Returns the others."""
    new = [pod for pod in in_deletion_order(given, now_us) if pod.revision == updated]
    old = [pod for pod in in_deletion_order(given, now_us) if pod.revision != updated]
    if new and old:
        kept[node], beside[node] = old[-1], new[-1]
    return [*old[:-1], *new[:-1]]


def _surging(
    surge: int,
    kept: Mapping[str, OwnedPod],
    beside: Mapping[str, OwnedPod],
    updated: str,
    min_ready_seconds: int,
    now_us: int,
) -> list[str]:
    """Nodes that get a new pod beside the old one: where the old one is down, then as many as may surge."""
    old = [node for node, pod in kept.items() if pod.revision != updated and node not in beside]
    down = [node for node in old if not kept[node].is_available(min_ready_seconds, now_us)]
    under_way = sum(not pod.is_available(min_ready_seconds, now_us) for pod in beside.values())
    gone = set(down)
    return [*down, *[node for node in old if node not in gone][: max(surge - under_way, 0)]]


def _succeeded(
    kept: Mapping[str, OwnedPod], beside: Mapping[str, OwnedPod], min_ready_seconds: int, now_us: int
) -> list[OldPod]:
    """Old pods whose successor is available, or that are down themselves."""
    return [
        OldPod(kept[node].name, "replaced")
        for node, pod in beside.items()
        if pod.is_available(min_ready_seconds, now_us) or not kept[node].ready
    ]


def _replaced(
    spec: dict[str, Any], kept: Mapping[str, OwnedPod], wanted: int, updated: str, now_us: int
) -> list[OldPod]:
    """Old pods that are down anyway, then as many others as may be unavailable."""
    strategy = spec.get("updateStrategy") or {}
    if strategy.get("type") == "OnDelete":
        return []
    most = amount((strategy.get("rollingUpdate") or {}).get("maxUnavailable"), wanted, up=True, absent=1)
    seconds = spec.get("minReadySeconds") or 0
    down = {node for node, pod in kept.items() if not pod.is_available(seconds, now_us)}
    room = max(most, 1) - len(down) - (wanted - len(kept))
    old = [node for node, pod in kept.items() if pod.revision != updated]
    up = [node for node in old if node not in down]
    chosen = [node for node in old if node in down] + up[: max(room, 0)]
    return [OldPod(kept[node].name, "replaced") for node in chosen]
