"""The event log as lines of JSON, one an event, oldest first. What was undone is in it as well."""

import json
from typing import TextIO

from scheduler.models import Cluster, Event

CHUNK = 2_000
COLUMNS = ("seq", "at_us", "kind", "version", "object_key", "cycle", "actor", "payload")


def write_event_log(cluster: Cluster, up_to: int, out: TextIO) -> None:
    """`at_us`: virtual time in µs since the epoch; `payload`: the happening, complete. Empty columns are left out."""
    rows = Event.objects.filter(cluster=cluster, seq__lte=up_to).order_by("seq").values_list(*COLUMNS)
    for row in rows.iterator(CHUNK):
        told = {name: value for name, value in zip(COLUMNS, row, strict=True) if value not in ("", None)}
        out.write(json.dumps(told, ensure_ascii=False) + "\n")
