"""A cycle: its phases, scores, timings, and how it ended."""

from typing import Any, Literal, NotRequired, TypedDict

from dashboard.payloads.preemption import PreemptionView
from dashboard.payloads.refusals import Refusal

Outcome = Literal["open", "bound", "unschedulable", "error"]
PhaseState = Literal["idle", "run", "done", "skip", "fail"]
AlgorithmState = Literal["skip", "waiting", "mapping", "raw", "reducing", "set", "as_is", "fail", "not_scored"]


class Phase(TypedDict):
    name: str  # PreEnqueue Pop PreFilter Filter PreScore Map Reduce Sum Select Reserve Bind | PostFilter
    state: PhaseState
    ms: float | None
    note: str  # "43 of 90 nodes", "2 of 4", "only one node fits"


class Algorithm(TypedDict):
    name: str
    short: str  # "TaintTol"
    weight: int
    lower_is_better: bool  # of the raw layer
    whole_list: bool  # scores all feasible nodes at once
    error: str  # what its reduce said where it failed and the others went on (state "fail"), else ""
    state: AlgorithmState
    worker: str  # who is reducing or reduced it, "" in process


class ScoreRows(TypedDict):
    """Nodes that passed the filters, best first once totals exist. Above 500 the tail is binned: see `bins`."""

    names: list[str]
    zones: list[str]
    raw: list[list[int | None] | None]  # [algorithm][row]; None for a skipped algorithm, None cells not returned yet
    normalized: list[list[int] | None]
    weighted: list[list[int] | None]
    failed: list[list[str | None] | None]  # [algorithm][row]: what its map said there; None where nothing failed
    totals: list[int] | None
    rank: list[int] | None  # 1-based, ties share a rank
    bins: list[int]  # nodes in each row: 1, or more for a binned row (whose scores are rounded means)


class FunnelStep(TypedDict):
    plugin: str
    left: int  # nodes left after it
    lost: int
    skipped: bool


class Task(TypedDict):
    """One map range, one reduce, or a phase in the core, for the timings chart."""

    worker: str  # "core", "w1", …
    kind: Literal["phase", "map", "reduce"]
    label: str
    start_ms: float
    ms: float
    resent: bool


class Tie(TypedDict):
    nodes: list[str]  # the first twenty, in the order found
    count: int  # all of them
    drawn: int  # index into the full list
    seed: int  # of the cluster


class OtherDraw(TypedDict):
    """What another seed would have drawn."""

    seed: int
    lot: int  # index into the full list of ties
    node: str


class PodiumPlace(TypedDict):
    place: int
    node: str
    zone: str
    total: int
    parts: list[int | None]  # weighted, by algorithm
    differences: list[dict[str, Any]]  # against the winner: {"algorithm": short, "by": int}, non-zero only


class CycleView(TypedDict):
    number: int
    pod: str
    attempt: int
    popped_seq: int
    popped_us: int
    finished_seq: int | None
    outcome: Outcome
    sentence: str  # HTML-free; names marked by backticks
    phase: str  # last phase shown
    phases: list[Phase]
    algorithms: list[Algorithm]
    rows: ScoreRows
    node_count: int
    evaluated: int
    feasible: int
    lost: str  # "" or why a finished cycle cannot be computed again: then only its end is known
    scoring_skipped: str  # "" or why ("only one node passed the filters, so nothing was scored")
    score_failures: str  # "" or what failed while the other scores went on ("2 scores failed (Fragile)")
    winner: str
    tie: Tie | None
    podium: list[PodiumPlace]
    refusals: list[Refusal]
    funnel: list[FunnelStep]
    tasks: list[Task]
    message: str  # FitError or "Successfully assigned …", as kube-scheduler prints it
    unschedulable_plugins: list[str]
    note: str  # what did not go the usual way ("No worker was there, so …"), "" if nothing
    preemption: NotRequired[PreemptionView]
