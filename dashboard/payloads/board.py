"""The board: all of a cluster that its first page shows."""

from typing import Literal, NotRequired, TypedDict

from dashboard.payloads.cluster import ClusterState
from dashboard.payloads.cycle import CycleView
from dashboard.payloads.map import ClusterView
from dashboard.payloads.queue import Lane


class Mark(TypedDict):
    """An event on the timeline."""

    seq: int
    at_us: int
    track: Literal["events", "cycles", "moves"]
    sign: Literal[
        "placed",
        "refused",
        "preemption",
        "node",
        "object",
        "move",
        "profile",
        "error",
        "scenario",
        "controller",
        "held",  # a controller found that a subset takes no more pods
        "back",  # or that it takes pods again
        "undo",
    ]
    title: str
    cycle: NotRequired[int]
    to_seq: NotRequired[int]  # of an undo: what came after this event until the undo counts no more


class BoardState(TypedDict):
    cluster: ClusterState
    lanes: list[Lane]
    cycle: CycleView | None  # the open cycle, else the last one
    map: ClusterView
    marks: list[Mark]  # the newest `MARK_LIMIT`
