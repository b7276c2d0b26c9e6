"""Pods in the queues."""

from collections.abc import Iterable

from scheduler.engine.commands import ActivatePods
from scheduler.services.commit import Committed, execute


def pods_activate(cluster_id: int, keys: Iterable[str], actor: str = "") -> Committed:
    """Bring waiting pods (`namespace/name`) to activeQ now."""
    return execute(cluster_id, ActivatePods(tuple(keys)), actor=actor)
