"""Which pods leave a node that is drained or deleted, which stay, and which come back: decided before anything is done.

Source: kubectl v0.34.1 pkg/drain/filters.go; kube-apiserver v1.34.1 registry/core/pod/storage/eviction.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.errors import Invalid
from scheduler.engine.labels import Selector, label_selector
from scheduler.engine.objects import Pod, PodDisruptionBudget
from scheduler.engine.simulation.simulation import Simulation

Fate = Literal["replaced", "requeued", "lost", "stays", "blocked"]
MIRROR = "kubernetes.io/config.mirror"
BARE = "no controller owns it, so nothing makes it anew"
DAEMON = "its DaemonSet ignores cordons and would start it again at once"
STATIC = "a static pod: the kubelet itself runs it"


@dataclass(frozen=True, slots=True)
class Leaving:
    """A pod on the node. `replaced`: its controller makes a new one; `requeued`: no controller is at work here, so the
    same pod is made anew; `blocked`: a budget forbids its eviction; `stays`: a drain leaves it. `why`: in words.
    """

    pod: Pod
    fate: Fate
    why: str = ""

    @property
    def goes(self) -> bool:
        return self.fate in ("replaced", "requeued", "lost")


def drained(simulation: Simulation, node: str, *, ignore_budgets: bool = False) -> list[Leaving]:
    """What an eviction of each pod would do, in the scheduler's order; each counts against the budgets."""
    budgets = [] if ignore_budgets else _budgets(simulation)
    return [_drained(simulation, info.pod, budgets) for info in simulation.cluster.pods_on(node)]


def abandoned(simulation: Simulation, node: str) -> list[Leaving]:
    """What becomes of the pods of a node that is deleted: all go, and no budget is asked."""
    return [_abandoned(simulation, info.pod) for info in simulation.cluster.pods_on(node)]


def _drained(simulation: Simulation, pod: Pod, budgets: list[_Budget]) -> Leaving:
    if MIRROR in pod.annotations:
        return Leaving(pod, "stays", STATIC)
    if _is_daemon(pod):
        return Leaving(pod, "stays", DAEMON)
    if why := _forbidden(pod, budgets):
        return Leaving(pod, "blocked", why)
    return _gone(simulation, pod)


def _abandoned(simulation: Simulation, pod: Pod) -> Leaving:
    if MIRROR in pod.annotations or _is_daemon(pod):
        return Leaving(pod, "lost", "belongs to this node alone")
    return _gone(simulation, pod)


def _gone(simulation: Simulation, pod: Pod) -> Leaving:
    if not any(one.controller for one in pod.metadata.owner_references or ()):
        return Leaving(pod, "lost", BARE)
    owner = controller_of(pod)
    at_work = simulation.settings.controllers and owner is not None and simulation.cluster.get(*owner) is not None
    return Leaving(pod, "replaced" if at_work else "requeued")


def _is_daemon(pod: Pod) -> bool:
    return any(one.controller and one.kind == "DaemonSet" for one in pod.metadata.owner_references or ())


# --- budgets ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Budget:
    namespace: str
    name: str
    selector: Selector
    left: int


def _budgets(simulation: Simulation) -> list[_Budget]:
    """With the disruptions that their status allows: no controller keeps these up here."""
    found = []
    for one in simulation.objects("PodDisruptionBudget"):
        if isinstance(one, PodDisruptionBudget):
            try:
                selector = label_selector(one.spec.selector)
            except Invalid:
                continue
            left = one.status.disruptions_allowed if one.status else 0
            found.append(_Budget(one.namespace or "default", one.name, selector, left))
    return found


def _forbidden(pod: Pod, budgets: list[_Budget]) -> str:
    """Why the eviction API would refuse; "" if it would not, and then the budget has one disruption less."""
    namespace = pod.namespace or "default"
    own = [one for one in budgets if one.namespace == namespace and one.selector.matches(pod.labels)]
    if len(own) > 1:
        names = ", ".join(one.name for one in own)
        return f"more than one budget protects it ({names}), which evictions do not support"
    if not own:
        return ""
    if own[0].left <= 0:
        return f"budget {own[0].name} allows no disruption now"
    own[0].left -= 1
    return ""
