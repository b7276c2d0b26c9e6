"""PreEnqueue: what may hold a pod before it reaches activeQ. Preemption under way is a gate of its own."""

from __future__ import annotations

from collections.abc import Container

from scheduler.engine import plugins as algorithms
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import SUCCESS, Plugin, Status, unresolvable
from scheduler.engine.objects import Pod
from scheduler.engine.profile import Profile, Profiles
from scheduler.engine.queue.control import Gates, PreEnqueue
from scheduler.engine.queue.nominator import uid_of

PREEMPTION = "DefaultPreemption"


def gates_of(profiles: Profiles, preempting: Container[str]) -> Gates:
    """The gates of each scheduler, in order. `preempting`: uids of pods whose victims are being deleted."""
    return {profile.scheduler_name: _of_profile(profile, preempting) for profile in profiles}


def _of_profile(profile: Profile, preempting: Container[str]) -> list[tuple[str, PreEnqueue]]:
    known = algorithms.of_profile(profile)
    gates: list[tuple[str, PreEnqueue]] = []
    for name in profile.enabled("preEnqueue"):
        plugin = known.get(name)
        if name == PREEMPTION:
            gates.append((name, _preemption(preempting)))
        elif plugin is not None and plugin.implements("pre_enqueue"):
            gates.append((name, _of_plugin(plugin)))
    return gates


def _of_plugin(plugin: Plugin) -> PreEnqueue:
    """One that fails holds the pod, and says why."""

    def gate(pod: Pod) -> Status:
        try:
            return plugin.pre_enqueue(PodInfo(pod))
        except PluginError as problem:
            return unresolvable(str(problem))

    return gate


def _preemption(preempting: Container[str]) -> PreEnqueue:
    waiting = unresolvable("waiting for the preemption for this pod to be finished")

    def gate(pod: Pod) -> Status:
        return waiting if uid_of(pod) in preempting else SUCCESS

    return gate
