"""What could be done where no node has the labels that a pod asks for: mend a slip, label a node, drop the wish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from scheduler.engine.fixes.change import Clone, Effort, Fix, Put, node_patch, pod_patch
from scheduler.engine.fixes.names import fresh_node
from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import Node
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

LOOKED_AT = 512
ALIKE = 0.75
_MANAGED = ("kubernetes.io/", "topology.kubernetes.io/", "node.kubernetes.io/", "failure-domain.beta.kubernetes.io/")
_OF_THE_MACHINE = ("kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch")


def select_otherwise(cycle: Cycle, rows: Int64Array) -> list[Fix]:
    """For a pod whose nodeSelector none of these nodes meets: those that miss the fewest labels are looked at."""
    wanted = cycle.pod.pod.spec.node_selector or {}
    nodes = [cycle.snapshot.columns.nodes[row] for row in rows[:LOOKED_AT].tolist()]
    misses = [tuple(key for key, value in wanted.items() if node.labels.get(key) != value) for node in nodes]
    told = [(keys, node) for keys, node in zip(misses, nodes, strict=True) if keys]
    if not told:
        return []
    fewest = min(len(keys) for keys, _ in told)
    keys = Counter(keys for keys, _ in told if len(keys) == fewest).most_common(1)[0][0]
    near = [node for missing, node in told if missing == keys]
    slip = list(_slip(cycle, keys, near))
    other = [] if slip else _other_value(cycle, keys, near)
    wanted_there = {key: wanted[key] for key in keys}
    return [*slip, *labelled(cycle, wanted_there, near[0]), *other, _dropped(cycle, keys)]


def _slip(cycle: Cycle, keys: tuple[str, ...], near: list[Node]) -> Iterator[Fix]:
    """No node at all has the label, but one that is spelled almost so."""
    if len(keys) != 1:
        return
    key, pod = keys[0], cycle.pod.pod
    value = (pod.spec.node_selector or {})[key]
    meant = meant_label(cycle, key, value, near)
    if meant is None:
        return
    new_key, new_value = meant
    puts = [Put(("spec", "nodeSelector", key))] if new_key != key else []
    puts.append(Put(("spec", "nodeSelector", new_key), new_value))
    title = f"Ask for the label `{new_key}={new_value}` instead of `{value if new_key == key else f'{key}={value}'}`"
    note = "No node has the label that it asks for: it may be misspelled."
    yield Fix("selector-slip", title, pod_patch(pod, *puts), Effort.SLIP, note=note)


def meant_label(cycle: Cycle, key: str, value: str, near: list[Node]) -> tuple[str, str] | None:
    """The label of a node that is spelled almost as this one, which no node has."""
    if has_any(cycle, key, value):
        return None
    numbers, _ = cycle.snapshot.columns.label(key)
    here = dict.fromkeys(node.labels[key] for node in near if key in node.labels)
    if close := get_close_matches(value, here, 1, ALIKE):
        return key, close[0]
    keys = dict.fromkeys(other for node in near for other, text in node.labels.items() if text == value)
    return (close[0], value) if not (numbers > 0).any() and (close := get_close_matches(key, keys, 1, ALIKE)) else None


def labelled(cycle: Cycle, wanted: dict[str, str], node: Node) -> Iterator[Fix]:
    """Label a node; where a label is none that people set, have one more node that has it.

    Not where other nodes have the label: then it says what they are, and this node is something else.
    """
    if any(has_any(cycle, key, value) for key, value in wanted.items()):
        return
    puts = [Put(("metadata", "labels", key), value) for key, value in wanted.items()]
    texts = listed([f"`{key}={value}`" for key, value in wanted.items()])
    if not any(_is_managed(key) for key in wanted):
        yield Fix("label", f"Label `{node.name}` with {texts}", node_patch(node.name, *puts), Effort.NODE, len(wanted))
    elif not any(key in _OF_THE_MACHINE for key in wanted):
        clone = Clone(("Node", "", node.name), fresh_node(cycle, node.name), tuple(puts))
        yield Fix("add-node", f"Add one node like `{node.name}`, but with {texts}", (clone,), Effort.GROW)


def has_any(cycle: Cycle, key: str, value: str) -> bool:
    """Whether any node has the label."""
    numbers, values = cycle.snapshot.columns.label(key)
    found = values.find(value)
    return found >= 0 and bool((numbers == found).any())


def _is_managed(key: str) -> bool:
    """Set by the kubelet or the cloud."""
    return key.startswith(_MANAGED)


def _other_value(cycle: Cycle, keys: tuple[str, ...], near: list[Node]) -> Iterator[Fix]:
    """What most of these nodes have instead."""
    values = Counter(node.labels[keys[0]] for node in near if keys[0] in node.labels)
    if len(keys) == 1 and values and keys[0] != "kubernetes.io/hostname":
        (value, nodes), pod, key = values.most_common(1)[0], cycle.pod.pod, keys[0]
        old = (pod.spec.node_selector or {})[key]
        puts = Put(("spec", "nodeSelector", key), value)
        title = f"Ask for `{key}={value}` instead of `{old}`"
        note = f"{count(nodes, 'node has', 'nodes have')} that label."
        yield Fix("selector-value", title, pod_patch(pod, puts), Effort.GIVE_UP, 0.5, note=note)


def _dropped(cycle: Cycle, keys: tuple[str, ...]) -> Fix:
    pod = cycle.pod.pod
    wanted = pod.spec.node_selector or {}
    texts = listed([f"`{key}={wanted[key]}`" for key in keys])
    puts = [Put(("spec", "nodeSelector", key)) for key in keys]
    everything = len(keys) == len(wanted)
    patch = pod_patch(pod, *([Put(("spec", "nodeSelector"))] if everything else puts))
    return Fix("no-selector", f"Do without the node selector {texts}", patch, Effort.GIVE_UP, len(keys))
