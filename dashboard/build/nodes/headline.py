"""The first sentence of the page of nodes, and the facts below it."""

from typing import Any

import numpy as np

from dashboard.build.nodes.fleet import STATES, Fleet
from dashboard.build.nodes.groups import Group
from dashboard.build.usage import CPU, MEMORY, extra_resource
from dashboard.text import cores_about, count, listed, memory_about, percent, quantity

NEARLY_FULL, FULL = 0.85, 1.0
_TAKEN = (
    (0.05, "nearly empty"),
    (0.14, "a tenth taken"),
    (0.22, "a fifth taken"),
    (0.29, "a quarter taken"),
    (0.42, "a third taken"),
)
_LEAST_GAP = 0.2  # between two groups that are told apart in the sentence


def sentence(fleet: Fleet, groups: list[Group]) -> str:
    """`5,000 nodes, 66% of cpu and 48% of memory requested. spot is nearly full; arm is a third taken.`"""
    if not len(fleet):
        return "This cluster has no nodes."
    extra = extra_resource(fleet.used)
    parts = [f"{_percent(fleet, name)} of {name.rpartition('/')[2]}" for name in (CPU, MEMORY, extra) if name]
    told = f"{count(len(fleet), 'node')}, {listed(parts)} requested."
    if (fleet.states == STATES.index("cordoned")).all():
        return f"{told} {'It is' if len(fleet) == 1 else 'All are'} cordoned: pods wait."
    about = "; ".join(about_groups(groups))
    return f"{told} {about}." if about else told


def _percent(fleet: Fleet, resource: str) -> str:
    requested, allocatable = (int(of[resource].sum()) for of in (fleet.used.requested, fleet.used.allocatable))
    return percent(requested, allocatable) or "0%"


def about_groups(groups: list[Group]) -> list[str]:
    """The fullest group if it is nearly full, the emptiest if it is far from that."""
    known = [one for one in _flat(groups) if one.name and one.allocatable]
    if len(known) < 2:
        return []
    fullest, emptiest = max(known, key=lambda one: one.share), min(known, key=lambda one: one.share)
    said = []
    if fullest.share >= NEARLY_FULL:
        word = "over-committed" if fullest.share > FULL else "full" if fullest.share == FULL else "nearly full"
        said.append(f"{fullest.name} is {word}")
    taken = next((word for most, word in _TAKEN if emptiest.share <= most), "")
    if taken and fullest.share - emptiest.share >= _LEAST_GAP:
        said.append(f"{emptiest.name} is {taken}")
    return said


def _flat(groups: list[Group]) -> list[Group]:
    """The innermost groups; those of one name in several outer groups together."""
    if not any(one.inner for one in groups):
        return groups
    together: dict[str, list[Group]] = {}
    for outer in groups:
        for one in outer.inner:
            together.setdefault(one.name, []).append(one)
    return [
        Group(name, np.zeros(0, np.intp), sum(one.requested for one in same), sum(one.allocatable for one in same))
        for name, same in together.items()
    ]


def facts(fleet: Fleet) -> dict[str, Any]:
    """The largest free block, and how many nodes are over-committed, cordoned or not ready."""
    cordoned = int((fleet.states == STATES.index("cordoned")).sum())
    numbers = {"over": int(fleet.over.sum()), "cordoned": cordoned, "not_ready": int(fleet.unready.sum())}
    return {"largest": largest_free(fleet), **numbers}


def largest_free(fleet: Fleet) -> dict[str, str] | None:
    """The node with the most free cpu among those that take pods: `{"node", "text": "96 cpu / 742Gi / 8 gpu"}`."""
    takes = fleet.states == STATES.index("ready")
    if not takes.any():
        return None
    best = int(np.argmax(np.where(takes, fleet.free(CPU), np.iinfo(np.int64).min)))
    cpu, memory = (max(0, int(fleet.free(name)[best])) for name in (CPU, MEMORY))
    parts = [f"{cores_about(cpu)} cpu", memory_about(memory)]
    extra = extra_resource(fleet.used)
    if extra and fleet.used.allocatable[extra][best]:
        parts.append(f"{quantity(extra, max(0, int(fleet.free(extra)[best])))} {extra.rpartition('/')[2]}")
    return {"node": fleet.names[best], "text": " / ".join(parts)}
