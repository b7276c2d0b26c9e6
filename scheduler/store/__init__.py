"""States of clusters at any seq, folded from the log and cached in this process."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster
from scheduler.store import fold
from scheduler.store.fold import (
    CHECKPOINT_EVERY,
    Stretch,
    born_seq,
    checkpoint_due,
    checkpoint_save,
    checkpoint_write,
    events_between,
    last_reset,
    lineage,
)
from scheduler.store.places import Places
from scheduler.store.pool import Identity, Pool

__all__ = [
    "CHECKPOINT_EVERY",
    "Identity",
    "Stretch",
    "born_seq",
    "borrow",
    "checkpoint",
    "checkpoint_due",
    "checkpoint_save",
    "checkpoint_write",
    "events_between",
    "forget",
    "identity_of",
    "last_reset",
    "lineage",
    "reading",
    "restore",
    "state_at",
]

POOL_OBJECTS = 100_000
SHARED_STATES = 4
READERS = 4  # states of one cluster that may be lent for reading at a time

_pool = Pool(POOL_OBJECTS, lambda simulation: fold.size_of(simulation))
_shared: OrderedDict[tuple[Identity, int], Simulation] = OrderedDict()
_places = Places(READERS)
_mutex = threading.Lock()


def identity_of(cluster_id: int) -> tuple[Identity, int]:
    """The cluster's identity and the head of its log. Raises `Cluster.DoesNotExist`."""
    created, seq = Cluster.objects.values_list("created", "seq").get(pk=cluster_id)
    return (cluster_id, created), seq


def borrow(cluster_id: int, seq: int | None = None) -> tuple[Identity, Simulation]:
    """The state at `seq` (None = head), the caller's alone until it hands it to `restore`, or drops it."""
    identity, head = identity_of(cluster_id)
    seq = head if seq is None else seq
    if not 0 < seq <= head:
        raise LookupError(f"This cluster has no event {seq}: its log ends at {head}.")
    idle = _pool.take(identity, seq)
    if idle is None:
        return identity, fold.load(cluster_id, seq)
    if fold.has_shortcut(cluster_id, idle.seq, seq):
        restore(identity, idle)
        return identity, fold.load(cluster_id, seq)
    return identity, fold.catch_up(idle, cluster_id, seq)


def restore(identity: Identity, simulation: Simulation) -> None:
    """Hand back an unspoiled, committed state."""
    _pool.put(identity, simulation)


@contextmanager
def reading(cluster_id: int, seq: int | None = None) -> Iterator[Simulation]:
    """Lends the state at `seq` (None = head) to this thread for reading. Raises `LookupError` without such a seq."""
    with _places.one(cluster_id):
        identity, simulation = borrow(cluster_id, seq)
        lent = fold.mark_of(simulation)
        try:
            yield simulation
        finally:
            if fold.mark_of(simulation) == lent:
                restore(identity, simulation)


def state_at(cluster_id: int, seq: int | None = None) -> Simulation:
    """The state at `seq`, never advanced afterwards, shared by whoever asks: do not change it."""
    identity, head = identity_of(cluster_id)
    key = (identity, head if seq is None else seq)
    with _mutex:
        if key in _shared:
            _shared.move_to_end(key)
            return _shared[key]
    _, simulation = borrow(cluster_id, key[1])
    with _mutex:
        _shared[key] = simulation
        while len(_shared) > SHARED_STATES:
            _shared.popitem(last=False)
    return simulation


def checkpoint(cluster_id: int, every: int) -> bool:
    """Keep the newest state if at least `every` events happened since the last checkpoint, more in a large cluster."""
    identity, simulation = borrow(cluster_id)
    written = checkpoint_write(cluster_id, simulation, max(every, fold.size_of(simulation) // 20))
    restore(identity, simulation)
    return written


def forget(cluster_id: int | None = None) -> None:
    """Drop every cached state of a cluster, or of all."""
    _pool.forget(cluster_id)
    with _mutex:
        for key in [key for key in _shared if cluster_id in (None, key[0][0])]:
            del _shared[key]
