"""What came of the looks of controllers at their workloads, read from the log: for marks on the timeline."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet

from dashboard.build.united.told import Manifest, Standing, Told, patched, standing, told
from scheduler.models import Event

UNITED = "UnitedDeployment/"
WORKLOADS = (
    "AdvancedStatefulSet", "CloneSet", "DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet",
    "UnitedDeployment",
)  # fmt: skip
CHANGES = ("ObjectAdded", "ObjectUpdated", "ObjectPatched", "ObjectDeleted", "EventRecorded")
EARLIER = 12  # patches that are looked at for how a status was before


def statuses_written() -> Q:
    """Events by which a controller wrote down how its workload stands."""
    about = Q()
    for kind in WORKLOADS:
        about |= Q(object_key__startswith=f"{kind}/")
    return Q(kind="ObjectPatched") & about


def acts(rows: QuerySet[Event], limit: int) -> Iterator[tuple[Event, list[Told]]]:
    """Looks that led to something, and what. `rows`: a stretch of one cluster's log, newest first."""
    looks = list(rows.filter(kind="Reconciled")[:limit])
    if not looks:
        return
    cluster_id = looks[0].cluster_id
    follows = Event.objects.filter(cluster_id=cluster_id, seq__in=[row.seq + 1 for row in looks], kind__in=CHANGES)
    led = set(follows.exclude(statuses_written()).values_list("seq", flat=True))
    news = _news(rows.filter(kind="ObjectPatched", object_key__startswith=UNITED)[:limit])
    before: dict[str, int] = {}
    for row in looks:
        found = [one for seq, words in news[row.object_key] if row.seq < seq < before.get(row.object_key, seq + 1)
                 for one in words]  # fmt: skip
        before[row.object_key] = row.seq
        if found or row.seq + 1 in led:
            yield row, found


def _news(patches: Iterable[Event]) -> defaultdict[str, list[tuple[int, list[Told]]]]:
    """By UnitedDeployment: seq of each patch of its status, and what that told."""
    found: defaultdict[str, list[tuple[int, list[Told]]]] = defaultdict(list)
    held: dict[str, tuple[Manifest, Standing]] = {}
    for row in sorted(patches, key=lambda one: one.seq):
        status, before = held.get(row.object_key) or _earlier(row)
        status = patched(status, row.payload["patch"])
        after = standing(status)
        found[row.object_key].append((row.seq, told(before, after)))
        held[row.object_key] = status, after
    return found


def _earlier(row: Event) -> tuple[Manifest, Standing]:
    """How the status stood before an event, as far as the patches shortly before tell."""
    rows = Event.objects.filter(
        cluster_id=row.cluster_id, object_key=row.object_key, kind="ObjectPatched", seq__lt=row.seq
    ).order_by("-seq")[:EARLIER]
    status: Manifest = {}
    for one in reversed(rows):
        status = patched(status, one.payload["patch"])
    return status, standing(status)
