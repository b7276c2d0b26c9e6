"""The log and the tables of a new cluster, put aside batch by batch: the transaction that follows only writes.

So a large import holds neither its events nor its rows in memory, and other writers wait for as short as can be.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec
from django.db import models

from scheduler.engine.codec import codec
from scheduler.engine.commands import AddObject
from scheduler.engine.events import Event as Happened
from scheduler.engine.events import ObjectAdded, PodMoved, PodUnqueued
from scheduler.engine.objects import key_of
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.texts import Place, Texts
from scheduler.models import Event, KubeObject, Node, Pod, QueueEntry, UnitedDeployment
from scheduler.services import log
from scheduler.services.projection import rows
from scheduler.services.projection.prepare import usage_of
from scheduler.services.sql import insert, insert_values, values

BATCH = 500
TABLES: list[type[models.Model]] = [Node, Pod, UnitedDeployment, KubeObject]
Columns = dict[str, Any]
Written = Callable[[int, int], None]
"""Called with the number of events written, and of all. May raise to stop."""


class _Record(msgspec.Struct, array_like=True):
    """An event and, if it brings an object, that object's row. `text`: the payload, or the manifest of both."""

    event: Columns
    text: str
    table: int = -1
    row: Columns | None = None


class Staging:
    """Adds objects to a cluster that is not stored yet. `write` stores all of it."""

    def __init__(self, simulation: Simulation, events: Sequence[Happened], actor: str) -> None:
        """`events`: what has happened so far."""
        self.simulation, self.actor = simulation, actor[:150]
        self.count = 0
        self._texts = Texts()
        self._batches: list[Place] = []
        self._records: list[_Record] = []
        self._moved: dict[str, int] = {}
        for event in events:
            self._event(event)

    def add(self, kind: str, admitted: dict[str, Any]) -> None:
        text = msgspec.json.encode(admitted)
        raw = cast(dict[str, Any], msgspec.Raw(text))
        for event in self.simulation.handle(AddObject(kind, raw)):
            if isinstance(event.happening, ObjectAdded):
                self._object(event, kind, admitted, text.decode())
            else:
                self._event(event)

    def _object(self, event: Happened, kind: str, admitted: dict[str, Any], text: str) -> None:
        key = key_of(kind, admitted)
        value = self.simulation.cluster.get(*key)
        assert value is not None
        table, row = rows.object_columns(key, value, admitted, event.seq, event.at_us)
        self._put(_Record(codec.event_head(event), text, TABLES.index(table), row))

    def _event(self, event: Happened) -> None:
        if isinstance(event.happening, PodMoved | PodUnqueued):
            self._moved[event.happening.pod] = event.seq
        row = log.columns_of(event)
        self._put(_Record(row, row.pop("payload")))

    def _put(self, record: _Record) -> None:
        self.count += 1
        self._records.append(record)
        if len(self._records) == BATCH:
            self._put_aside()

    def _put_aside(self) -> None:
        self._batches.append(self._texts.put(_encode(self._records)))
        self._records = []

    # --- writing ------------------------------------------------------------------------------------------------------

    def write(self, cluster_id: int, written: Written) -> None:
        """Must run inside a transaction. The cluster's row must be there."""
        self._put_aside()
        done = 0
        for place in self._batches:
            written(done, self.count)
            records = _decode(self._texts.get(place))
            self._write(cluster_id, records)
            done += len(records)
        insert(QueueEntry, (rows.queue_row(cluster_id, queued) for queued in self._queued()))
        insert_profiles(cluster_id, self.simulation)
        written(done, self.count)

    def _write(self, cluster_id: int, records: list[_Record]) -> None:
        given = {"cluster_id": cluster_id, "actor": self.actor}
        insert_values(Event, [values(Event, one.event | given | {"payload": payload_of(one)}) for one in records])
        for number, table in enumerate(TABLES):
            here = [one for one in records if one.table == number]
            insert_values(table, [values(table, self._row(cluster_id, one)) for one in here])

    def _row(self, cluster_id: int, record: _Record) -> Columns:
        row: Columns = {**(record.row or {}), "cluster_id": cluster_id, "manifest": record.text}
        if TABLES[record.table] is Pod:
            return row | self._standing(f"{row['namespace']}/{row['name']}", row["changed_seq"])
        if TABLES[record.table] is Node:
            usage = usage_of(self.simulation, row["name"])
            row["requested_milli_cpu"], row["requested_memory"], row["pod_count"] = usage
        return row

    def _standing(self, pod: str, seq: int) -> Columns:
        """Where a pod stands now that all objects are there."""
        queued = self.simulation.queued(pod)
        return {
            "queue": queued.place if queued else "",
            "attempts": queued.entry.attempts if queued else 0,
            "message": self.simulation.last_message(pod),
            "changed_seq": max(seq, self._moved.get(pod, 0)),
        }

    def _queued(self) -> Any:
        return filter(None, map(self.simulation.queued, self._moved))


_encode, _decode = msgspec.msgpack.encode, msgspec.msgpack.Decoder(list[_Record]).decode


def insert_profiles(cluster_id: int, simulation: Simulation) -> None:
    made = rows.profile_rows(cluster_id, simulation.configuration, 1)
    if made:
        insert(type(made[0]), made)


def payload_of(record: _Record) -> str:
    """As the codec would write the payload of an ObjectAdded with this manifest."""
    if record.table < 0:
        return record.text
    kind = record.event["object_key"].partition("/")[0]
    return f'{{"object_kind":{msgspec.json.encode(kind).decode()},"manifest":{record.text}}}'
