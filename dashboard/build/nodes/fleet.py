"""All nodes of a cluster as columns: what they offer, what is requested of it, and in which state they are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dashboard.build.node_rows import NodeRows, node_rows
from dashboard.build.usage import CPU, MEMORY, Usage, usage
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.requests import PODS, node_allocatable

STATES = ("ready", "cordoned", "not_ready")
Ints = NDArray[np.int64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fleet:
    """One row a node, in the order of the node tree. `used` counts `pods` like any other resource.

    Its `infos` are the state's own: to be read only while the state is lent.
    """

    rows: NodeRows
    used: Usage

    @property
    def names(self) -> list[str]:
        return self.rows.names

    def __len__(self) -> int:
        return len(self.rows.names)

    @cached_property
    def all(self) -> Rows:
        return np.arange(len(self))

    @cached_property
    def by_name(self) -> Ints:
        """Each node's place in the alphabetical order."""
        places = np.empty(len(self), np.int64)
        places[sorted(range(len(self)), key=self.names.__getitem__)] = self.all
        return places

    @cached_property
    def resources(self) -> list[str]:
        """What any node offers: cpu and memory first, pods last."""
        offered = [name for name, column in self.used.allocatable.items() if column.any()]
        more = sorted(set(offered) - {CPU, MEMORY, PODS})
        return [CPU, MEMORY, *more, PODS]

    @cached_property
    def states(self) -> NDArray[np.int8]:
        """A place in STATES."""
        return np.array([STATES.index(one.state) for one in self.rows.facts], np.int8)

    @cached_property
    def unready(self) -> NDArray[np.bool_]:
        """Also nodes that are cordoned besides."""
        return np.array([one.is_unready for one in self.rows.facts], np.bool_)

    def free(self, resource: str) -> Ints:
        """What is left of it; negative where more is requested than there is."""
        return self.used.allocatable[resource] - self.used.requested[resource]

    def labels(self, key: str) -> list[str]:
        """The values of a label, "" where a node has none."""
        return [node.labels.get(key, "") if node else "" for node in self.rows.objects]

    @cached_property
    def over(self) -> NDArray[np.bool_]:
        """Nodes of which more is requested than they offer, of any resource."""
        found = np.zeros(len(self), np.bool_)
        for name in self.used.allocatable:
            found |= self.free(name) < 0
        return found


def fleet(simulation: Simulation, cluster_id: int) -> Fleet:
    """The nodes of a state that is lent for reading."""
    used = usage(simulation)
    pods = np.array([len(info.pods) for info in used.infos], np.int64)
    most = np.array([_most_pods(info) for info in used.infos], np.int64)
    allocatable, requested = {**used.allocatable, PODS: most}, {**used.requested, PODS: pods}
    for name in (CPU, MEMORY):
        allocatable.setdefault(name, np.zeros(len(pods), np.int64))
        requested.setdefault(name, np.zeros(len(pods), np.int64))
    return Fleet(node_rows(cluster_id, used.infos), Usage(used.infos, allocatable, requested))


def _most_pods(info: object) -> int:
    node = getattr(info, "node", None)
    return node_allocatable(node).get(PODS, 0) if node else 0
