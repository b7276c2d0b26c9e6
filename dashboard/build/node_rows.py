"""What the nodes' objects alone say on screen, found out again only for an object that changed."""

from dataclasses import dataclass
from operator import is_
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dashboard.build.colours import Looks
from dashboard.build.kept import Kept
from dashboard.text import begin_alike
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.objects import Node

CLUSTERS_KEPT = 8
State = Literal["ready", "cordoned", "not_ready"]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """`state`: what keeps pods away comes first; a cordoned node may be unready as well."""

    node: Node | None
    zone: str
    state: State
    is_unready: bool
    taints: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class NodeRows:
    """Parallel lists in the order of the node tree. `prefix`, `suffix`: lengths of what all names share. `zones`:
    (name, its rows in the order of the nodes' names), those without a zone last. `looks`: of the owners of pods."""

    names: list[str]
    objects: list[Node | None]
    facts: list[Facts]
    prefix: int
    suffix: int
    takes_pods: NDArray[np.bool_]
    zones: list[tuple[str, NDArray[np.intp]]]
    looks: Looks


_kept: Kept[int, NodeRows] = Kept(CLUSTERS_KEPT)


def node_rows(cluster_id: int, infos: list[NodeInfo]) -> NodeRows:
    """The same object again as long as all nodes stay the same."""
    names, objects = [info.name for info in infos], [info.node for info in infos]
    old = _kept.get(cluster_id)
    if old is not None and old.names == names and all(map(is_, old.objects, objects)):
        return old
    looks = old.looks if old is not None else Looks(infos)
    return _kept.put(cluster_id, _made(names, objects, old, looks))


def _made(names: list[str], objects: list[Node | None], old: NodeRows | None, looks: Looks) -> NodeRows:
    known = dict(zip(old.names, old.facts, strict=True)) if old else {}
    facts = [_facts(node, known.get(name)) for name, node in zip(names, objects, strict=True)]
    takes_pods = np.array([one.state == "ready" for one in facts], bool)
    prefix = common_prefix(names)
    return NodeRows(
        names, objects, facts, prefix, common_suffix(names, prefix), takes_pods, _zones(names, facts), looks
    )


def _facts(node: Node | None, known: Facts | None) -> Facts:
    if known is not None and (known.node is node or known.node == node):
        return known
    taints = node.taints if node else ()
    words = [f"{one.key}{'=' + one.value if one.value else ''}:{one.effect}" for one in taints]
    return Facts(node, zone_of(node) if node else "", _state(node), _is_unready(node), words)


def _state(node: Node | None) -> State:
    if node is None or node.spec.unschedulable:
        return "cordoned"
    return "not_ready" if _is_unready(node) else "ready"


def _is_unready(node: Node | None) -> bool:
    conditions = (node.status.conditions if node and node.status else None) or ()
    return any(one.status != "True" for one in conditions if one.type == "Ready")


def _zones(names: list[str], facts: list[Facts]) -> list[tuple[str, NDArray[np.intp]]]:
    rows: dict[str, list[int]] = {}
    for at in sorted(range(len(names)), key=names.__getitem__):
        rows.setdefault(facts[at].zone, []).append(at)
    return [(zone, np.array(rows[zone])) for zone in sorted(rows, key=lambda name: (not name, name))]


def common_prefix(names: list[str]) -> int:
    """Length of the part that all names share, up to a separator: `node-007` and `node-012` are `007` and `012`."""
    if len(names) < 2:
        return 0
    same = begin_alike(names)
    return max(names[0].rfind(separator, 0, same) for separator in "-._") + 1


def common_suffix(names: list[str], prefix: int) -> int:
    """Length of the domain that all names share: `ip-7.example.com` and `ip-8.example.com` are `7` and `8`.

    0 where a name would have nothing left between `prefix` and it.
    """
    if len(names) < 2:
        return 0
    turned = [name[::-1] for name in names]
    length = turned[0].rfind(".", 0, begin_alike(turned)) + 1
    return length if prefix + length < min(map(len, names)) else 0
