"""Nodes that were refused, and why."""

from typing import TypedDict


class Refusal(TypedDict):
    plugin: str
    reason: str
    code: str
    count: int
    nodes: list[str]  # the first five


class Failure(TypedDict):
    plugin: str
    code: str
    reasons: list[str]
    missing: list[str]  # distances where numbers are compared: "needs 300m more cpu"


class RefusedNode(TypedDict):
    node: str
    zone: str
    failures: list[Failure]  # of every filter that refuses it, in order; the search stops at the first


class RefusedNodes(TypedDict):
    """A page of the refused nodes that a search found."""

    cycle: int
    count: int
    reason_count: int  # over all of them: a node counts once a reason
    nodes: list[RefusedNode]
