"""The virtual time that a page shows: of the past the event's, else the present, which a run at a speed is ahead of."""

from scheduler.execution import pacemaker
from scheduler.models import Cluster


def present_us(cluster: Cluster, now_us: int) -> int:
    """`now_us`: of the newest event. A run at a speed that waits has no events, but its time passes."""
    return present(cluster, now_us)[0]


def present(cluster: Cluster, now_us: int) -> tuple[int, float]:
    """The same, and how many virtual seconds a real one pass now: those of the run's speed, or more where it waits."""
    if cluster.wanted != Cluster.Wanted.RUNNING or hasattr(cluster, "at"):
        return now_us, cluster.speed
    beat = pacemaker.beat(cluster.pk)
    return (max(now_us, beat.present_us()), beat.rate) if beat else (now_us, cluster.speed)


def at_present(cluster: Cluster) -> Cluster:
    """The row with the clock of now, so that every age on a page agrees with the clock in its head. Not to be saved.

    Whoever asks again gets the same moment.
    """
    if not hasattr(cluster, "head_us"):
        cluster.head_us = cluster.now_us  # type: ignore[attr-defined]
        cluster.now_us, cluster.rate = present(cluster, cluster.now_us)  # type: ignore[attr-defined]
    return cluster
