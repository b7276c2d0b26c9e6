"""What spread constraints and affinity terms saw, by domain."""

from typing import Literal, TypedDict


class SpreadDomain(TypedDict):
    value: str
    pods: int  # that the selector matches, on nodes that count
    nodes: int
    counted: int  # of these, nodes that count
    feasible: int
    skew: int | None  # if the pod were placed here: hard constraints only
    fits: bool | None
    points: float | None  # to the raw score, fewer is better: soft constraints, where a node is feasible


class SpreadRule(TypedDict):
    """A topology spread constraint. `least`, `itself`: hard ones only; `weight`: soft ones, once scored."""

    key: str
    hard: bool
    own: bool  # False: one of the profile's default constraints
    selects: str
    max_skew: int
    min_domains: int
    honors_affinity: bool
    honors_taints: bool
    itself: int | None
    least: int | None  # the global minimum that skew is measured against
    size: int | None  # domains that count
    weight: float | None
    domains: list[SpreadDomain]  # fewest pods first, the first hundred
    domain_count: int
    refused_count: int  # domains that would be too skewed
    unlabelled: int  # nodes without the label


class AffinityValue(TypedDict):
    value: str
    nodes: int
    pods: int | None  # None where only the sum of their weights is known
    points: int | None  # to the raw score: preferred terms only


class AffinityTerm(TypedDict):
    effect: Literal["needs", "refuses", "attracts", "repels"]
    own: bool  # False: of placed pods, whose term means this pod
    key: str
    selects: str
    namespaces: str
    weight: int  # 0 for terms that filter; negative where it repels
    values: list[AffinityValue]  # values with such pods, most first, the first hundred
    value_count: int
    domain_count: int  # all values of the label
    unlabelled: int  # nodes without the label
    first: bool  # nobody matches yet, so the pod may be the first of its kind


class Topology(TypedDict):
    cycle: int
    spread: list[SpreadRule]  # hard ones first
    affinity: list[AffinityTerm]  # the first hundred
    term_count: int
