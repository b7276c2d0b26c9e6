"""Earlier states of a cluster: to go on from, and to be looked at."""

from collections.abc import Iterator
from typing import Any

from scheduler import store
from scheduler.engine.simulation.invariants import is_settled
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.export import TABLES
from scheduler.services.projection.rebuild import whole


def settled_at(cluster_id: int, seq: int) -> Simulation:
    """The state of `seq`, or of the last event before it at which no command was half done. The caller's own."""
    while True:
        _, earlier = store.borrow(cluster_id, seq)
        if is_settled(earlier) or seq <= 1:
            return earlier
        seq -= 1


def objects_at(cluster_id: int, seq: int) -> Iterator[dict[str, Any]]:
    """The manifests of a cluster at an event of its log, in the order of `cluster_objects`."""
    with store.reading(cluster_id, seq) as simulation:
        made = whole(cluster_id, simulation, seq).inserted
    for model in TABLES:
        yield from (row.manifest for row in made if isinstance(row, model))
