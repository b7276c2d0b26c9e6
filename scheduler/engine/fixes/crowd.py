"""Other pods that are popped in a trial: those that would be refused anyway are left out, which changes nothing for it.

Left out is also what preemption would do for them: they have been refused before, and would be so again.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypeAlias

from scheduler.engine.cluster.pod_info import Kind, PodInfo, PodShape
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import Pod
from scheduler.engine.queue.entry import QueuedPod
from scheduler.engine.simulation.simulation import Simulation

KINDS = 16
"""How many sorts of pods are looked at; more are a crowd."""

_Sort: TypeAlias = tuple[PodShape, Kind | None, int]


def thin_out(
    copy: Simulation, kept: Container[str], *, before: QueuedPod | None = None, feared: int | None = None
) -> bool:
    """Leave out the pods that can be popped (`before`: only those before this one) and for which there is no node.

    `kept`: keys of pods that stay in any case. `feared`: of pods above this priority, which may preempt, one of each
    sort stays. False, and nothing is left out, where the sorts of pods are too many.
    """
    sorts: dict[_Sort, list[Pod]] = {}
    for queued in poppable(copy):
        if queued.key not in kept and (before is None or queued.order < before.order):
            sorts.setdefault(_sort(copy, queued.pod), []).append(queued.pod)
            if len(sorts) > KINDS:
                return False
    for (_, _, priority), pods in sorts.items():
        if not fits_anywhere(copy, pods[0]):
            for pod in pods[feared is not None and priority > feared :]:
                copy.queue.remove(pod.key)
    return True


def _sort(copy: Simulation, pod: Pod) -> _Sort:
    """Labels count where pods look at one another, and volumes are each pod's own."""
    info, spec = PodInfo(pod), pod.spec
    looks = info.shape.has_pod_affinity or spec.topology_spread_constraints or copy.cluster.columns.counters.terms
    own = Kind(pod.key, (), info.shape, False) if info.has_volumes else None
    return info.shape, own or (info.kind if looks else None), info.priority


def poppable(copy: Simulation) -> list[QueuedPod]:
    """Pods of activeQ, and of backoffQ where Pop may take from it; in no particular order."""
    return [*copy.queue.active, *(copy.queue.backing_off if copy.settings.pop_from_backoff else ())]


def fits_anywhere(copy: Simulation, pod: Pod) -> bool:
    """Whether its filters find a node; where one fails, its attempt is to tell."""
    profile = copy.profiles.get(pod.spec.scheduler_name) or copy.profiles.first
    cycle = Cycle(copy.cluster.snapshot(), profile, pod, nominated=copy.nominated_pods(), percentage=100)
    cycle.pre_filter()
    cycle.filter()
    return bool(cycle.error) or len(cycle.feasible) > 0
