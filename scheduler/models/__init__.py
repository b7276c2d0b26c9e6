"""Persistence: the log of events, and tables of the current state that can be rebuilt from it."""

from scheduler.models.cluster import Cluster
from scheduler.models.job import Job
from scheduler.models.log import Checkpoint, Event
from scheduler.models.objects import KubeObject, Node, Pod, UnitedDeployment
from scheduler.models.queue import Profile, QueueEntry

__all__ = [
    "Checkpoint",
    "Cluster",
    "Event",
    "Job",
    "KubeObject",
    "Node",
    "Pod",
    "Profile",
    "QueueEntry",
    "UnitedDeployment",
]
