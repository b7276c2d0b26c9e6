"""A pod's story: what each event of the log did to it, and why."""

from typing import Literal, TypedDict


class StoryAnswer(TypedDict):
    """`verdict` of one plugin: it asks for another try, sees no help, or never hears of such events."""

    plugin: str
    event: str
    means: str  # the event in plain words
    verdict: Literal["queue", "skip", "deaf"]
    because: str


class StoryEvent(TypedDict):
    """An event of the log and what it did to a pod. `moved`: the place that it went to, "" if it stayed.

    `cause`: the name of the move that came of it, as kube-scheduler spells it, and `means` what that means; "" if none.
    """

    seq: int
    at_us: int
    what: str
    cycle: int | None
    place: str  # where the pod was just before; "" for nowhere
    moved: str
    cause: str
    means: str
    outcome: Literal["moved", "stayed", "not_asked"]
    conclusion: str  # names marked by backticks
    answers: list[StoryAnswer]


class PodStory(TypedDict):
    pod: str
    seq: int
    events: list[StoryEvent]  # newest first
    flush_us: int | None  # when the periodic flush takes it, if nothing else does; None where it does not wait for that
    left_out: int  # events that were not weighed because they lie too far back
