"""Single attempts: a recorded cluster and pod through this engine, the outcome in the shape of the recording."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import PluginError
from scheduler.engine.explain.report import cycle_report, gated_report
from scheduler.engine.framework import Status, unresolvable
from scheduler.engine.objects import Pod, decode, kind_of
from scheduler.engine.plugins import of_profile
from scheduler.engine.profile import Profile, Profiles

Manifest = dict[str, Any]


def admitted(manifests: list[Manifest]) -> list[tuple[str, Manifest]]:
    """(kind, manifest) after API defaulting, with a Namespace for every namespace in use, in the given order."""
    context = Context.of(manifests)
    kinds = [kind_of(one.get("apiVersion") or "", one["kind"]) for one in manifests]
    objects = [(kind, admit(kind, one, context)) for kind, one in zip(kinds, manifests, strict=True)]
    used = dict.fromkeys(one["metadata"].get("namespace", "") for _, one in objects)
    there = {one["metadata"]["name"] for kind, one in objects if kind == "Namespace"}
    missing = [{"kind": "Namespace", "metadata": {"name": name}} for name in used if name and name not in there]
    return [("Namespace", admit("Namespace", one, context)) for one in missing] + objects


def cluster_of(manifests: list[Manifest]) -> ClusterState:
    """The cluster that these manifests describe; finished pods are left out."""
    cluster = ClusterState()
    for kind, manifest in admitted(manifests):
        one = decode(kind, manifest)
        if not (isinstance(one, Pod) and one.is_finished):
            cluster.add(kind, one)
    return cluster


def nominated_pods(cluster: ClusterState) -> dict[str, list[Pod]]:
    """Pending pods that wait for a node, by its name, in the order in which they came."""
    waiting: dict[str, list[Pod]] = {}
    for pod in cluster.objects.get("Pod", {}).values():
        if isinstance(pod, Pod) and pod.nominated_node_name and not pod.node_name:
            waiting.setdefault(pod.nominated_node_name, []).append(pod)
    return waiting


def gate(profile: Profile, pod: PodInfo) -> Status | None:
    """The first PreEnqueue algorithm that holds the pod back, None if it may enter the queue."""
    plugins = of_profile(profile)
    for name in profile.enabled("preEnqueue"):
        plugin = plugins.get(name)
        if plugin is not None and plugin.implements("pre_enqueue"):
            try:
                status = plugin.pre_enqueue(pod)
            except PluginError as problem:
                status = unresolvable(str(problem))
            if not status.is_success:
                return Status(status.code, status.reasons, name)
    return None


def vector_cycle(vector: Manifest) -> tuple[Cycle, ClusterState]:
    """The attempt of a `cycle`, `preemption`, `volume` or `large` vector, not yet begun: all nodes, from the first."""
    cluster = cluster_of(vector["objects"])
    namespace, name = vector["pod"].split("/")
    pod = cluster.get("Pod", namespace, name)
    assert isinstance(pod, Pod)
    profiles = Profiles.from_configuration(vector["config"] or {})
    profile = _trying_all(profiles.get(pod.spec.scheduler_name) or profiles.first)
    cycle = Cycle(cluster.snapshot(), profile, pod, nominated=nominated_pods(cluster), percentage=100)
    return cycle, cluster


def _trying_all(profile: Profile) -> Profile:
    """The recordings tell of every node where preemption might help; a sample would begin at a random one."""
    all_nodes = {**profile.args("DefaultPreemption"), "minCandidateNodesPercentage": 100}
    return msgspec.structs.replace(profile, arguments={**profile.arguments, "DefaultPreemption": all_nodes})


def run_cycle_vector(vector: Manifest) -> Manifest:
    """What this engine says to a vector, in the shape of its `expected`."""
    cycle, cluster = vector_cycle(vector)
    held = gate(cycle.profile, cycle.pod)
    if held is not None:
        return gated_report(cycle.pod, held)
    cycle.run()
    return cycle_report(cycle, cluster, compact=bool((vector.get("options") or {}).get("compact")))
