"""The tables made from the log alone: after a reset, on request, and to check the ones that are there."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from django.db import models, transaction

from scheduler import store
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster
from scheduler.services.projection.changes import Changes
from scheduler.services.projection.prepare import prepare
from scheduler.services.projection.tables import PROJECTED, Rows


def history(cluster_id: int, seq: int) -> Iterator[Event]:
    """The events that make up the state at `seq`, without what resets undid."""
    for stretch in store.lineage(cluster_id, seq):
        yield from store.events_between(cluster_id, stretch.after, stretch.last)


def whole(cluster_id: int, simulation: Simulation, seq: int, later: Sequence[Event] = ()) -> Rows:
    """Every row of the state that the log up to `seq` and `later` events make; `simulation` is that state."""
    changes = Changes.of(chain(history(cluster_id, seq), later))
    return prepare(cluster_id, simulation, changes, (), everything=True)


def rebuild(cluster_id: int) -> int:
    """Replace the tables by what the log says; returns the seq they stand at. Writers are kept out meanwhile."""
    with transaction.atomic():
        cluster = Cluster.objects.select_for_update().get(pk=cluster_id)
        with store.reading(cluster_id, cluster.seq) as simulation:
            whole(cluster_id, simulation, cluster.seq).write()
            Cluster.objects.filter(pk=cluster_id).update(tally=simulation.tally.dump())
    return cluster.seq


def differences(cluster_id: int) -> list[str]:
    """What `rebuild` would change, one line a row, the tables left as they are."""
    before = snapshot(cluster_id)
    with transaction.atomic():
        rebuild(cluster_id)
        after = snapshot(cluster_id)
        transaction.set_rollback(True)
    return [
        f"{name}: {_told(before.get(name), after.get(name))}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def snapshot(cluster_id: int) -> dict[str, dict[str, Any]]:
    """Every projected row by its name, without database ids."""
    return {f"{table.__name__} {row}": _columns(row) for table in PROJECTED for row in _rows(table, cluster_id)}


def _rows(table: type[models.Model], cluster_id: int) -> Iterator[models.Model]:
    return table._default_manager.filter(cluster_id=cluster_id).order_by().iterator(2_000)


def _columns(row: models.Model) -> dict[str, Any]:
    return {f.attname: f.value_from_object(row) for f in row._meta.concrete_fields if not f.primary_key}


def _told(stored: dict[str, Any] | None, rebuilt: dict[str, Any] | None) -> str:
    if stored is None:
        return "is missing"
    if rebuilt is None:
        return "should not be there"
    names = [name for name in stored if stored[name] != rebuilt[name]]
    return ", ".join(f"{name} is {stored[name]!r}, the log says {rebuilt[name]!r}"[:300] for name in names)
