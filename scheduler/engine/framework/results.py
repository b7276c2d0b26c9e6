"""What PreFilter and PostFilter give back, and one step of an explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scheduler.engine.framework.status import SKIP, SUCCESS, Status

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo


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
