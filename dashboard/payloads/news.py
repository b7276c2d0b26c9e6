"""What the websocket says. What it leaves out stayed as it was."""

from typing import Any, Literal, NotRequired, TypedDict

from dashboard.payloads.board import Mark
from dashboard.payloads.cluster import ClusterState
from dashboard.payloads.cycle import AlgorithmState, CycleView, Phase, Task
from dashboard.payloads.map import Tile
from dashboard.payloads.queue import Lane


class GroupNews(TypedDict):
    """A group's new figures. With `tiles`, nodes came or went: the groups of the message replace all groups."""

    name: str
    count: int
    cpu: float
    memory: float
    tiles: NotRequired[list[Tile]]


class MapNews(TypedDict):
    """ClusterView without what stayed the same. `tiles`: nodes that changed, whole, by name.

    `verdicts`: nodes of which only the cycle's word changed: [name, verdict or None, "lead" | "tie" | ""].
    """

    node_count: int
    pods_bound: int
    pods_waiting: int
    cpu: float
    memory: float
    extra: float | None
    extra_name: str
    largest_free: dict[str, Any]
    groups: list[GroupNews]
    tiles: list[Tile]
    verdicts: list[list[str | None]]


class StateNews(TypedDict):
    """What changed of a BoardState. An absent part stayed as it was."""

    cluster: ClusterState  # `can_write` is the page's own business: it is always False here
    lanes: NotRequired[list[Lane]]  # the lanes that changed, each whole
    cycle: NotRequired[CycleView | None]
    map: NotRequired[MapNews]
    marks: NotRequired[list[Mark]]  # new ones, oldest first; keep the newest MARK_LIMIT (400)


class News(TypedDict):
    """Server → browser. Apply only if `from_seq` is the seq the page holds; otherwise fetch `state.json`."""

    type: Literal["news"]
    from_seq: int
    seq: int
    state: StateNews


class Hello(TypedDict):
    """Server → browser, first message: fetch `state.json` if the page holds another seq.

    Browser → server: {"type": "ack"} after painting each frame; {"type": "ack", "seq": n} after having fetched state.
    """

    type: Literal["hello"]
    seq: int


class AlgorithmProgress(TypedDict):
    name: str
    state: AlgorithmState
    worker: str


class Progress(TypedDict):
    """Server → browser, not part of the log: a cycle on its way through the workers. May be dropped."""

    type: Literal["progress"]
    cycle: int
    phase: str
    phases: list[Phase]
    algorithms: list[AlgorithmProgress]  # only those that score this pod: match them by name
    # {"rows": [first, last], "raw": [[…] per algorithm]} or {"algorithm": i, "normalized": […]}; algorithm indexes the
    # list above, rows count the feasible nodes in the order found (as CycleView.rows before totals exist)
    cells: list[dict[str, Any]]
    tasks: list[Task]
