"""What would make a pending pod fit: changes, each tried by a simulated run on a copy of the cluster."""

from typing import Literal, TypedDict

MovedPod = TypedDict("MovedPod", {"pod": str, "from": str, "to": str})
"""`to`: "" for a pod that has no node afterwards."""


class PlacedPod(TypedDict):
    pod: str
    node: str


class FixChange(TypedDict):
    """An object that the fix changes. `diff`: YAML lines, each with " ", "-" or "+" before it; "@" between parts."""

    action: Literal["change", "add", "delete", "restart"]
    kind: str
    namespace: str
    name: str
    diff: list[str]


class TriedFix(TypedDict):
    id: str
    kind: str
    outcome: Literal["fits", "unfinished", "no help"]
    title: str  # names in backticks, what decides in **
    told: str
    note: str
    rank: list[float]  # compared part by part, the least is the best
    node: str
    feasible: int
    ahead: int
    seconds: float
    moved: list[MovedPod]
    evicted: list[MovedPod]
    also: list[PlacedPod]
    message: str
    changes: list[FixChange]


class Fixes(TypedDict):
    """`next`: where to go on asking (`?from=`), None when everything has been tried. `as_it_is`: what becomes of the
    pod without any change, where it would fit; "" where it would not.
    """

    pod: str
    seq: int
    total: int
    next: int | None
    as_it_is: str
    silent: list[str]  # algorithms that refuse it and know of no change
    fixes: list[TriedFix]
    can_branch: bool  # whether who asks may open one as a branch
