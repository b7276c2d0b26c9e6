"""What the page of a pod tells, from its row, its attempts and the state of the cluster."""

from dataclasses import dataclass, field

from django.utils.html import strip_tags

from dashboard.build.constraints import constraints
from dashboard.build.deletion import deletion_facts
from dashboard.build.history import Line, history
from dashboard.build.records import CycleRecord
from dashboard.build.requests import arithmetic
from dashboard.build.source import attempt_of
from dashboard.build.standing import Last, Standing, refused_then, standing
from dashboard.build.why.evidence import Evidence, evidence
from dashboard.build.why.message import messages
from dashboard.build.why.now import NOTHING, Outlook, now
from dashboard.build.why.reasons import nodes, reasons
from dashboard.build.why.versus import versus
from dashboard.payloads.why import Form, HistoryLine, RequestLine, Versus, Why, WhyAttempt, WhyReason
from scheduler import store
from scheduler.engine.explain.sentence import evictions
from scheduler.engine.objects import Pod as TypedPod
from scheduler.models import Cluster, Pod

BEST = 6


@dataclass(frozen=True, slots=True)
class Seen:
    """A pod as its page shows it. `records`: its attempts, newest first; `chosen`: the one that is looked at, with its
    `found` evidence and that of the attempt `before` it. `outlook`: what an attempt would find now.
    `is_foreign`: no profile here has the name of the scheduler that it asks for.
    """

    row: Pod
    pod: TypedPod
    records: list[CycleRecord]
    chosen: CycleRecord | None
    found: Evidence | None
    before: Evidence | None
    stands: Standing
    messages: dict[Form, str] = field(default_factory=dict)
    outlook: Outlook = NOTHING
    is_foreign: bool = False

    @property
    def now(self) -> str:
        return self.outlook.text

    @property
    def is_last(self) -> bool:
        return not self.records or self.chosen is self.records[0]

    @property
    def sentence(self) -> str:
        if self.is_last or self.chosen is None or self.found is None:
            return self.outlook.lead or self.stands.sentence
        return refused_then(f"`{self.row.key}`", self.chosen, self.found)

    @property
    def detail(self) -> str:
        told = self.found.cause.detail if self.found is not None and self.found.cause is not None else ""
        if self.outlook.lead and self.chosen is not None and self.found is not None:
            return f"{refused_then('it', self.chosen, self.found)} {told}".strip()
        decision = self.chosen.decision if self.chosen is not None and not self.is_last else None
        return f"{told}{evictions(decision)}".strip() if decision is not None else told

    @property
    def reasons(self) -> list[WhyReason]:
        return reasons(self.found, self.before) if self.found is not None else []

    @property
    def best(self) -> list[tuple[str, int, int]]:
        """(node, total, how far behind the best) of the first nodes; [] where nothing was scored."""
        table = self.found.columns if self.found is not None else None
        if table is None or not table.totals:
            return []
        rows = [row for row in table.order[:BEST] if row in table.totals]
        most = table.totals[rows[0]]
        return [(table.names[row], table.totals[row], most - table.totals[row]) for row in rows]

    @property
    def placed(self) -> bool:
        """Whether the attempt that is looked at found a node."""
        return self.chosen is not None and self.chosen.outcome == "bound"


def seen(cluster: Cluster, row: Pod, pod: TypedPod, records: list[CycleRecord], chosen: CycleRecord | None) -> Seen:
    """Evidence is computed before the state is lent: whoever holds one and waits for another may wait for ever."""
    found = evidence(cluster, chosen) if chosen is not None else None
    last = Last(records[0], evidence(cluster, records[0])) if records else None
    at = records.index(chosen) if chosen is not None else 0
    before = evidence(cluster, records[at + 1]) if chosen is not None and at + 1 < len(records) else None
    with store.reading(cluster.pk, cluster.seq) as simulation:
        stands = standing(simulation, simulation.pod(row.key) or pod, last, cluster.now_us)
        if pod.is_terminating:
            stands = stands._replace(facts=[*deletion_facts(row.manifest, cluster.now_us), *stands.facts])
        is_foreign = simulation.profiles.get(pod.spec.scheduler_name) is None
        is_last = not records or chosen is records[0]
        outlook = now(simulation, row.key, records[0] if records else None) if is_last else NOTHING
    decision = chosen.decision if chosen is not None else None
    told = messages(decision) if decision is not None and decision.outcome != "bound" else {}
    return Seen(row, pod, records, chosen, found, before, stands, told, outlook, is_foreign)


def against(cluster: Cluster, one: Seen, other: str) -> Versus | None:
    """Why here and not on `other`; "" for the next best. Raises LookupError."""
    if one.chosen is None or not one.placed:
        return None
    with attempt_of(cluster, one.chosen) as made:
        return versus(made, other)


def attempt_lines(records: list[CycleRecord]) -> list[WhyAttempt]:
    return [
        {
            "attempt": record.attempt,
            "cycle": record.number,
            "at_us": record.popped_us,
            "outcome": record.outcome,
            "node": record.decision.node if record.decision is not None else "",
        }
        for record in records
    ]


def _request(pod: TypedPod) -> list[RequestLine]:
    counted = arithmetic(pod)
    return [
        {
            "part": line.part,
            "note": line.note,
            "amounts": dict(zip(counted.resources, line.amounts, strict=True)),
            "state": line.state,
        }
        for line in counted.lines
    ]


def _history_line(line: Line) -> HistoryLine:
    return {"seq": line.seq, "at_us": line.at_us, "text": line.text, "detail": line.detail, "cycle": line.cycle}


def why(cluster: Cluster, one: Seen, versus: Versus | None) -> Why:
    """The whole page as data."""
    made: Why = {
        "pod": one.row.key,
        "seq": cluster.seq,
        "status": one.row.status,
        "sentence": one.sentence,
        "detail": one.detail,
        "now": one.now,
        "facts": [strip_tags(fact) for fact in one.stands.facts],
        "attempts": attempt_lines(one.records),
        "attempt": one.chosen.attempt if one.chosen is not None else None,
        "cycle": one.chosen.number if one.chosen is not None else None,
        "messages": one.messages,
        "resources": one.found.resources if one.found is not None else [],
        "free": one.found.free if one.found is not None else None,
        "reasons": one.reasons,
        "nodes": nodes(one.found, one.before) if one.found is not None else None,
        "preemption": one.found.preemption if one.found is not None else None,
        "popped_us": one.chosen.popped_us if one.chosen is not None else None,
        "request": _request(one.pod),
        "demands": [{"plugin": each.plugin, "must": each.must, "text": each.text} for each in constraints(one.pod)],
        "history": [_history_line(line) for line in history(cluster.pk, one.row.key, cluster.seq)],
    }
    if versus is not None:
        made["versus"] = versus
    return made
