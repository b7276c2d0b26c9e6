"""The lists of the pages as whole tables for other programs. Times are of the virtual clock."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from dashboard.build.moves import WORDS, Wanted, moves
from dashboard.build.records import CycleRecord, cycle_records
from dashboard.text import timestamp
from scheduler.models import Cluster

BATCH = 500


class PodRow(NamedTuple):
    """`memory` in bytes; `queue`: the lane that it waits in."""

    namespace: str
    name: str
    ready: str
    status: str
    restarts: int
    created: str
    priority: int
    ip: str
    node: str
    nominated_node: str
    readiness_gates: str
    queue: str
    milli_cpu: int
    memory: int


class CycleRow(NamedTuple):
    """`event`, `time`: of its pop. `tied`: how many nodes shared the highest total."""

    cycle: int
    event: int
    time: str
    pod: str
    attempt: int
    outcome: str
    node: str = ""
    total: int | None = None
    tied: int | None = None
    feasible: int | None = None
    evaluated: int | None = None
    nominated_node: str = ""
    victims: str = ""
    message: str = ""


class MoveRow(NamedTuple):
    event: int
    time: str
    pod: str
    source: str
    target: str
    cause: str
    hint: str
    cycle: int | None


def pod_rows(lines: Iterable[dict[str, Any]]) -> Iterator[PodRow]:
    """`lines`: the columns of the page."""
    for line in lines:
        pod = line["pod"]
        yield PodRow(
            namespace=pod.namespace,
            name=pod.name,
            ready=line["ready"],
            status=pod.status,
            restarts=line["restarts"],
            created=line["created"],
            priority=pod.priority,
            ip=line["ip"],
            node=pod.node_name,
            nominated_node=pod.nominated_node_name,
            readiness_gates=line["gates"],
            queue=pod.queue,
            milli_cpu=pod.milli_cpu,
            memory=pod.memory,
        )


def cycle_rows(cluster: Cluster, numbers: Iterable[int | None]) -> Iterator[CycleRow]:
    left = iter(numbers)
    while some := list(islice(left, BATCH)):
        yield from map(_cycle_row, cycle_records(cluster.pk, some, cluster.seq))


def _cycle_row(record: CycleRecord) -> CycleRow:
    popped = timestamp(record.popped_us)
    begun = CycleRow(record.number, record.popped_seq, popped, record.pod, record.attempt, record.outcome)
    said = record.decision
    if said is None:
        return begun
    return begun._replace(
        node=said.node,
        total=said.total,
        tied=said.tied_count,
        feasible=said.feasible,
        evaluated=said.evaluated,
        nominated_node=said.nominated_node or "",
        victims=" ".join(said.victims),
        message=said.message,
    )


def move_rows(cluster: Cluster, wanted: Wanted, up_to: int) -> Iterator[MoveRow]:
    before: int | None = None
    while True:
        page = moves(cluster, wanted, up_to, before, None)
        for line in page.lines:
            ends = (WORDS[line.source], WORDS[line.target])
            yield MoveRow(line.seq, timestamp(line.at_us), line.pod, *ends, line.cause, line.hint, line.cycle)
        before = page.older
        if before is None:
            return
