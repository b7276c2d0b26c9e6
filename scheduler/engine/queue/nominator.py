"""Pods that preemption made room for: they count as if they were on their node. Source: v1.34.1, nominator.go."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler.engine.objects import Pod


def uid_of(pod: Pod) -> str:
    """What tells two pods of one name apart; pods without a uid are known by their key."""
    return pod.metadata.uid or pod.key


class Nominator:
    """node → nominated pods, in the order of their nomination. At most one node a pod."""

    def __init__(self) -> None:
        self._by_node: dict[str, tuple[Pod, ...]] = {}
        self._node_of: dict[str, str] = {}
        self._is_shared = False

    def add(self, pod: Pod, node: str | None = None) -> None:
        """Nominate to `node` (None: what the pod's status says); an earlier nomination of this pod is replaced."""
        self.remove(pod)
        name = pod.nominated_node_name if node is None else node
        if name and not pod.node_name:
            self._put(name, (*self._by_node.get(name, ()), pod))
            self._node_of[uid_of(pod)] = name

    def update(self, old: Pod, new: Pod) -> None:
        """Follow an update of a pod; a nomination that only the nominator knows survives it."""
        known = self._node_of.get(uid_of(old))
        keep = known if not old.nominated_node_name and not new.nominated_node_name else None
        self.remove(old)
        self.add(new, keep)

    def remove(self, pod: Pod) -> None:
        uid = uid_of(pod)
        node = self._node_of.pop(uid, None)
        if node is not None:
            self._put(node, tuple([one for one in self._by_node[node] if uid_of(one) != uid]))

    def _put(self, node: str, pods: tuple[Pod, ...]) -> None:
        if self._is_shared:
            self._by_node, self._is_shared = dict(self._by_node), False
        if pods:
            self._by_node[node] = pods
        else:
            del self._by_node[node]

    def node_of(self, pod: Pod) -> str:
        return self._node_of.get(uid_of(pod), "")

    def pods_on(self, node: str) -> list[str]:
        """Keys of the pods nominated to this node, oldest nomination first."""
        return [pod.key for pod in self._by_node.get(node, ())]

    def nodes(self) -> list[str]:
        return list(self._by_node)

    def pods(self) -> Mapping[str, tuple[Pod, ...]]:
        """The pods by node as they are now; what comes later does not change it."""
        self._is_shared = True
        return self._by_node

    def dump(self) -> list[tuple[str, str, str]]:
        """(node, uid, key) of every nomination, in order."""
        return [(node, uid_of(pod), pod.key) for node, pods in self._by_node.items() for pod in pods]

    def load(self, nominations: list[tuple[str, str, str]], pods: Mapping[str, Pod]) -> None:
        """`pods`: all pods by key."""
        for node, uid, key in nominations:
            self._put(node, (*self._by_node.get(node, ()), pods[key]))
            self._node_of[uid] = node

    def validate(self) -> None:
        pairs = {(uid_of(pod), node) for node, pods in self._by_node.items() for pod in pods}
        assert pairs == set(self._node_of.items()), "nominator's two maps differ"
        assert all(self._by_node.values()), "nominator keeps an empty node"
