"""What would happen: the change carried out on a copy of the cluster, pods scheduled, until controllers are quiet."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dashboard.build.kept import Kept
from dashboard.build.rehearsal import cannot_rehearse, come_to_rest
from scheduler.engine.commands import UpdateObject
from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.controllers.united import existing_subsets
from scheduler.engine.errors import PodiumError
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.fork import fork
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation

OBJECTS, REPLICAS, COMMANDS = 6_000, 1_000, 1_500
NEW = 300  # each is scheduled, and passes of its controllers follow: 3 ms of one, 6 ms where there are 500 subsets
KEPT = 16
_kept: Kept[Any, "Rehearsal"] = Kept(KEPT)


@dataclass(frozen=True)
class NewPod:
    """`node`: "" if it would wait, and then why. It has no name: the events that are to come decide that."""

    subset: str
    node: str
    message: str = ""


@dataclass(frozen=True)
class LostPod:
    """`node`: where it is now, "" if it waits."""

    name: str
    subset: str
    node: str


@dataclass
class Rehearsal:
    """`why_not`: why nothing was rehearsed. `gone`: pods of now that would not be there any more.

    `waiting`: by subset, how many of all its pods would wait then; None where nothing was rehearsed.
    """

    made: list[NewPod] = field(default_factory=list)
    gone: list[LostPod] = field(default_factory=list)
    waiting: Counter[str] | None = None
    seconds: float = 0.0
    is_over: bool = True
    why_not: str = ""

    def of(self, subset: str) -> list[NewPod]:
        return [one for one in self.made if one.subset == subset]

    def lost_of(self, subset: str) -> list[LostPod]:
        return [one for one in self.gone if one.subset == subset]


def rehearse(
    simulation: Simulation, key: ObjectKey, manifest: dict[str, Any], replicas: int, kept_as: Any
) -> Rehearsal:
    """`replicas`: of all subsets together. `kept_as`: what tells this rehearsal from others. Changes nothing."""
    if not simulation.settings.controllers:
        return Rehearsal(why_not="Controllers are off, so no pod would be made.")
    if why_not := cannot_rehearse(simulation, OBJECTS):
        return Rehearsal(why_not=why_not)
    if replicas > REPLICAS:
        return Rehearsal(why_not=f"Where pods would go is told of up to {REPLICAS:,} replicas.")
    if replicas - len(pods_of(simulation, key)) > NEW:
        return Rehearsal(why_not=f"Where pods would go is told of up to {NEW:,} new pods at once.")
    return _kept.of(kept_as, lambda: _carried_out(fork(simulation), key, manifest))


def _carried_out(copy: Simulation, key: ObjectKey, manifest: dict[str, Any]) -> Rehearsal:
    before, start_us = pods_of(copy, key), copy.now_us
    nodes = {name: copy.pods[name].node_name for name in before}
    found = Rehearsal()
    try:
        copy.handle(UpdateObject(key[0], manifest))
        found.is_over = come_to_rest(copy, COMMANDS)
    except PodiumError as fault:
        return Rehearsal(why_not=str(fault))
    after = pods_of(copy, key)
    found.seconds = (copy.now_us - start_us) / SECOND_US
    found.gone = [
        LostPod(name.partition("/")[2], subset, nodes[name]) for name, subset in before.items() if name not in after
    ]
    found.waiting = Counter(subset for name, subset in after.items() if not copy.pods[name].node_name)
    for name, subset in after.items():
        if name not in before:
            pod = copy.pods[name]
            message = "" if pod.node_name else copy.last_message(name) or "has not been tried yet"
            found.made.append(NewPod(subset, pod.node_name, message))
    return found


def pods_of(state: Simulation, key: ObjectKey, owners: Owners | None = None) -> dict[str, str]:
    """Keys of the pods of a UnitedDeployment with their subsets."""
    subsets = existing_subsets(state, key, owners or owners_of(state))
    return {f"{key[1]}/{pod.name}": one.name for one in subsets for pod in one.pods}
