"""The lanes of the queues, and what decides their order and their waiting."""

from typing import Literal, NotRequired, TypedDict


class Card(TypedDict):
    """A pod in a lane."""

    key: str  # namespace/name
    priority: int
    attempts: int
    since_us: int  # queue timestamp: time of the last add or failure
    rank: NotRequired[int]  # 1-based, activeQ and backoffQ
    why: NotRequired[str]  # the move that brought it here, e.g. "NodeAdd · NodeResourcesFit"
    means: NotRequired[str]  # the event of `why` in plain words
    plugins: NotRequired[list[str]]  # who refused it, the decisive one first
    reason: NotRequired[str]  # what the first of them says, with what the pod asks for
    backoff_start_us: NotRequired[int]
    backoff_end_us: NotRequired[int]
    flush_us: NotRequired[int]  # when the five-minute flush takes it
    gate: NotRequired[str]
    nominated_node: NotRequired[str]
    message: NotRequired[str]
    pending: NotRequired[list[str]]  # those of `plugins` that answered Pending: their yes skips the backoff
    errors: NotRequired[int]  # consecutive errors: in backoffQ it lies in the heap that Pop does not take from early
    refusals: NotRequired[int]  # attempts that a plugin refused, ever: what the backoff doubles with
    first_us: NotRequired[int]  # when it first entered activeQ
    gate_plugin: NotRequired[str]
    moved_seq: NotRequired[int]  # the event that brought it here, and its time
    moved_us: NotRequired[int]
    cycle: NotRequired[int]  # in flight: its cycle, and the phase that it has reached
    phase: NotRequired[str]


LaneName = Literal["in_flight", "active", "backoff", "unschedulable", "gated"]


class Lane(TypedDict):
    name: LaneName
    count: int
    cards: list[Card]  # the first `LANE_LIMIT`; the rest by `…/lanes/<name>.json?offset=`


class FlowPlace(TypedDict):
    """`name`: a place of the queues, `new`, `bound` (pods with a node) or `gone`. `count`: pods there now."""

    name: str
    count: int


class FlowCause(TypedDict):
    cause: str
    means: str  # the cause in plain words
    hint: str
    count: int


class FlowEdge(TypedDict):
    """How often a pod went from `source` to `target`, by event and deciding hint, most first."""

    source: str
    target: str
    count: int
    causes: list[FlowCause]


class Flow(TypedDict):
    seq: int
    places: list[FlowPlace]
    edges: list[FlowEdge]  # most first


class QueueRules(TypedDict):
    """What decides the order and the waiting, in settings. `preset`: its name, "" if the settings are none."""

    preset: str
    hints: bool
    pop_from_backoff: bool
    initial_backoff_us: int
    max_backoff_us: int
    leftover_flush_us: int
    max_unschedulable_us: int
    listens: dict[str, list[str]]  # the events that each plugin asked to hear of
    words: dict[str, str]  # what these events mean
