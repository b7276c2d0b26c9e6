"""A running cluster belongs to one runner at a time: a lease on its row, taken and kept by a conditional UPDATE.

The log itself is safe without it (writes are optimistic); the lease spares two runners doing the same work.
"""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from scheduler.models import Cluster

LEASE = timedelta(seconds=10)
RENEW_SECONDS = 3.0


def wanting(holder: str) -> list[int]:
    """Running clusters that `holder` has, or that nobody has any more."""
    return list(_free_for(holder).filter(wanted=Cluster.Wanted.RUNNING).order_by("pk").values_list("pk", flat=True))


def take(cluster_id: int, holder: str) -> bool:
    """Take or renew the lease; False if another runner holds it."""
    changed = _free_for(holder).filter(pk=cluster_id).update(lease_holder=holder, lease_expires=timezone.now() + LEASE)
    return changed == 1


def release(cluster_id: int, holder: str) -> bool:
    """Give the lease back; False if it was not ours any more."""
    changed = Cluster.objects.filter(pk=cluster_id, lease_holder=holder).update(lease_holder="", lease_expires=None)
    return changed == 1


def _free_for(holder: str) -> QuerySet[Cluster]:
    free = Q(lease_holder="") | Q(lease_holder=holder) | Q(lease_expires__lt=timezone.now())
    return Cluster.objects.filter(free)
