"""What every node says to a pod that is picked on the board."""

from typing import TypedDict


class AnswerGroup(TypedDict):
    """Nodes that refuse the pod alike. `more`: reasons of other plugins, parallel to `nodes`; [] where not counted."""

    plugin: str
    word: str  # of the first reason, for a tile: "taint", "cpu"
    own: int  # reasons of this plugin
    reason: str
    nodes: list[str]
    more: list[int]


class Answers(TypedDict):
    pod: str
    seq: int  # the event that this is the answer at
    node_count: int
    feasible: int  # nodes that would take it; all that `refused` does not name
    error: str  # why nobody can answer, "" otherwise
    because: str  # the cause, as the pod's page tells it, where no node would take it; "" otherwise
    refused: list[AnswerGroup]
