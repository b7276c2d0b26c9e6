"""What could be done about taints: most are a choice that a pod may share, some say that a node is not well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from scheduler.engine.fixes.change import Effort, Fix, Put, node_patch, pod_patch
from scheduler.engine.objects import Node, Pod, Taint
from scheduler.engine.values.requests import pod_requests
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT
from scheduler.engine.words import count, listed

SORTS = 2
_OF_A_CONDITION = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
_OF_THE_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")


def tolerate_or_remove(pod: Pod, found: Sequence[tuple[list[Taint], int, Node]], *, has_others: bool) -> list[Fix]:
    """`found`: sets of taints that the pod does not tolerate, on how many nodes each is, and one of these nodes.

    `has_others`: whether there are nodes that are meant for such pods, though they may be full: then those with taints
    are kept for others.
    """
    order = sorted(
        found,
        key=lambda one: (_is_condition(one[0]), _is_foreign(pod, one[0], one[2], has_others), len(one[0]), -one[1]),
    )
    return [fix for taints, nodes, node in order[:SORTS] for fix in _fixes(pod, taints, nodes, node, has_others)]


def _fixes(pod: Pod, taints: list[Taint], nodes: int, node: Node, has_others: bool) -> Iterator[Fix]:
    if any(taint.key == UNSCHEDULABLE_TAINT.key for taint in taints) and node.spec.unschedulable:
        return
    texts = listed([f"`{text(taint)}`" for taint in taints])
    without = node_patch(node.name, _without(node, taints))
    if _is_condition(taints):
        note = "The node's condition sets this taint: it goes when the node is well."
        yield Fix("recover", f"Bring `{node.name}` back, so that {texts} goes", without, Effort.NODE, 1, note=note)
        return
    many = count(nodes, "node has", "nodes have")
    foreign = _is_foreign(pod, taints, node, has_others)
    note = f"{many} {'it' if len(taints) == 1 else 'them'}{', to be kept for others' if foreign or has_others else ''}."
    tolerations = [msgspec.to_builtins(one) for one in pod.spec.tolerations or ()]
    tolerations += [_toleration(taint) for taint in dict.fromkeys(taints)]
    patch = pod_patch(pod, Put(("spec", "tolerations"), tolerations))
    effort = Effort.GIVE_UP if foreign else Effort.GROW if has_others else Effort.SETTING
    yield Fix("tolerate", f"Tolerate {texts}", patch, effort, len(taints), note=note)
    if not foreign and not has_others:
        yield Fix("untaint", f"Take the taint {texts} off `{node.name}`", without, Effort.NODE, 1 + len(taints))


def _toleration(taint: Taint) -> dict[str, str]:
    if taint.value:
        return {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
    return {"key": taint.key, "operator": "Exists", "effect": taint.effect}


def _without(node: Node, taints: list[Taint]) -> Put:
    kept = [taint for taint in node.taints if taint not in taints]
    return Put(("spec", "taints"), msgspec.to_builtins(kept) or None)


def _is_condition(taints: list[Taint]) -> bool:
    return any(taint.key.startswith(_OF_A_CONDITION) for taint in taints)


def _is_foreign(pod: Pod, taints: list[Taint], node: Node, has_others: bool) -> bool:
    """Nodes of the control plane, and those with a device that the pod does not ask for, unless it chose them."""
    asked = pod_requests(pod)
    has_device = has_others and any(one.key in node.allocatable and not asked.get(one.key) for one in taints)
    return has_device or any(one.key in _OF_THE_CONTROL_PLANE for one in taints)


def text(taint: Taint) -> str:
    """As kubectl prints it."""
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"
