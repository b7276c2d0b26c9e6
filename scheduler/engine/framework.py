"""The contract between the cycle and its algorithms: Status, Verdict, Nodes and Plugin.

An algorithm answers for many nodes at once: `nodes` is a range of the snapshot's columns, so the same code serves one
node, a shard in a worker, or the whole cluster. Outcomes are values, never exceptions.
Source: kube-scheduler v1.34.1, framework/interface.go.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.decision import ClaimBinding
    from scheduler.engine.cycle.prepared import Scoring

MAX_NODE_SCORE = 100

Int64Array: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

Reads: TypeAlias = Literal["node", "columns", "pods", "cluster"]
"""What an answer for a node depends on besides the pod and the arguments: that Node object; what stands in its row of
`nodes.columns`, and nothing else; also the pods on it; or anything in the cluster. The narrower, the more of it the
cycle may keep from one pod to the next of the same shape."""


class Code(IntEnum):
    """Status codes with kube-scheduler's numbers."""

    SUCCESS = 0
    ERROR = 1
    UNSCHEDULABLE = 2
    UNSCHEDULABLE_AND_UNRESOLVABLE = 3
    WAIT = 4
    SKIP = 5
    PENDING = 6

    @property
    def label(self) -> str:
        """The Go spelling, as vectors and kubectl users know it: `UnschedulableAndUnresolvable`."""
        return "".join(word.capitalize() for word in self.name.split("_"))


@dataclass(frozen=True, slots=True)
class Status:
    """What an algorithm says about one thing. `reasons` are kube-scheduler's words, in its order."""

    code: Code = Code.SUCCESS
    reasons: tuple[str, ...] = ()
    plugin: str = ""

    @property
    def is_success(self) -> bool:
        return self.code is Code.SUCCESS

    @property
    def is_rejected(self) -> bool:
        return self.code in (Code.UNSCHEDULABLE, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, Code.PENDING)

    @property
    def message(self) -> str:
        return ", ".join(self.reasons)


SUCCESS = Status()
SKIP = Status(Code.SKIP)


def unschedulable(*reasons: str) -> Status:
    return Status(Code.UNSCHEDULABLE, reasons)


def unresolvable(*reasons: str) -> Status:
    """No change of the pods on the node could help: preemption leaves such a node alone."""
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, reasons)


def error(*reasons: str) -> Status:
    return Status(Code.ERROR, reasons)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A filter's answer for a range: `index[i]` points into `statuses`; `statuses[0]` is success.

    `index`: int16 of shape (len(nodes),). `refused`: how many are not success.
    """

    index: NDArray[np.int16]
    statuses: tuple[Status, ...]
    refused: int

    @classmethod
    def of(cls, index: NDArray[np.int16], statuses: tuple[Status, ...]) -> Verdict:
        return cls(index, statuses, int(np.count_nonzero(index)))

    @classmethod
    def where(cls, refused: BoolArray, status: Status) -> Verdict:
        """`status` where `refused`, success elsewhere: all that most filters need."""
        return cls.of(refused.astype(np.int16), (SUCCESS, status))

    @classmethod
    def success(cls, nodes: Nodes) -> Verdict:
        return cls(np.zeros(len(nodes), np.int16), (SUCCESS,), 0)


@dataclass(frozen=True, slots=True)
class Nodes:
    """A range of nodes: `rows` are row numbers of the columns (int64, any order, no repeats).

    `columns[key]` are whole columns; `nodes.take(key)` is the part that belongs to this range.
    """

    columns: Columns
    rows: Int64Array

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, values: NDArray[Any]) -> NDArray[Any]:
        """The rows of this range of an array over all nodes."""
        return values if len(self.rows) == len(values) and self.is_all else values[self.rows]

    @property
    def is_all(self) -> bool:
        """Whether this is the whole snapshot in its own order (the array that the columns keep for that)."""
        return self.rows is self.columns.all_rows


@dataclass(frozen=True, slots=True)
class PreFilterResult:
    """`node_names` narrows the search to these nodes; None leaves all."""

    status: Status = SUCCESS
    node_names: frozenset[str] | None = None


PASSED, SKIPPED = PreFilterResult(), PreFilterResult(SKIP)


@dataclass(frozen=True, slots=True)
class PostFilterResult:
    """What a PostFilter algorithm achieved for a pod that fits nowhere.

    `nominated_node`: None leaves the pod's nomination as it is, "" clears it. `victims`: pods to evict, most important
    first. `details`: the algorithm's own record for screens (for preemption: the candidates).
    """

    status: Status = SUCCESS
    nominated_node: str | None = None
    victims: tuple[PodInfo, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic of a cell: `op` applied to `inputs` gives `result`.

    `explain.steps.evaluate(steps)` recomputes each result from its inputs alone. An input that is an earlier step's
    `name` stands for its result, so text of users goes into a tuple.
    """

    name: str
    op: str
    inputs: tuple[Any, ...]
    result: Any
    note: str = ""


class Plugin:
    """An algorithm. Subclass it in one file under `plugins/`; the class is its own registration.

    `name` and `weight` (score weight in the default profile, 0 = no Score) are class attributes; `Args` is an optional
    frozen msgspec Struct whose fields become the profile editor's form. Implement the extension points that apply;
    the cycle asks `implements("score")` and never calls the others.

    `filter_reads` and `score_reads` say what an answer for one node depends on, `shape_key` which part of the pod;
    the defaults are always right, narrower ones make a cycle fast. `lower_is_better`: of the raw score, for screens.
    """

    name: ClassVar[str]
    weight: ClassVar[int] = 0
    Args: ClassVar[type | None] = None
    filter_reads: ClassVar[Reads] = "cluster"
    score_reads: ClassVar[Reads] = "cluster"
    lower_is_better: ClassVar[bool] = False

    def __init__(self, args: Any = None) -> None:
        self.args = args if args is not None or self.Args is None else self.Args()

    @classmethod
    def implements(cls, point: str) -> bool:
        """Whether this algorithm overrides the extension point (`filter`, `score`, `normalize`, …)."""
        return getattr(cls, point) is not getattr(Plugin, point)

    def shape_key(self, pod: PodInfo) -> Hashable:
        """Pods with equal keys get equal answers from a `filter` or `score` that reads less than the cluster.

        May look at the pod's shape and at its node name.
        """
        return pod.shape.key

    def concerns(self, pod: PodInfo) -> bool:
        """False where the pod by itself makes PreFilter and PreScore skip; then neither is called.

        May look at the pod's shape and at whether it has volumes. The default is always right.
        """
        return True

    def pre_enqueue(self, pod: PodInfo) -> Status:
        raise NotImplementedError

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        """Compute what Filter needs once per pod into `cycle.state[self.name]`; `SKIP` leaves Filter out."""
        raise NotImplementedError

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        raise NotImplementedError

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        """AddPod and RemovePod: adjust `cycle.state` of a forked cycle in which these pods came to or left a node."""

    def post_filter(self, cycle: Cycle) -> PostFilterResult:
        """Help a pod that fits nowhere; runs after Filter, before the message is written."""
        raise NotImplementedError

    def pre_score(self, cycle: Cycle) -> Status:
        """Compute what Score needs once per pod; `SKIP` leaves this algorithm's row out altogether."""
        raise NotImplementedError

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        """MAP: the raw score of each node of this range. int64 of shape (len(nodes),).

        Runs in workers too: reads only `cycle.pod`, `cycle.state`, `cycle.node_count` and the columns. Which columns
        it reads may depend on the pod, not on the rows.
        """
        raise NotImplementedError

    def reserve(self, cycle: Cycle, row: int) -> tuple[ClaimBinding, ...]:
        """What binding the pod to the node of this row will write; asked if PreFilter left a state for the pod."""
        raise NotImplementedError

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        """REDUCE: this algorithm's whole row (all feasible nodes) brought to 0…100. Must not change `scores`."""
        raise NotImplementedError

    def explain_pre_filter(self, cycle: Cycle) -> list[Step]:
        """Why this algorithm's PreFilter refused the pod: the last step's result are the reasons. [] adds nothing."""
        return []

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """How this algorithm's verdict on one node came about: the last step's result are its reasons, () if it passes.

        `explain.checks.with_verdict(conditions, reasons)` makes that of steps whose results are true or false.
        [] leaves the verdict unexplained.
        """
        return []

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        """The arithmetic of this algorithm's raw score on one node; the last step's result is the score."""
        raise NotImplementedError

    def explain_normalize(self, cycle: Scoring, scores: Int64Array, place: int) -> list[Step]:
        """The arithmetic of `normalize` for `scores[place]`; the last step's result is the normalised score.

        `explain.scales` has the steps of the usual scales. [] leaves it unexplained.
        """
        return []


def default_normalize(scores: Int64Array, *, reverse: bool = False) -> Int64Array:
    """DefaultNormalizeScore: 100 for the highest raw score; `reverse` turns the scale round. All 0 stays (or is) best.

    `scores`: int64, none negative.
    """
    highest = int(scores.max(initial=0))
    if highest == 0:
        return np.full(len(scores), MAX_NODE_SCORE, np.int64) if reverse else scores
    scaled = scores * MAX_NODE_SCORE // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled
