"""Earlier states that a cluster, or a branch of it, can go on from."""

from scheduler import store
from scheduler.engine.simulation.invariants import is_settled
from scheduler.engine.simulation.simulation import Simulation


def settled_at(cluster_id: int, seq: int) -> Simulation:
    """The state of `seq`, or of the last event before it at which no command was half done. The caller's own."""
    while True:
        _, earlier = store.borrow(cluster_id, seq)
        if is_settled(earlier) or seq <= 1:
            return earlier
        seq -= 1
