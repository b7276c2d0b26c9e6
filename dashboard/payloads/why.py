"""The page of a pod as data: why it waits or is where it is, and the evidence behind it."""

from typing import Literal, NotRequired, TypedDict

from dashboard.payloads.preemption import PreemptionView

Form = Literal["1.33", "1.34", "1.37"]
"""Whose message: before 1.34, of 1.34 to 1.36, from 1.37 on; named by one version of each."""


class WhyResource(TypedDict):
    """One resource that the pod asks for, in the engine's units; its texts share a unit, `≈` before the rounded.
    What is asked is written as elsewhere on the page where some node has enough.

    `usable`: nodes that are not closed to the pod by labels, taints or cordons; everything else counts over them.
    """

    name: str
    asked: int
    text: str
    usable: int
    enough: int  # nodes with as much free
    largest: str  # the most that is free on one node
    node: str  # there; "" without any usable node
    whole: str  # the most that one offers in all
    total: str  # free on all together


class WhyReason(TypedDict):
    plugin: str
    reason: str
    nodes: int  # that it speaks against, whatever else does
    printed: int  # that the message counts: the search stops at the first filter that refuses
    before: int | None  # `nodes` at the attempt before; None at the first


class FreeBar(TypedDict):
    """`fits`: as much as the pod asks for. `share`: of the longest bar, 0 to 1."""

    label: str
    nodes: int
    share: float
    fits: bool


class FreeChart(TypedDict):
    resource: str
    asked: str
    bars: list[FreeBar]


class NodeResource(TypedDict):
    """Arrays over the nodes. `free` is 0 where a node is overcommitted."""

    name: str
    asked: int
    free: list[int]
    allocatable: list[int]


class WhyNodes(TypedDict):
    """Every node, as columns: the pod's best nodes first, then those that lack least.

    `verdicts`: 0 feasible, 1 refused, 2 not looked at. `of`: for each node indices into `reasons`, in the order of the
    filters. `before`: the same at the attempt before, null where that is equal, [-1] where it was not there.
    `distance`: the sum of the shares missing, and 1 for each other filter. `kept`: for which nominated pods a node that
    has enough is kept free, "" for none; null where no node is.
    """

    names: list[str]
    zones: list[str]
    types: list[str]
    verdicts: list[int]
    totals: list[int | None] | None
    reasons: list[list[str]]  # [plugin, reason]
    of: list[list[int]]
    before: list[list[int] | None] | None
    distance: list[float]
    kept: list[str] | None
    resources: list[NodeResource]


class Part(TypedDict):
    """Normalised scores of two nodes. `flip`: the weight of this algorithm alone that would turn it; null for none."""

    algorithm: str
    weight: int
    here: int
    there: int
    points: int
    flip: int | None


class Flipped(TypedDict):
    """The smallest change of one weight that would send the pod to the other node, and what trying it gave."""

    algorithm: str
    before: int
    after: int
    node: str
    total: int
    tied: int
    holds: bool


class Versus(TypedDict):
    """The node that was chosen against another. `refused`: why that one was none; then there is nothing to compare."""

    here: str
    there: str
    sentence: str
    margin: int | None
    refused: list[str]
    parts: list[Part]
    flip: Flipped | None


class WhyAttempt(TypedDict):
    attempt: int
    cycle: int
    at_us: int
    outcome: str
    node: str


class RequestLine(TypedDict):
    """A part of the request; `amounts` are texts by resource. `state`: decides, total or ""."""

    part: str
    note: str
    amounts: dict[str, str]
    state: str


class Demand(TypedDict):
    """`must`: a node that fails it is refused; otherwise it only scores lower."""

    plugin: str
    must: bool
    text: str


class HistoryLine(TypedDict):
    seq: int
    at_us: int
    text: str
    detail: str
    cycle: int | None


class Why(TypedDict):
    """`cause`: of a refusal, one clause; `detail`: what else the numbers say. Names stand in backticks."""

    pod: str
    seq: int
    status: str
    sentence: str
    detail: str
    now: str  # what an attempt would find now, "" for nothing new
    facts: list[str]
    attempts: list[WhyAttempt]
    attempt: int | None
    cycle: int | None
    messages: dict[Form, str]
    resources: list[WhyResource]
    free: FreeChart | None
    reasons: list[WhyReason]
    nodes: WhyNodes | None
    preemption: PreemptionView | None
    popped_us: int | None
    request: list[RequestLine]
    demands: list[Demand]
    history: list[HistoryLine]
    versus: NotRequired[Versus]
