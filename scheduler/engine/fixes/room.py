"""What could be done about a full node: the pod asks for less, or the node may hold more pods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.fixes.change import Effort, Fix, Put, node_patch, pod_patch
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.requests import lowered
from scheduler.engine.framework import BoolArray, Int64Array
from scheduler.engine.objects import Pod
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

WAYS = 2
A_LITTLE = 0.5
"""Of what a pod asks for: to give up that much is a setting, more is a loss."""


def ask_for_less(
    cycle: Cycle, rows: Int64Array, room: Mapping[str, Int64Array], short: Mapping[str, BoolArray], lacking: BoolArray
) -> list[Fix]:
    """The node where the pod would have to give up least; and the same where other resources are short.

    `room` (what is free) and `short`: by resource, for each of `rows`. `lacking`: those of `rows` that come into
    question.
    """
    share = np.zeros(len(rows))
    for name, lacks in short.items():
        asked = cycle.pod.requests[name]
        share = np.maximum(share, np.where(lacks, (asked - room[name]) / asked, 0.0))
    possible = np.flatnonzero(lacking & (share < 1))
    fixes, seen = list[Fix](), set[tuple[str, ...]]()
    for place in possible[np.argsort(share[possible], kind="stable")].tolist():
        names = tuple(name for name, lacks in short.items() if lacks[place])
        if names not in seen and len(fixes) < WAYS:
            seen.add(names)
            targets = {name: int(room[name][place]) for name in names}
            fixes += _ask(cycle, targets, float(share[place]))
    return fixes


def _ask(cycle: Cycle, targets: Mapping[str, int], share: float) -> Iterator[Fix]:
    found = lowered(cycle.pod.pod, targets)
    if found is None:
        return
    puts, asks = found
    told = {name: format_compared(name, amount, cycle.pod.requests[name]) for name, amount in asks.items()}
    now = listed([f"**{less}** {_short(name)}" for name, (less, _) in told.items()])
    before = listed([asked for _, asked in told.values()])
    effort = Effort.SETTING if share <= A_LITTLE else Effort.GIVE_UP
    title, note = f"Ask for {now} instead of {before}", _whose(cycle.pod.pod, puts)
    yield Fix("request", title, pod_patch(cycle.pod.pod, *puts), effort, share, note=note)


def _whose(pod: Pod, puts: tuple[Put, ...]) -> str:
    """Which containers that are, where there are several."""
    spec = pod.spec
    groups = {"containers": spec.containers or [], "initContainers": spec.init_containers or []}
    if sum(map(len, groups.values())) < 2:
        return ""
    names = [f"`{groups[str(put.path[1])][put.path[2]].name}`" for put in puts if isinstance(put.path[2], int)]
    return f"In container {listed(list(dict.fromkeys(names)))}." if names else ""


def less_on_more_pods(cycle: Cycle, rows: Int64Array, room: Mapping[str, Int64Array], places: Int64Array) -> list[Fix]:
    """For the one of these nodes (places in `rows`) where the pod would have to give up least."""
    if not len(places):
        return []
    asked = {name: cycle.pod.requests[name] for name in room if cycle.pod.requests.get(name)}
    share = np.max([(amount - room[name][places]) / amount for name, amount in asked.items()], axis=0)
    at = int(places[int(share.argmin())])
    here, row = {name: free[at : at + 1] for name, free in room.items()}, rows[at : at + 1]
    short = {name: here[name] < amount for name, amount in asked.items()}
    less = ask_for_less(cycle, row, here, short, np.ones(1, np.bool_))
    return [together([one, more]) for one in less[:1] for more in more_pods(cycle, row)]


def _short(resource: str) -> str:
    return resource.rpartition("/")[2]


def more_pods(cycle: Cycle, rows: Int64Array) -> Iterator[Fix]:
    """The node that is least over its limit."""
    if not len(rows):
        return
    columns = cycle.snapshot.columns
    held = columns[("requested", PODS)][rows]
    row = int(rows[int((held - columns[("allocatable", PODS)][rows]).argmin())])
    name, limit = cycle.snapshot.names[row], int(columns[("allocatable", PODS)][row])
    pods = str(int(columns[("requested", PODS)][row]) + 1)
    node = columns.nodes[row]
    fields = ["allocatable"] if node.status is not None and node.status.allocatable is not None else []
    fields += ["capacity"] if node.status is not None and PODS in (node.status.capacity or {}) else []
    puts = [Put(("status", field, PODS), pods) for field in fields]
    title = f"Let `{name}` hold **{pods}** pods instead of {limit}"
    note = "A setting of its kubelet, maxPods; addresses for pods must suffice."
    yield Fix("pod-limit", title, node_patch(name, *puts), Effort.NODE, note=note)
