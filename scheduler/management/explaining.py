"""One attempt for one pending pod, from files: which pods there are, and what becomes of each."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance.cycles import cluster_of, gate, nominated_pods
from scheduler.engine.conformance.sequence import profile_of
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.report import cycle_report, gated_report
from scheduler.engine.framework import Status
from scheduler.engine.objects import Pod
from scheduler.management.offline import Input, Unreadable
from scheduler.manifests.reading import Progress


@dataclass
class Explained:
    """`held`: the PreEnqueue algorithm's word if the pod may not enter the queue; then there is no `cycle`.

    `is_ours`: whether a profile serves the pod's scheduler name; if none does, the first profile was taken.
    """

    pod: Pod
    cluster: ClusterState
    held: Status | None
    cycle: Cycle | None
    is_ours: bool

    def as_json(self) -> dict[str, Any]:
        """The keys and values of a reference vector's `expected`."""
        if self.cycle is None:
            assert self.held is not None
            return gated_report(PodInfo(self.pod), self.held)
        return cycle_report(self.cycle, self.cluster)


def explain(
    given: Input, key: str | None, *, sample: bool, node: str = "", progress: Progress = lambda stage, done, total: None
) -> Iterator[Explained]:
    """The pod `key`, or every pending pod in file order, each on the cluster as it is. Raises Unreadable.

    All nodes are looked at from the first; with `sample` as many as the profile says. `node`: one that must be there.
    """
    cluster = cluster_of(given.manifests)
    _check_node(cluster, node)
    pods, nominated = [_pod(cluster, key)] if key else _pending(cluster), nominated_pods(cluster)
    for number, pod in enumerate(pods):
        profile, is_ours = profile_of(given.profiles, pod), given.profiles.get(pod.spec.scheduler_name) is not None
        held, cycle = gate(profile, PodInfo(pod)), None
        if held is None:
            percentage = None if sample else 100
            cycle = Cycle(cluster.snapshot(), profile, pod, number=number, nominated=nominated, percentage=percentage)
            cycle.run()
        yield Explained(pod, cluster, held, cycle, is_ours)
        progress("Explaining", number + 1, len(pods))


def _pending(cluster: ClusterState) -> list[Pod]:
    pods = [pod for pod in _pods(cluster).values() if not pod.node_name]
    if not pods:
        raise Unreadable(["error: there is no pending pod in these files: every pod has a node"])
    return pods


def _pod(cluster: ClusterState, key: str) -> Pod:
    key = key if "/" in key else f"default/{key}"
    pods = _pods(cluster)
    pod = pods.get(key)
    if pod is None:
        raise Unreadable([f"error: there is no unfinished pod {key} in these files{_did_you_mean(key, pods)}"])
    if pod.node_name:
        raise Unreadable([f"error: pod {key} is on node {pod.node_name} already; only a pending pod can be explained"])
    return pod


def _check_node(cluster: ClusterState, node: str) -> None:
    names = cluster.snapshot().row_of
    if node and node not in names:
        close = get_close_matches(node, names, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise Unreadable([f"error: there is no node {node} in these files{hint}"])


def _did_you_mean(key: str, known: Collection[str]) -> str:
    namesakes = [one for one in known if one.partition("/")[2] == key.partition("/")[2]]
    close = namesakes or get_close_matches(key, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _pods(cluster: ClusterState) -> dict[str, Pod]:
    return {pod.key: pod for pod in cluster.objects.get("Pod", {}).values() if isinstance(pod, Pod)}
