"""What a page is told of one cell or one node of a cycle: numbers and verdicts as steps, each also in words."""

from typing import Any, Literal, TypedDict


class StepLine(TypedDict):
    """A step as the engine has it, so that it can be recomputed, and as people read it."""

    name: str
    op: str
    inputs: list[Any]  # a string is the name of an earlier step; texts of users stand in lists
    result: Any
    note: str
    text: str  # "500m ≤ 4000m − 3900m"
    answer: str  # the result in words: "no"
    holds: bool | None  # None for a number


class ExplainedFilter(TypedDict):
    plugin: str
    code: str  # Success, Skip (PreFilter left it out), or why it refuses
    reasons: list[str]
    steps: list[StepLine]  # the last one's result are the reasons; [] for a filter that does not explain itself
    nominated: list[str]  # pods nominated to the node that were counted


class ExplainedNode(TypedDict):
    """Every filter of the profile on one node, in order."""

    node: str
    verdict: Literal["feasible", "refused", "not_reached"]
    filters: list[ExplainedFilter]


class FailedCell(TypedDict):
    """A cell in which map failed while the others went on."""

    node: str
    algorithm: str
    error: str


class ExplainedCell(TypedDict):
    """A score from layer to layer. `reduce` and `weigh` go on from the raw score; [] before Reduce."""

    node: str
    algorithm: str
    about: str
    weight: int
    raw: int
    normalized: int | None
    weighted: int | None
    raw_min: int
    raw_max: int
    steps: list[StepLine]
    reduce: list[StepLine]
    weigh: list[StepLine]
    filters: list[ExplainedFilter]
