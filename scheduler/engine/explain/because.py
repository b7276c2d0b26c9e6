"""Why a queueing hint says yes or no to an event, in plain words with the objects' own names and numbers.

Says again what the hint has decided (`engine/hints`); where an algorithm has nothing more exact to tell, the kind of
the event is the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from scheduler.engine.hints.context import Context, is_placed, same
from scheduler.engine.hints.pods import hard_constraints
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import KubernetesObject, Node, Pod
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS, host_ports, node_allocatable, pod_requests
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, first_untolerated, is_tolerated
from scheduler.engine.words import listed


class Asked(NamedTuple):
    """The question: would `waiting` fit now that `old` has become `new`? `helps` is the hint's answer to it."""

    waiting: Pod
    old: KubernetesObject | None
    new: KubernetesObject | None
    about: Context
    helps: bool

    @property
    def name(self) -> str:
        """Of the object that changed: `node n1`, `pod default/web`."""
        one = self.new if self.new is not None else self.old
        return f"pod {one.key}" if isinstance(one, Pod) else f"{_kind(one)} {one.name if one is not None else ''}"


Because: TypeAlias = Callable[[Asked], str]


def because(plugin: str, asked: Asked) -> str:
    """A sentence without its full stop; what the plugin looked at and found."""
    found = _BECAUSE.get(plugin)
    return (found(asked) if found else "") or _general(asked)


def _general(asked: Asked) -> str:
    if asked.helps:
        return f"what happened to {asked.name} may be what the pod lacked"
    return f"what happened to {asked.name} does not change what it refused the pod for"


def _kind(one: KubernetesObject | None) -> str:
    return "node" if isinstance(one, Node) else type(one).__name__


# --- nodes ------------------------------------------------------------------------------------------------------------


def _fit(asked: Asked) -> str:
    if isinstance(asked.new, Node):
        return _room(asked, asked.new)
    if asked.new is None and isinstance(asked.old, Pod):
        freed = f"{asked.name} gave back what it had requested"
        return f"{freed} on node {asked.old.node_name}" if is_placed(asked.old) else f"{asked.name} was on no node"
    if same(asked.waiting, asked.new):
        return "the pod itself asks for less than before"
    return f"{asked.name} asks for {'less' if asked.helps else 'no less'} of what the pod wants"


def _room(asked: Asked, node: Node) -> str:
    wanted, offered = pod_requests(asked.waiting), node_allocatable(node)
    amounts = [(name, amount) for name, amount in wanted.items() if amount > 0]
    have = [(name, offered.get(name, 0), amount) for name, amount in amounts]
    if short := [(name, *format_compared(name, free, asked)) for name, free, asked in have if free < asked]:
        has = listed([f"{free} {name}" for name, free, _ in short])
        wants = listed([f"{asked} {name}" for name, _, asked in short])
        return f"even empty, node {node.name} is too small: it has {has}, the pod asks for {wants}"
    if offered.get(PODS, 0) < 1:
        return f"node {node.name} takes no pods at all"
    if isinstance(asked.old, Node) and not asked.helps:
        return f"node {node.name} offers no more of what the pod asks for than before"
    grew = "is new" if asked.old is None else "offers more than before"
    return f"node {node.name} {grew}, and large enough when empty (what runs there is not looked at)"


def _affinity_of_node(asked: Asked) -> str:
    node = asked.new
    if not isinstance(node, Node):
        return ""
    wanted = RequiredNodeAffinity.of(asked.waiting)
    is_matched = wanted.matches(node.name, node.labels)
    if asked.helps and not is_matched:
        return f"a term of the pod's affinity cannot be read, and no other matches the labels of node {node.name}"
    if asked.helps:
        return f"the labels of node {node.name} match the pod's node selector and affinity"
    if not is_matched:
        return f"the labels of node {node.name} do not match the pod's node selector and affinity"
    if asked.old is None:
        return f"node {node.name} does not match the affinity that the profile adds to every pod"
    return f"node {node.name} matched before already"


def _taints(asked: Asked) -> str:
    node, tolerations = asked.new, asked.waiting.spec.tolerations or ()
    if not isinstance(node, Node):
        return "the pod itself tolerates other taints than before"
    taint = first_untolerated(node.taints, tolerations)
    if taint is not None:
        written = f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"
        return f"the pod does not tolerate the taint {written} of node {node.name}"
    if not asked.helps:
        return f"the pod tolerated all taints of node {node.name} before already"
    return f"the pod tolerates every taint of node {node.name}" if node.taints else f"node {node.name} has no taint"


def _cordon(asked: Asked) -> str:
    node = asked.new
    if not isinstance(node, Node):
        tolerated = is_tolerated(UNSCHEDULABLE_TAINT, asked.waiting.spec.tolerations or ())
        return f"the pod itself {'tolerates cordoned nodes now' if tolerated else 'does not tolerate cordoned nodes'}"
    if node.spec.unschedulable:
        return f"node {node.name} is cordoned"
    return f"node {node.name} is not cordoned" + ("" if asked.helps else ", and was not before")


def _named_node(asked: Asked) -> str:
    wanted, node = asked.waiting.spec.node_name, asked.new
    return f"the pod names its node{f' {wanted}' if wanted else ''}; node {node.name} may be it" if node else ""


def _ports(asked: Asked) -> str:
    gone = asked.old
    if not isinstance(gone, Pod) or asked.new is not None:
        return "a new node has all its ports free" if isinstance(asked.new, Node) and asked.old is None else ""
    wanted = listed([str(port) for _, _, port in host_ports(asked.waiting)])
    return f"{asked.name} {'held' if asked.helps else 'held none of'} the host ports that the pod wants ({wanted})"


# --- pods -------------------------------------------------------------------------------------------------------------


def _spread(asked: Asked) -> str:
    constraints = hard_constraints(asked.waiting, asked.about)
    if isinstance(asked.new or asked.old, Node):
        keys = listed(list(dict.fromkeys(one.key for one in constraints)))
        verb = "changes" if asked.helps else "does not change"
        return f"{asked.name} {verb} the domains that the pod's spread constraints count ({keys})"
    if asked.helps:
        return f"{asked.name} is counted by a spread constraint of the pod, so its skew has changed"
    return f"{asked.name} is counted by no spread constraint of the pod, or its labels stayed as they were"


def _pod_affinity(asked: Asked) -> str:
    if isinstance(asked.new, Node):
        verb = "brings" if asked.helps else "brings no"
        return f"node {asked.new.name} {verb} new topology domain for a term of the pod's affinity or anti-affinity"
    if asked.new is None:
        terms = "matched every required anti-affinity term of the pod"
        return f"{asked.name} {terms}" if asked.helps else f"{asked.name} did not match: {_NEEDS_ALL}"
    if asked.old is not None:
        verb = "matches the pod's required terms otherwise than before, in its favour" if asked.helps else _NOT_BETTER
        return f"{asked.name} {verb}"
    verb = "matches" if asked.helps else "does not match"
    return f"{asked.name} {verb} every required affinity term of the pod"


_NOT_BETTER = "does not match the pod's required terms better than before"
_NEEDS_ALL = "a deleted pod helps only if it matched every required anti-affinity term of the waiting pod"


def _gates(asked: Asked) -> str:
    if not same(asked.waiting, asked.new):
        return f"the gates of {asked.name} are not this pod's"
    return "all scheduling gates of the pod are gone"


def _preemption(asked: Asked) -> str:
    return "it listens only so that its own gated pods are looked at, and always says no"


_BECAUSE: dict[str, Because] = {
    "NodeResourcesFit": _fit,
    "NodeAffinity": _affinity_of_node,
    "TaintToleration": _taints,
    "NodeUnschedulable": _cordon,
    "NodeName": _named_node,
    "NodePorts": _ports,
    "PodTopologySpread": _spread,
    "InterPodAffinity": _pod_affinity,
    "SchedulingGates": _gates,
    "DefaultPreemption": _preemption,
}
