"""Where a pod that has a node would go if it were scheduled now: an attempt on a copy of the cluster without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import Refused
from scheduler.engine.objects import Pod
from scheduler.engine.objects.pods import PodStatus

if TYPE_CHECKING:
    from scheduler.engine.profile import Profile
    from scheduler.engine.simulation.simulation import Simulation


def anew(state: Simulation, key: str) -> Cycle:
    """The whole attempt, as the next cycle would make it: same sampling, same draw. Nothing of `state` is changed.

    Nobody goes before the pod, and pods that wait stay where they are. Raises Refused, whose text says why it cannot be
    told, and PluginError. To be let go of before anything is written to `state`.
    """
    pod = state.pod(key)
    if pod is None:
        raise Refused(f"There is no pod {key} now.")
    profile = _responsible(state, pod)
    without = state.cluster.fork()
    without.delete("Pod", *key.split("/", 1))
    cycle = Cycle(
        without.snapshot(),
        profile,
        _unplaced(pod),
        number=state.last_cycle + 1,
        seed=state.seed,
        start_index=state.start_index,
        nominated=state.nominated_pods(),
        draws_nomination=state.settings.draw_nominations,
        draws_at_each_tie=state.settings.draw_at_each_tie,
        collects_errors=state.settings.collect_score_errors,
    )
    cycle.run()
    return cycle


def _responsible(state: Simulation, pod: Pod) -> Profile:
    """The profile that would place it. Raises Refused where nobody would."""
    if pod.is_finished:
        raise Refused("It has ended, so nobody would schedule it.")
    if not pod.node_name:
        raise Refused("It has no node: it waits, and its page says for what.")
    if pod.is_terminating:
        raise Refused("It is being deleted, so nobody would schedule it.")
    name = pod.spec.scheduler_name or ""
    profile = state.profiles.get(name)
    if profile is None:
        raise Refused(f"It asks for the scheduler {name}, and no profile here has that name.")
    return profile


def _unplaced(pod: Pod) -> Pod:
    """As it was before it had a node. Claims of devices keep the names that were made for them."""
    claims = pod.status.resource_claim_statuses if pod.status is not None else None
    status = PodStatus(phase="Pending", resource_claim_statuses=claims)
    return replace(pod, spec=replace(pod.spec, node_name=None), status=status)
