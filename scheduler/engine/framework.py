"""The contract between the cycle and its algorithms: Status, Verdict, Nodes and Plugin.

An algorithm answers for many nodes at once: `nodes` is a range of the snapshot's columns, so the same code serves one
node, a shard in a worker, or the whole cluster. Outcomes are values, never exceptions.
Source: kube-scheduler v1.34.1, framework/interface.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle
    from scheduler.engine.snapshot import Snapshot

MAX_NODE_SCORE = 100

Int64Array: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]


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

    `index`: int16 of shape (len(nodes),).
    """

    index: NDArray[np.int16]
    statuses: tuple[Status, ...] = (SUCCESS,)

    @classmethod
    def where(cls, refused: BoolArray, status: Status) -> Verdict:
        """`status` where `refused`, success elsewhere: all that most filters need."""
        return cls(refused.astype(np.int16), (SUCCESS, status))


@dataclass(frozen=True, slots=True)
class Nodes:
    """A range of the snapshot: `rows` are row numbers of its columns (int64, any order, no repeats)."""

    snapshot: Snapshot
    rows: Int64Array

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class PreFilterResult:
    """`node_names` narrows the search to these nodes; None leaves all."""

    status: Status = SUCCESS
    node_names: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic of a cell: `op` applied to `inputs` gives `result`.

    `explain.evaluate(steps)` recomputes each result from its inputs alone; an input that names an earlier step's
    `name` stands for its result.
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
    """

    name: ClassVar[str]
    weight: ClassVar[int] = 0
    Args: ClassVar[type | None] = None

    def __init__(self, args: Any = None) -> None:
        self.args = args if args is not None or self.Args is None else self.Args()

    @classmethod
    def implements(cls, point: str) -> bool:
        """Whether this algorithm overrides the extension point (`filter`, `score`, `normalize`, …)."""
        return getattr(cls, point) is not getattr(Plugin, point)

    def pre_enqueue(self, cycle: Cycle) -> Status:
        raise NotImplementedError

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        """Compute what Filter needs once per pod into `cycle.state[self.name]`; `SKIP` leaves Filter out."""
        raise NotImplementedError

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        raise NotImplementedError

    def pre_score(self, cycle: Cycle) -> Status:
        """Compute what Score needs once per pod; `SKIP` leaves this algorithm's row out altogether."""
        raise NotImplementedError

    def score(self, cycle: Cycle, nodes: Nodes) -> Int64Array:
        """MAP: the raw score of each node of this range. int64 of shape (len(nodes),)."""
        raise NotImplementedError

    def normalize(self, cycle: Cycle, scores: Int64Array) -> Int64Array:
        """REDUCE: this algorithm's whole row (all feasible nodes) brought to 0…100."""
        raise NotImplementedError

    def explain(self, cycle: Cycle, row: int) -> list[Step]:
        """The arithmetic of this algorithm's raw score on one node, for people."""
        raise NotImplementedError
