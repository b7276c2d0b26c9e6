"""The passes of a UnitedDeployment's controller: moments of the log, each of which can be looked at again."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from scheduler import store
from scheduler.engine.objects import ObjectKey
from scheduler.models import Cluster, Event


@dataclass(frozen=True)
class Passes:
    """`number`: of the pass that the shown event of the past is, 0 if it is none; `count`: passes until then.

    `head`: the newest event. `earlier`, `later`: events of the passes before and after the shown one.
    """

    number: int
    count: int
    earlier: int | None
    later: int | None
    head: int


def passes(cluster: Cluster, key: ObjectKey, head: int) -> Passes:
    """`cluster.seq` is the event that is shown, `head` the newest one."""
    looks = looks_of(cluster.pk, key)
    before = looks.filter(counted(cluster.pk, cluster.seq))
    count = before.count()
    is_one = hasattr(cluster, "at") and looks.filter(seq=cluster.seq).exists()
    after = looks.filter(counted(cluster.pk, head), seq__gt=cluster.seq)
    return Passes(
        number=count if is_one else 0,
        count=count,
        earlier=before.filter(seq__lt=cluster.seq).order_by("-seq").values_list("seq", flat=True).first(),
        later=after.order_by("seq").values_list("seq", flat=True).first() if head > cluster.seq else None,
        head=head,
    )


def looks_of(cluster_id: int, key: ObjectKey) -> QuerySet[Event]:
    return Event.objects.filter(cluster_id=cluster_id, object_key="/".join(key), kind="Reconciled")


def counted(cluster_id: int, seq: int) -> Q:
    """Events that make up the state at `seq`: what was undone does not count."""
    found = Q(pk__in=())
    for one in store.lineage(cluster_id, seq):
        found |= Q(seq__gt=one.after, seq__lte=one.last)
    return found
