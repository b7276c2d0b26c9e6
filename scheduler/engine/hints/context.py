"""What hints may look up besides the objects of the event, and small questions that they all ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from scheduler.engine.arithmetic.spread import Constraint
from scheduler.engine.labels import NodeSelector
from scheduler.engine.objects import KubernetesObject, Node, Pod
from scheduler.engine.queue.nominator import uid_of


class Context(msgspec.Struct, frozen=True):
    """What a profile adds to each pod: node affinity, and hard spread constraints for pods that have none."""

    added_affinity: NodeSelector | None = None
    default_constraints: Callable[[Pod], Sequence[Constraint]] = lambda pod: ()


Hint: TypeAlias = Callable[[Pod, KubernetesObject | None, KubernetesObject | None, Context], bool]
"""(waiting pod, old object, new object, context) → whether the pod may fit now.

A deletion has no new object, an addition no old one. Raises Invalid where it cannot tell, which counts as yes.
"""


def node(value: KubernetesObject | None) -> Node | None:
    return value if isinstance(value, Node) else None


def pod(value: KubernetesObject | None) -> Pod | None:
    return value if isinstance(value, Pod) else None


def same(waiting: Pod, other: KubernetesObject | None) -> bool:
    return isinstance(other, Pod) and uid_of(other) == uid_of(waiting)


def is_placed(one: Pod) -> bool:
    """On a node, or at least nominated to one."""
    return bool(one.node_name or one.nominated_node_name)
