"""The cluster as every page has it in its head."""

from typing import Literal, TypedDict


class Until(TypedDict):
    """A condition that is to stop the run, as `until …`. `missing`: how far it still is, "" if that is not counted."""

    aim: str
    missing: str
    at_us: int | None  # of a moment: `missing` is what the clock still has to go


class Foreign(TypedDict):
    """Pods that wait for a scheduler that has no profile here. `pods`: the first of them, as namespace/name."""

    scheduler: str
    count: int
    pods: list[str]


class ClusterState(TypedDict):
    name: str
    seq: int
    head_seq: int  # newest event of the log; seq < head_seq means the page shows the past
    now_us: int  # of the present: the time that has passed since the newest event of a run at a speed, too
    start_us: int
    next_timer_us: int | None  # when the virtual clock's next job would change anything
    wanted: Literal["paused", "running"]
    wanted_reason: str  # why a run stopped by itself, "" otherwise
    until: list[Until]  # of a run that goes; any of them stops it
    speed: float
    rate: float  # virtual seconds a real second now: the speed, or more while a run below 1 waits
    profiles: list[str]
    node_count: int
    pod_count: int
    pods_foreign: int  # Pending, and of a scheduler that has no profile here: in no queue
    foreign: list[Foreign]  # the same by scheduler, those with most pods first; at most 5
    can_write: bool
    executor: Literal["celery", "in_process"]  # who ran the last map and reduce; in_process means no broker answered
