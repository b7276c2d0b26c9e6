"""What a pod's attempt would find if it began now, without being one: nothing of the state is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.cycle.attempt import Cycle

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def outlook(state: Simulation, key: str) -> Cycle | None:
    """A cycle that has asked the filters about all nodes; None for a pod that is not queued.

    To be let go of before anything is written to `state`: its snapshot shares the arrays of the columns.
    """
    queued = state.queued(key)
    if queued is None:
        return None
    cycle = Cycle(
        state.cluster.glance(),
        state.profiles.get(queued.pod.spec.scheduler_name) or state.profiles.first,
        queued.pod,
        nominated=state.nominated_pods(),
        percentage=100,
    )
    cycle.pre_filter()
    cycle.filter()
    return cycle
