"""What a drain or a deletion of a node would do: carried out on a copy of the cluster until it comes to rest."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dashboard.build.kept import Kept
from dashboard.build.rehearsal import cannot_rehearse, come_to_rest
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.errors import PodiumError
from scheduler.engine.events import Event
from scheduler.engine.simulation.fork import fork
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.evictions import Leaving

OBJECTS, COMMANDS = 40_000, 3_000
KEPT = 8
_kept: Kept[Any, "Rehearsal"] = Kept(KEPT)


@dataclass(frozen=True)
class Landing:
    """A pod that was made anew: on `node`, or waiting ("") and why. `key`: its name then."""

    key: str
    node: str
    message: str = ""


@dataclass
class Rehearsal:
    """`landings`: by the key of the pod that left. `others`: pods that were preempted to make room.

    `why_not`: why nothing was rehearsed.
    """

    landings: dict[str, Landing] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    is_over: bool = True
    why_not: str = ""


def rehearse(
    simulation: Simulation, act: Callable[[Simulation], list[Event]], leaving: list[Leaving], kept_as: Any
) -> Rehearsal:
    """`act`: what is tried, on a copy. `kept_as`: what tells this rehearsal from others. Changes nothing."""
    if why_not := cannot_rehearse(simulation, OBJECTS):
        return Rehearsal(why_not=why_not)
    return _kept.of(kept_as, lambda: _carried_out(fork(simulation), act, leaving))


def _carried_out(copy: Simulation, act: Callable[[Simulation], list[Event]], leaving: list[Leaving]) -> Rehearsal:
    before, found = set(copy.pods), Rehearsal()
    try:
        act(copy)
        found.is_over = come_to_rest(copy, COMMANDS)
    except PodiumError as fault:
        return Rehearsal(why_not=str(fault))
    gone = {one.pod.key for one in leaving if one.goes}
    found.others = sorted(before - set(copy.pods) - gone)
    found.landings = _landings(copy, before, leaving)
    return found


def _landings(copy: Simulation, before: set[str], leaving: list[Leaving]) -> dict[str, Landing]:
    """A pod made anew has the name of the old one; else it is the next new pod of the same controller."""
    new: dict[Any, list[str]] = {}
    for key, pod in copy.pods.items():
        if key not in before:
            new.setdefault(controller_of(pod), []).append(key)
    used: Counter[Any] = Counter()
    found = {}
    for one in leaving:
        if one.fate not in ("replaced", "requeued"):
            continue
        key, owner = one.pod.key, controller_of(one.pod)
        if key not in copy.pods:
            others = new.get(owner, [])
            key = others[used[owner]] if used[owner] < len(others) else ""
            used[owner] += 1
        if (made := copy.pod(key)) is not None:
            message = "" if made.node_name else copy.last_message(key) or "has not been tried yet"
            found[one.pod.key] = Landing(key, made.node_name, message)
    return found
