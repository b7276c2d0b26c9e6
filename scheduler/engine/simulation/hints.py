"""The hints of a simulation: those of its profiles' algorithms, with the arguments that the profiles give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast
from weakref import proxy

import msgspec

from scheduler.engine.arithmetic.spread import HARD, Constraint, default_constraints
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.hints.context import Context
from scheduler.engine.hints.decide import Hints
from scheduler.engine.labels import node_selector
from scheduler.engine.objects import KubernetesObject, NodeAffinity, Pod, TopologySpreadConstraint
from scheduler.engine.profile import Profile

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def hints_of(state: Simulation) -> Hints:
    plugins = {profile.scheduler_name: _names(profile) for profile in state.profiles}
    contexts = {profile.scheduler_name: _context(state, profile) for profile in state.profiles}
    return Hints(plugins, contexts, enabled=state.settings.queueing_hints)


def _names(profile: Profile) -> list[str]:
    """Every enabled plugin once, in the order of the extension points."""
    return list(dict.fromkeys(name for names in profile.plugins.values() for name in names))


def _context(state: Simulation, profile: Profile) -> Context:
    added = profile.args("NodeAffinity").get("addedAffinity")
    required = msgspec.convert(added, NodeAffinity).required if added else None
    return Context(node_selector(required) if required else None, _default_constraints(state, profile))


def _default_constraints(state: Simulation, profile: Profile) -> Callable[[Pod], Sequence[Constraint]]:
    given = profile.args("PodTopologySpread").get("defaultConstraints") or []
    defaults = msgspec.convert(given, list[TopologySpreadConstraint])
    present = cast("Snapshot", _Present(state))
    return lambda pod: default_constraints(present, pod, defaults, HARD) if defaults else ()


class _Present:
    """The cluster's objects as they are now, looked up as in a snapshot.

    Does not keep the state alive, whose part it is: a dropped state is gone at once, without the garbage collector.
    """

    def __init__(self, state: Simulation) -> None:
        self._state: Simulation = proxy(state)

    def kind(self, kind: str) -> Mapping[str, KubernetesObject]:
        return self._state.cluster.objects.get(kind, {})
