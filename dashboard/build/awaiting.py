"""Why the Pending pods and those in the queues are not as many: gated ones, other schedulers' and placed ones."""

from typing import Any, NamedTuple

from dashboard.build.past import counted, is_past
from scheduler import store
from scheduler.engine.queue.entry import GATED
from scheduler.models import Cluster


class Awaiting(NamedTuple):
    """Pods of a cluster. `queued`: in any queue or in a cycle, as the board counts them, `gated` among them.

    `foreign` and `placed` are Pending and in no queue: no scheduler here is theirs, or they have a node and start.
    """

    queued: int
    gated: int
    foreign: int
    placed: int


def awaiting(rows: Any, schedulers: set[str]) -> Awaiting:
    """`rows`: all pods of the cluster, now or in the past; `schedulers`: the names of its profiles then."""
    queues = counted(rows, "queue")
    outside = rows.filter(status="Pending", queue="")
    unplaced = counted(outside.filter(node_name=""), "scheduler_name")
    foreign = sum(number for name, number in unplaced.items() if name not in schedulers)
    return Awaiting(queues.total() - queues[""], queues[GATED], foreign, outside.count() - unplaced.total())


def schedulers(cluster: Cluster) -> set[str]:
    """The names of its profiles, now or in the past."""
    if not is_past(cluster):
        return set(cluster.profiles.values_list("scheduler_name", flat=True))
    with store.reading(cluster.pk, cluster.seq) as simulation:
        return {one.scheduler_name for one in simulation.profiles}
