"""Persistence: the log of events, and tables of the current state that can be rebuilt from it."""

from scheduler.models.case import Case
from scheduler.models.cluster import Cluster
from scheduler.models.job import Job
from scheduler.models.log import Checkpoint, Event
from scheduler.models.objects import KubeObject, Node, Pod, UnitedDeployment
from scheduler.models.queue import Profile, QueueEntry

__all__ = [
    "Case",
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
