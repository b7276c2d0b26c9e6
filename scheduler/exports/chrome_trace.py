"""A run as a Chrome trace (JSON Trace Event Format), which ui.perfetto.dev and chrome://tracing open.

Time is the cluster's virtual clock, in µs since its beginning. Process 1 is the scheduler: its cycles as slices, with
what came of them, and what happened to the cluster as instants. Process 2 is the queue: how many pods each lane held,
and every pod's way through the lanes as a track of its own. What was undone is left out.
"""

import json
from collections import Counter
from collections.abc import Iterator
from heapq import merge
from typing import Any, TextIO

from scheduler import store
from scheduler.engine.queue.entry import NAMES as LANES
from scheduler.engine.simulation.moves import GONE
from scheduler.models import Cluster, Event

CHUNK = 2_000
SCHEDULER, QUEUE = 1, 2
CYCLES, CHANGES, CONTROLLERS = 1, 2, 3
TRACKS = (
    ("process_name", SCHEDULER, 0, "scheduler"),
    ("thread_name", SCHEDULER, CYCLES, "cycles"),
    ("thread_name", SCHEDULER, CHANGES, "changes of the cluster"),
    ("thread_name", SCHEDULER, CONTROLLERS, "controllers"),
    ("process_name", QUEUE, 0, "queue"),
)
CHANGED = {"ObjectAdded": "added", "ObjectUpdated": "changed", "ObjectPatched": "changed", "ObjectDeleted": "deleted"}
SAID = ("ProfileChanged", "ScenarioStepPlayed", "EventRecorded")

Traced = dict[str, Any]


def write_chrome_trace(cluster: Cluster, up_to: int, out: TextIO) -> None:
    """What had happened by event `up_to`."""
    about = {"cluster": cluster.name, "events": up_to, "clock": "virtual time in microseconds since the cluster began"}
    out.write(f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(about)}, "traceEvents": [')
    comma = ""
    for traced in chrome_trace(cluster, up_to):
        out.write(f"{comma}\n{json.dumps(traced, ensure_ascii=False)}")
        comma = ","
    out.write("\n]}\n")


def chrome_trace(cluster: Cluster, up_to: int) -> Iterator[Traced]:
    """Trace events, in the order of the log."""
    for what, process, thread, name in TRACKS:
        yield {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}
    born, lanes = store.born_seq(cluster.pk), _Lanes()
    popped: Event | None = None
    last_us = 0
    for row in _rows(cluster.pk, up_to):
        last_us = at_us = row.at_us - cluster.start_us
        if row.kind == "CycleStarted":
            popped = row
        elif row.kind == "CycleFinished" and popped is not None:
            yield _cycle(popped.at_us - cluster.start_us, at_us, row)
            popped = None
        if row.target:
            yield from lanes.moved(at_us, row)
        elif row.seq > born:
            yield from _instant(at_us, row)
    yield from lanes.ended(last_us)


def _rows(cluster_id: int, up_to: int) -> Iterator[Event]:
    """Manifests are large, and a trace does without."""
    for stretch in store.lineage(cluster_id, up_to):
        rows = Event.objects.filter(cluster_id=cluster_id, seq__gt=stretch.after, seq__lte=stretch.last).order_by("seq")
        told = rows.filter(kind__in=("CycleFinished", *SAID))
        others = rows.exclude(kind__in=("CycleFinished", *SAID)).defer("payload")
        yield from merge(told.iterator(CHUNK), others.iterator(CHUNK), key=lambda row: row.seq)


def _cycle(from_us: int, to_us: int, row: Event) -> Traced:
    decision = row.payload["decision"]
    told = {"cycle": row.cycle, "outcome": row.outcome}
    for name in ("node", "total", "feasible", "evaluated", "tied_count", "nominated_node", "victims", "message"):
        if decision.get(name):
            told[name] = decision[name]
    place = {"pid": SCHEDULER, "tid": CYCLES, "ts": from_us, "dur": to_us - from_us}
    return {"ph": "X", "name": _pod(row), "cat": f"cycle,{row.outcome}", **place, "args": told}


def _instant(at_us: int, row: Event) -> Iterator[Traced]:
    name, told, thread = "", {"event": row.seq}, CHANGES
    if row.kind in CHANGED:
        kind, _, key = row.object_key.partition("/")
        name = f"{kind} {key.removeprefix('/')} {CHANGED[row.kind]}"
    elif row.kind == "EventRecorded":
        said, thread = row.payload, CONTROLLERS
        name = f"{said['reason']} {said['object_kind']} {said['namespace']}/{said['name']}"
        told |= {"type": said["type"], "message": said["message"]}
    elif row.kind == "ProfileChanged":
        name = "Profiles changed"
    elif row.kind == "ScenarioStepPlayed":
        name = f"Scenario: {row.payload['action']} {row.payload['object_kind']} {row.payload['name']}"
    if name:
        yield {"ph": "i", "s": "t", "name": name, "pid": SCHEDULER, "tid": thread, "ts": at_us, "args": told}


class _Lanes:
    """Where every pod is: a slice for its whole way, inside it one for each lane, and the lanes' counts."""

    def __init__(self) -> None:
        self._where: dict[str, str] = {}
        self._counts: Counter[str] = Counter(dict.fromkeys(LANES, 0))

    def moved(self, at_us: int, row: Event) -> Iterator[Traced]:
        pod, before = _pod(row), self._where.get(_pod(row))
        after = row.target if row.target in LANES else None
        if before is not None:
            self._counts[before] -= 1
            yield self._end(pod, at_us, LANES[before])
        elif after is not None:
            yield self._slice("b", pod, at_us, pod)
        if after is not None:
            self._counts[after] += 1
            self._where[pod] = after
            why = {name: said for name, said in (("cause", row.cause), ("hint", row.hint)) if said}
            yield self._slice("b", pod, at_us, LANES[after]) | {"args": {"event": row.seq, **why}}
        elif before is not None:
            del self._where[pod]
            yield self._end(pod, at_us, pod) | {"args": {"left": "gone" if row.target == GONE else "bound"}}
        counts = {LANES[lane]: count for lane, count in self._counts.items()}
        yield {"ph": "C", "name": "pods by lane", "pid": QUEUE, "tid": 0, "ts": at_us, "args": counts}

    def ended(self, at_us: int) -> Iterator[Traced]:
        """Pods that still wait: their slices end with the trace."""
        for pod, lane in self._where.items():
            yield self._end(pod, at_us, LANES[lane])
            yield self._end(pod, at_us, pod)

    def _end(self, pod: str, at_us: int, name: str) -> Traced:
        return self._slice("e", pod, at_us, name)

    def _slice(self, phase: str, pod: str, at_us: int, name: str) -> Traced:
        return {"ph": phase, "cat": "pod", "id": pod, "name": name, "pid": QUEUE, "tid": 0, "ts": at_us}


def _pod(row: Event) -> str:
    return row.object_key.removeprefix("Pod/")
