"""What preemption tried, and what it decided."""

from typing import TypedDict

from dashboard.payloads.refusals import Refusal


class Victim(TypedDict):
    pod: str
    priority: int
    started_us: int | None  # None: not started
    breaks_budget: bool


class PreemptionCandidate(TypedDict):
    node: str
    measures: list[int | None]  # what each rule compares, in order; None is a start that counts as now
    out_by: int  # index of the rule that ruled the node out, -1 if none did
    victims: list[Victim]  # the first twenty, in order of eviction
    victim_count: int


class PreemptionView(TypedDict):
    """What the pod could gain by preemption. Where it may not preempt, only `ineligible` says anything."""

    ineligible: str
    nominated: str  # "" if preemption found no way
    decided_by: str  # a rule, or how a tie was broken
    rules: list[str]  # in order
    deciding: int  # index of the rule that left one candidate, -1 if none did
    tied: int  # candidates that no rule told apart, the nominated one included
    potential: int  # nodes that were refused for reasons that pods could be to blame for
    not_tried: int  # of these, left out because enough candidates were found
    candidates: list[PreemptionCandidate]  # best first, the first twenty
    candidate_count: int
    rejected: list[Refusal]  # nodes where the absence of all victims would not have helped, by reason
