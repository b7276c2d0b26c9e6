"""What a cycle decided: complete, small, plain data. Scores are not in it: a trace recomputes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

Outcome = Literal["bound", "unschedulable", "error"]
LISTED_TIES = 20
LISTED_NODES = 5


class Refusal(msgspec.Struct, frozen=True):
    """Nodes refused by one plugin for one reason. `nodes`: the first five in visiting order."""

    plugin: str
    reason: str
    code: str
    count: int
    nodes: tuple[str, ...] = ()


class ClaimBinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a claim (`namespace/name`) is to get: an existing PersistentVolume, or "" for one to be provisioned."""

    claim: str
    volume: str = ""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of one attempt.

    `tied`: the first 20 of `tied_count` nodes with the highest total, in the order found; `drawn` indexes the full
    list. `feasible`, `evaluated`, `node_count` are numbers of nodes. `nominated_node`: None leaves the pod's
    nomination as it is, "" clears it. `victims`: `namespace/name`, most important first. `message`: FitError or the
    error's text, "" for a bound pod. `volumes`: what Reserve promised to claims that waited for this pod.
    """

    outcome: Outcome
    node: str = ""
    total: int = 0
    tied: tuple[str, ...] = ()
    tied_count: int = 0
    drawn: int = 0
    feasible: int = 0
    evaluated: int = 0
    node_count: int = 0
    message: str = ""
    refusals: tuple[Refusal, ...] = ()
    unschedulable_plugins: tuple[str, ...] = ()
    pending_plugins: tuple[str, ...] = ()
    next_start_index: int = 0
    nominated_node: str | None = None
    victims: tuple[str, ...] = ()
    volumes: tuple[ClaimBinding, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data, as the event log stores it."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Decision:
        """The inverse of `to_data`. Raises `msgspec.ValidationError`."""
        return msgspec.convert(data, cls)


def merged(refusals: Iterable[Refusal]) -> list[Refusal]:
    """By plugin and reason, most frequent first; where codes differ, the one of most nodes."""
    by_reason: dict[tuple[str, str], Refusal] = {}
    for one in refusals:
        known = by_reason.get((one.plugin, one.reason))
        by_reason[one.plugin, one.reason] = one if known is None else _joined(known, one)
    return sorted(by_reason.values(), key=lambda one: -one.count)


def _joined(known: Refusal, other: Refusal) -> Refusal:
    nodes = (*known.nodes, *other.nodes)[:LISTED_NODES]
    return Refusal(known.plugin, known.reason, known.code, known.count + other.count, nodes)
