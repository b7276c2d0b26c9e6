"""A cluster by its name, and a run that a command waits for: driven by a runner if one is there, else right here."""

import os
import socket
import time
from collections.abc import Callable

from django.core.management.base import CommandError

from scheduler import execution
from scheduler.models import Cluster
from scheduler.runner import lease
from scheduler.runner.run import Run
from scheduler.services import Busy

SHOWN = 20
LOOK_SECONDS = 0.2


def cluster_named(name: str) -> Cluster:
    """Raises CommandError, which names those that there are."""
    found = Cluster.objects.filter(name=name).first()
    if found is None:
        names = ", ".join(Cluster.objects.values_list("name", flat=True)[:SHOWN]) or "none"
        raise CommandError(f"There is no cluster {name}. Clusters: {names}.")
    return found


def wait_until_paused(cluster_id: int, look: Callable[[Cluster], None] = lambda cluster: None) -> Cluster:
    """The cluster once its run is over. While no runner drives it, its slices are worked off in this process."""
    holder, run = f"{socket.gethostname()[:32]}:{os.getpid()}:command", None
    try:
        while True:
            if run is None and not execution.alive("runner") and lease.take(cluster_id, holder):
                run = Run(cluster_id, holder)
            if run is not None and not (run.keep_lease() and _advanced(run)):
                run.end()
                run = None
            cluster = Cluster.objects.get(pk=cluster_id)
            if cluster.wanted == Cluster.Wanted.PAUSED:
                return cluster
            look(cluster)
            time.sleep(LOOK_SECONDS if run is None else run.seconds_to_sleep())
    finally:
        if run is not None:
            run.end()


def _advanced(run: Run) -> bool:
    try:
        return run.advance()
    except Busy:
        return True  # others write a lot at this moment; the next slice is ours
