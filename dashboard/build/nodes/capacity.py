"""How many more pods of one kind would fit: on each node that passes the scheduler's filters, by what is left there."""

from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from dashboard.build.nodes.fleet import Fleet, Ints
from dashboard.build.nodes.trial import MOST, tried
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import Pod, decode
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values import quantity
from scheduler.engine.values.requests import PODS
from scheduler.engine.words import count

LONGEST = 300


@dataclass(frozen=True)
class Room:
    """`copies`: by row of the fleet. `way`: how they were found; "at least" where the trial was ended early."""

    asked: str
    copies: Ints
    way: Literal["counted", "tried", "at least"] = "counted"
    message: str = ""

    @property
    def total(self) -> int:
        return int(self.copies.sum())

    @property
    def nodes(self) -> int:
        return int((self.copies > 0).sum())

    def most(self, fleet: Fleet) -> tuple[str, int]:
        """The node with room for most copies, and how many."""
        best = int(self.copies.argmax())
        return fleet.names[best], int(self.copies[best])


def room(simulation: Simulation, fleet: Fleet, text: str) -> Room:
    """`text`: a pod (`shop/web-7`) or a size (`cpu=500m,memory=1Gi`). Raises `Invalid`."""
    pod = _pod(simulation, text.strip())
    profile = simulation.profiles.get(pod.spec.scheduler_name) or simulation.profiles.first
    cycle = Cycle(
        simulation.cluster.glance(),
        profile,
        pod,
        seed=simulation.seed,
        nominated=simulation.nominated_pods(),
        percentage=100,
    )
    cycle.pre_filter()
    cycle.filter()
    if cycle.error:
        raise Invalid(cycle.error)
    passed = {cycle.snapshot.names[row] for row in cycle.feasible.tolist()}
    takes = np.array([name in passed for name in fleet.names], np.bool_)
    message = "" if passed else cycle.pre_filter_status.message or "no node passes its filters"
    if passed and _looks_further(cycle.pod):
        return _tried(simulation, fleet, text, pod)
    return Room(text, np.where(takes, _by_resources(fleet, cycle.pod), 0), message=message)


def _tried(simulation: Simulation, fleet: Fleet, text: str, pod: Pod) -> Room:
    """What the pod asks of other pods changes with every copy, so copies are scheduled one after the other."""
    found = tried(simulation, pod)
    copies = np.array([found[name] for name in fleet.names], np.int64)
    return Room(text, copies, "at least" if found.total() == MOST else "tried")


def _pod(simulation: Simulation, text: str) -> Pod:
    if len(text) > LONGEST:
        raise Invalid(f"has more than {LONGEST} characters")
    if "=" in text:
        return _of_size(text)
    pod = simulation.pod(text if "/" in text else f"default/{text}")
    if pod is None:
        raise Invalid(f"There is no pod {text}; a size is written as cpu=500m,memory=1Gi")
    spec = msgspec.structs.replace(pod.spec, node_name=None)
    metadata = msgspec.structs.replace(pod.metadata, name=f"{pod.name}-copy", uid="")
    return msgspec.structs.replace(pod, spec=spec, metadata=metadata, status=None)


def _of_size(text: str) -> Pod:
    requests = {}
    for part in filter(None, text.replace(" ", ",").split(",")):
        name, _, amount = part.partition("=")
        quantity.parse(amount)
        if quantity.sign(amount) < 0:
            raise Invalid(f"{part} is negative")
        requests[name] = amount
    containers = [{"name": "main", "resources": {"requests": requests}}]
    manifest = {"metadata": {"name": "copy", "namespace": "default"}, "spec": {"containers": containers}}
    pod = decode("Pod", manifest)
    assert isinstance(pod, Pod)
    return pod


def _by_resources(fleet: Fleet, pod: PodInfo) -> Ints:
    """Copies on each node as far as its free resources go, and its free places for pods."""
    copies = np.maximum(0, fleet.free(PODS))
    for name, amount in pod.shape.requests.items():
        if amount > 0:
            free = fleet.free(name) if name in fleet.used.allocatable else np.zeros(len(fleet), np.int64)
            copies = np.minimum(copies, np.maximum(0, free) // amount)
    return np.minimum(copies, 1) if pod.ports else copies


def _looks_further(pod: PodInfo) -> bool:
    """Whether a rule of the pod looks at other pods, or at volumes."""
    return bool(pod.pod.spec.topology_spread_constraints) or pod.shape.has_pod_affinity or pod.has_volumes


def told(found: Room, fleet: Fleet) -> str:
    """`1,284 more of cpu=500m would fit, on 412 nodes; most on node-7 (12).`"""
    if not found.total:
        return f"No more of `{found.asked}` would fit{': ' + found.message if found.message else ''}."
    name, most = found.most(fleet)
    nodes = count(found.nodes, "node")
    at_least = "At least " if found.way == "at least" else ""
    said = f"{at_least}{found.total:,} more of `{found.asked}` would fit, on {nodes}; most on `{name}` ({most:,})"
    return said + (
        "." if found.way == "counted" else ". Each was scheduled in turn, because its rules look at other pods."
    )
