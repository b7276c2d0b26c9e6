"""The cluster as every page has it in its head."""

from typing import Literal, TypedDict


class ClusterState(TypedDict):
    name: str
    seq: int
    head_seq: int  # newest event of the log; seq < head_seq means the page shows the past
    now_us: int  # of the present: the time that has passed since the newest event of a run at a speed, too
    start_us: int
    next_timer_us: int | None  # when the virtual clock's next job would change anything
    wanted: Literal["paused", "running"]
    wanted_reason: str  # why a run stopped by itself, "" otherwise
    speed: float
    profiles: list[str]
    node_count: int
    pod_count: int
    can_write: bool
    executor: Literal["celery", "in_process"]  # who ran the last map and reduce; in_process means no broker answered
