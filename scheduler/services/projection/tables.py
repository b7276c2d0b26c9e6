"""Writing the rows of what changed: prepared outside the transaction, written inside it, once per batch."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db import models

from scheduler.engine.objects import ObjectKey
from scheduler.models import KubeObject, Node, Pod, Profile, QueueEntry, UnitedDeployment
from scheduler.services.projection.changes import PodKey
from scheduler.services.sql import execute_many, insert, upsert

BATCH = 500
OBJECT_TABLES: dict[str, type[models.Model]] = {"Node": Node, "Pod": Pod, "UnitedDeployment": UnitedDeployment}
PROJECTED: tuple[type[models.Model], ...] = (Node, Pod, UnitedDeployment, KubeObject, QueueEntry, Profile)

POD_COLUMNS = ("queue", "attempts", "message", "node_name", "nominated_node_name", "phase", "status", "changed_seq")
SUM_COLUMNS = ("requested_milli_cpu", "requested_memory", "pod_count")
KEPT_ON_UPDATE = {"created_us", "attempts"}


def table_of(kind: str) -> type[models.Model]:
    return OBJECT_TABLES.get(kind, KubeObject)


@dataclass(slots=True)
class Rows:
    """Everything one batch writes. `moved` and `patched` (manifests as JSON) are of pods that have rows already."""

    cluster_id: int
    wipe: bool = False
    deleted: set[ObjectKey] = field(default_factory=set)
    inserted: list[models.Model] = field(default_factory=list)
    replaced: list[models.Model] = field(default_factory=list)
    moved: dict[PodKey, dict[str, Any]] = field(default_factory=dict)
    patched: dict[PodKey, str] = field(default_factory=dict)
    sums: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    queued: list[QueueEntry] = field(default_factory=list)
    unqueued: list[str] = field(default_factory=list)
    profiles: list[Profile] | None = None

    def write(self) -> None:
        """Must run inside the transaction that appends the events."""
        if self.wipe:
            for table in PROJECTED:
                _owned(table, self.cluster_id).delete()
        self._delete()
        for table, rows in by_table(self.inserted):
            insert(table, rows)
        for table, rows in by_table(self.replaced):
            upsert(table, rows, kept=KEPT_ON_UPDATE)
        self._write_pods()
        self._write_sums()
        self._write_queue()
        self._write_profiles()

    def _delete(self) -> None:
        for kind, keys in groupby(sorted(self.deleted), key=lambda key: key[0]):
            table = table_of(kind)
            for namespace, names in by_namespace([key[1:] for key in keys]):
                where = {} if table is Node else {"namespace": namespace}
                if table is KubeObject:
                    where["kind"] = kind
                _owned(table, self.cluster_id).filter(name__in=names, **where).delete()

    def _write_pods(self) -> None:
        table = Pod._meta.db_table
        columns = ", ".join(f"{name} = COALESCE(%s, {name})" for name in POD_COLUMNS)
        where = "WHERE cluster_id = %s AND namespace = %s AND name = %s"
        execute_many(
            f"UPDATE {table} SET {columns} {where}",
            [(*map(row.get, POD_COLUMNS), self.cluster_id, *key) for key, row in self.moved.items()],
        )
        execute_many(
            f"UPDATE {table} SET manifest = %s {where}",
            [(manifest, self.cluster_id, *key) for key, manifest in self.patched.items()],
        )

    def _write_sums(self) -> None:
        columns = ", ".join(f"{name} = %s" for name in SUM_COLUMNS)
        execute_many(
            f"UPDATE {Node._meta.db_table} SET {columns} WHERE cluster_id = %s AND name = %s",
            [(*sums, self.cluster_id, name) for name, sums in self.sums.items()],
        )

    def _write_queue(self) -> None:
        for pods in chunks(self.unqueued):
            _owned(QueueEntry, self.cluster_id).filter(pod__in=pods).delete()
        upsert(QueueEntry, self.queued)

    def _write_profiles(self) -> None:
        if self.profiles is not None:
            _owned(Profile, self.cluster_id).exclude(
                scheduler_name__in=[profile.scheduler_name for profile in self.profiles]
            ).delete()
            upsert(Profile, self.profiles)


def _owned(table: type[models.Model], cluster_id: int) -> models.QuerySet[Any]:
    return table._default_manager.filter(cluster_id=cluster_id)


def by_table(rows: Iterable[models.Model]) -> Iterator[tuple[type[models.Model], list[models.Model]]]:
    tables: dict[type[models.Model], list[models.Model]] = {}
    for row in rows:
        tables.setdefault(type(row), []).append(row)
    yield from tables.items()


def by_namespace(keys: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, list[str]]]:
    """Names in chunks that a query can hold, namespace by namespace."""
    names: dict[str, list[str]] = {}
    for namespace, name in keys:
        names.setdefault(namespace, []).append(name)
    for namespace, found in names.items():
        for chunk in chunks(found):
            yield namespace, chunk


def chunks(items: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(items), BATCH):
        yield list(items[start : start + BATCH])
