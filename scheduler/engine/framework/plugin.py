"""The class that every algorithm is a subclass of: its extension points and what each is to answer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler.engine.framework.arrays import Int64Array, Reads
from scheduler.engine.framework.nodes import Nodes, Verdict
from scheduler.engine.framework.results import PostFilterResult, PreFilterResult, Step
from scheduler.engine.framework.status import SUCCESS, Status
from scheduler.engine.framework.watch import watch

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.decision import ClaimBinding
    from scheduler.engine.cycle.prepared import Scoring
    from scheduler.engine.fixes.change import Fix


class Plugin:
    """An algorithm. Subclass it in one file under `plugins/`; the class is its own registration.

    `name` and `weight` (score weight in the default profile, 0 = no Score) are class attributes; `Args` is an optional
    frozen msgspec Struct whose fields become the profile editor's form; `short` is what narrow columns of
    screens call it, if not by its name. Implement the extension points that apply; the cycle asks `implements("score")`
    and never calls the others.

    `filter_reads` and `score_reads` say what an answer for one node depends on, `shape_key` which part of the pod;
    the defaults are always right, narrower ones make a cycle fast. `lower_is_better`: of the raw score, for screens.
    `whole_list`: `score` is asked once about all feasible nodes together, never about a part of them; this is what
    kube-scheduler called a Function before v1.18.
    """

    name: ClassVar[str]
    short: ClassVar[str] = ""
    weight: ClassVar[int] = 0
    Args: ClassVar[type | None] = None
    filter_reads: ClassVar[Reads] = "cluster"
    score_reads: ClassVar[Reads] = "cluster"
    lower_is_better: ClassVar[bool] = False
    whole_list: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        watch(cls)

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

    def without_pre_filter(self, cycle: Cycle) -> Status:
        """Asked where a profile runs Filter but not PreFilter: success lets Filter run, `SKIP` passes every node, and
        anything else is the answer for each."""
        return SUCCESS

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        """AddPod and RemovePod: adjust `cycle.state` of a forked cycle in which these pods came to or left a node."""

    def post_filter(self, cycle: Cycle) -> PostFilterResult:
        """Help a pod that fits nowhere; runs after Filter, before the message is written."""
        raise NotImplementedError

    def pre_score(self, cycle: Cycle) -> Status:
        """Compute what Score needs once per pod; `SKIP` leaves this algorithm's row out altogether."""
        raise NotImplementedError

    def without_pre_score(self, cycle: Cycle) -> Status:
        """Asked where a profile runs Score but not PreScore: success lets Score run, `SKIP` scores every node 0, and
        an error is what Score fails with."""
        return SUCCESS

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        """MAP: the raw score of each node of this range. int64 of shape (len(nodes),). All feasible ones in the order
        found, if `whole_list`.

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

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Changes that would let the pod onto one of these nodes, all of which this filter refuses; the best first.

        Each is tried by a simulated run before anybody sees it. A few are enough; [] where nothing comes to mind.
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
