"""What every node says to a pod that is picked on the board."""

from typing import TypedDict


class AnswerGroup(TypedDict):
    """Nodes that refuse the pod alike. `more`: further reasons of each, parallel to `nodes`; [] where not counted."""

    plugin: str
    word: str  # for a tile: "taint", "cpu +1"
    reason: str
    nodes: list[str]
    more: list[int]


class Answers(TypedDict):
    pod: str
    seq: int  # the event that this is the answer at
    node_count: int
    feasible: int  # nodes that would take it; all that `refused` does not name
    error: str  # why nobody can answer, "" otherwise
    refused: list[AnswerGroup]
