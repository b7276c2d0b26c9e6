"""The lists of the pages as whole tables for other programs.

Times are of the virtual clock: `clock` since the cluster began, as the pages show it, `time` as a date, to the µs.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from dashboard.build.moves import WORDS, Wanted, moves
from dashboard.build.records import CycleRecord, cycle_records
from dashboard.text import clock, moment
from scheduler.engine.cycle.decision import Decision
from scheduler.models import Cluster

BATCH = 500
OUTCOMES = {"bound": "placed", "unschedulable": "refused"}
RESULTS = {"bound": "scheduled"}


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
    """`event`, `clock`, `time`: of its pop. `outcome`: in the words of the pages; `result`: in kube-scheduler's.

    `total`: None where nothing was scored. `tied`: how many nodes shared the highest total.
    """

    cycle: int
    event: int
    clock: str
    time: str
    pod: str
    attempt: int
    outcome: str
    result: str
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
    clock: str
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
        for record in cycle_records(cluster.pk, some, cluster.seq):
            yield _cycle_row(record, cluster.start_us)


def scored_total(said: Decision | None) -> int | None:
    """Of the node that was chosen; None where no node was, or only one fitted: then nothing is scored."""
    return said.total if said is not None and said.outcome == "bound" and said.feasible > 1 else None


def _cycle_row(record: CycleRecord, start_us: int) -> CycleRow:
    popped = clock(record.popped_us, start_us), moment(record.popped_us)
    ends = OUTCOMES.get(record.outcome, record.outcome), RESULTS.get(record.outcome, record.outcome)
    begun = CycleRow(record.number, record.popped_seq, *popped, record.pod, record.attempt, *ends)
    said = record.decision
    if said is None:
        return begun
    return begun._replace(
        node=said.node,
        total=scored_total(said),
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
            at = clock(line.at_us, cluster.start_us), moment(line.at_us)
            yield MoveRow(line.seq, *at, line.pod, *ends, line.cause, line.hint, line.cycle)
        before = page.older
        if before is None:
            return
