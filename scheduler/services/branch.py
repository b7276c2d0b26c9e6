"""A branch: a new cluster that shares another one's past up to an event, and goes its own way from there."""

from django.db import IntegrityError, connection, transaction

from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.errors import Refused
from scheduler.models import Checkpoint, Cluster, Event
from scheduler.services.clusters import checked
from scheduler.services.news import publish
from scheduler.services.past import settled_at
from scheduler.services.projection import Changes, prepare
from scheduler.services.projection.rebuild import history
from scheduler.services.sql import columns_of

NAME_LENGTH = 63
MOST_BRANCHES = 1000  # of one event


def cluster_branch(cluster_id: int, seq: int | None = None, name: str = "", actor: str = "") -> Cluster:
    """A new, paused cluster with the whole log up to `seq` (None = now), cycles, moves and scenario included.

    Without a name it is called after its origin: `demo-at-120`. Raises `Refused`, `Invalid` (name),
    `Cluster.DoesNotExist`.
    """
    origin = Cluster.objects.get(pk=cluster_id)
    seq = origin.seq if seq is None else seq
    if not 0 < seq <= origin.seq:
        raise Refused(f"{origin.name} has no event {seq}: its log ends at {origin.seq}.")
    branch = checked(Cluster(name=name or branch_name(origin.name, seq)))
    branch.description = f"Branch of {origin.name} at event {seq}" + (f", by {actor}" if actor else "")
    simulation = settled_at(cluster_id, seq)
    seq = simulation.seq
    branch.seq, branch.now_us, branch.start_us = seq, simulation.now_us, simulation.start_us
    branch.cycle, branch.speed, branch.tally = simulation.last_cycle, origin.speed, simulation.tally.dump()
    changes, blob = Changes.of(history(cluster_id, seq)), codec.encode_checkpoint(simulation)
    with transaction.atomic():
        _insert(branch)
        _copy_log(cluster_id, branch.pk, seq)
        prepare(branch.pk, simulation, changes, (), everything=True).write()
        store.checkpoint_save(branch.pk, seq, blob)
    transaction.on_commit(lambda: publish(branch.pk, seq))
    return branch


def branch_name(origin: str, seq: int) -> str:
    """`demo-at-120`, the next time `demo-at-120-2`. A name that would be too long loses the end of its origin."""
    ending = f"-at-{seq}"
    stem = f"{origin[: NAME_LENGTH - len(ending) - 5].rstrip('-')}{ending}"
    taken = set(Cluster.objects.filter(name__startswith=stem).values_list("name", flat=True))
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, MOST_BRANCHES))
    free = next((name for name in names if name not in taken), None)
    if free is None:
        raise Refused(f"There are {MOST_BRANCHES} branches of {origin} at event {seq} already: give a name.")
    return free


def _insert(branch: Cluster) -> None:
    try:
        with transaction.atomic():
            branch.description = branch.description[:200]
            branch.save(force_insert=True)
    except IntegrityError:
        raise Refused(f"There is a cluster {branch.name} already.") from None


def _copy_log(origin: int, branch: int, seq: int) -> None:
    """Inside the database: the log may be long. The first checkpoint says where the cluster's own life began."""
    for table, upper in ((Event, seq), (Checkpoint, _born(origin, seq))):
        columns = [column for _, column, _ in columns_of(table)]
        chosen = ", ".join("%s" if column == "cluster_id" else column for column in columns)
        name = table._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {name} ({', '.join(columns)}) "
                f"SELECT {chosen} FROM {name} WHERE cluster_id = %s AND seq <= %s ORDER BY seq",
                [branch, origin, upper],
            )


def _born(origin: int, seq: int) -> int:
    first = Checkpoint.objects.filter(cluster_id=origin, seq__lt=seq).order_by("seq").values_list("seq", flat=True)
    return first.first() or 0
