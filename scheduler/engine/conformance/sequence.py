"""Many pending pods, one after the other, each on the cluster that the ones before it left. Nothing is retried."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance.cycles import Manifest, cluster_of, gate, nominated_pods
from scheduler.engine.conformance.until_idle import take_smallest_name
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.report import cycle_report, node_sums
from scheduler.engine.objects import Pod
from scheduler.engine.profile import Profile, Profiles

_SLIM = ("scores", "prefilter", "prescore_skipped")
_OF_POST_FILTER = ("fit_error_without_postfilter", "event_message")


def run_sequence_vector(vector: Manifest) -> Manifest:
    """What this engine says to a `sequence` vector without retries, in the shape of its `expected`."""
    cluster = cluster_of(vector["objects"])
    profiles = without_post_filter(Profiles.from_configuration(vector["config"]))
    waiting = [_pod(cluster, key) for key in vector["pods"]]
    gated = [pod.key for pod in waiting if gate(profile_of(profiles, pod), PodInfo(pod)) is not None]
    queue = sorted((pod for pod in waiting if pod.key not in gated), key=lambda pod: -pod.priority)
    slim = bool((vector.get("options") or {}).get("slim"))
    decisions, start = list[Manifest](), 0
    for pod in queue:
        cycle = attempt(cluster, profile_of(profiles, pod), pod, start)
        start = cycle.next_start_index
        take_smallest_name(cycle)
        decisions.append(decision_report(cycle, cluster, slim=slim))
        bind(cluster, pod, decisions[-1]["bound_to"])
    return {
        "gated": gated,
        "pop_order": [pod.key for pod in queue],
        "bindings": {one["pod"]: one["bound_to"] for one in decisions if one["bound_to"]},
        "decisions": decisions,
        "final_node_info": {info.name: node_sums(info) for info in cluster},
    }


def without_post_filter(profiles: Profiles) -> list[Profile]:
    """The profiles, made so that a failed attempt ends without PostFilter."""
    return [msgspec.structs.replace(one, plugins={**one.plugins, "postFilter": ()}) for one in profiles]


def profile_of(profiles: Iterable[Profile], pod: Pod) -> Profile:
    """The profile that the pod names, else the first."""
    profiles = list(profiles)
    return next((one for one in profiles if one.scheduler_name == pod.spec.scheduler_name), profiles[0])


def attempt(cluster: ClusterState, profile: Profile, pod: Pod, start: int, percentage: int | None = 100) -> Cycle:
    """One finished attempt. `percentage` None: as the profile says."""
    nominated = nominated_pods(cluster)
    cycle = Cycle(cluster.snapshot(), profile, pod, start_index=start, nominated=nominated, percentage=percentage)
    cycle.run()
    return cycle


def bind(cluster: ClusterState, pod: Pod, node_name: str | None) -> None:
    if node_name:
        bound = msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=node_name))
        cluster.update("Pod", bound)


def _pod(cluster: ClusterState, key: str) -> Pod:
    pod = cluster.get("Pod", *key.split("/"))
    assert isinstance(pod, Pod)
    return pod


def decision_report(cycle: Cycle, cluster: ClusterState, *, slim: bool = False) -> Manifest:
    """A finished attempt in the shape of a sequence's `decisions`."""
    assert cycle.decision is not None
    report = cycle_report(cycle, cluster, compact=True)
    left_out = _OF_POST_FILTER + (_SLIM if slim else ())
    kept = {key: value for key, value in report.items() if key not in left_out}
    return kept | {"bound_to": cycle.decision.node or None}
