"""What a run is to stop at, and how far that still is."""

from dashboard.payloads.cluster import Until
from scheduler import store
from scheduler.engine import until
from scheduler.models import Cluster


def awaited(cluster: Cluster) -> list[Until]:
    """The conditions of the run that goes; [] where none goes or nothing but a person stops it."""
    if cluster.wanted != Cluster.Wanted.RUNNING or not cluster.until or hasattr(cluster, "at"):
        return []
    with store.reading(cluster.pk, cluster.seq) as simulation:
        return [
            {
                "aim": one.aims(),
                "missing": one.lacks(simulation),
                "at_us": one.number if one.what == "time" else None,
            }
            for one in until.parse(cluster.until, simulation)
        ]
