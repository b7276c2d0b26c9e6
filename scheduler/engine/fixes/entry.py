"""What keeps a pod from being tried at all: gates, and a scheduler that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.fixes.change import Effort, Fix, Put, pod_patch
from scheduler.engine.objects import Pod
from scheduler.engine.profile import Profiles
from scheduler.engine.words import listed


def before_the_queue(pod: Pod, profiles: Profiles) -> Iterator[Fix]:
    """Each alone; whoever is held by both needs both."""
    if pod.spec.scheduling_gates:
        gates = listed([f"`{one.name}`" for one in pod.spec.scheduling_gates])
        title = f"Remove its scheduling {'gate' if len(pod.spec.scheduling_gates) == 1 else 'gates'} {gates}"
        note = "Whoever set a gate is expected to remove it."
        yield Fix("gate", title, pod_patch(pod, Put(("spec", "schedulingGates"))), Effort.SETTING, note=note)
    if profiles.get(pod.spec.scheduler_name) is None:
        name = profiles.first.scheduler_name
        title = f"Ask for the scheduler `{name}` instead of `{pod.spec.scheduler_name}`"
        note = "No profile of this cluster has the name that it asks for."
        yield Fix("scheduler", title, pod_patch(pod, Put(("spec", "schedulerName"), name)), Effort.SLIP, note=note)
