"""A cluster for reading: nodes and the pods on them as plain lists. Everything is looked up anew at every question.

The modules beside this one state each algorithm for one node, in the order of the original's steps, as slowly as it
comes. They know nothing of columns; property tests hold the columns to them.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scheduler.engine.objects import Node, Pod

MAX_NODE_SCORE = 100


class Refusal(NamedTuple):
    """`hopeless`: UnschedulableAndUnresolvable, else Unschedulable."""

    reasons: tuple[str, ...]
    hopeless: bool = True


@dataclass
class World:
    """`nodes` in the order of the search; `pods` by node; `namespaces`: labels by name; `others`: by kind and key."""

    nodes: list[Node]
    pods: dict[str, list[Pod]] = field(default_factory=dict)
    namespaces: dict[str, dict[str, str]] = field(default_factory=dict)

    others: dict[str, dict[str, Any]] = field(default_factory=dict)

    def get(self, kind: str, key: str) -> Any:
        return self.others.get(kind, {}).get(key)

    def all(self, kind: str) -> list[Any]:
        return list(self.others.get(kind, {}).values())

    def pods_on(self, node: Node) -> list[Pod]:
        return self.pods.get(node.name, [])


def default_normalize(scores: list[int], reverse: bool = False) -> list[int]:
    highest = max([0, *scores])
    if highest == 0:
        return [MAX_NODE_SCORE] * len(scores) if reverse else scores
    scaled = [MAX_NODE_SCORE * score // highest for score in scores]
    return [MAX_NODE_SCORE - score for score in scaled] if reverse else scaled
