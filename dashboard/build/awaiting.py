"""Why the Pending pods and those in the queues are not as many: gated ones, other schedulers' and placed ones."""

from typing import Any, NamedTuple

from dashboard.build.past import counted
from scheduler.engine.queue.entry import GATED


class Awaiting(NamedTuple):
    """Pods of a cluster. `queued`: in any queue or in a cycle, as the board counts them, `gated` among them.

    `foreign` and `placed` are Pending and in no queue: no scheduler here is theirs, or they have a node and start.
    """

    queued: int
    gated: int
    foreign: int
    placed: int


def awaiting(rows: Any) -> Awaiting:
    """`rows`: all pods of the cluster, now or in the past."""
    queues = counted(rows, "queue")
    outside = rows.filter(status="Pending", queue="")
    foreign = outside.filter(node_name="").count()
    return Awaiting(queues.total() - queues[""], queues[GATED], foreign, outside.count() - foreign)
