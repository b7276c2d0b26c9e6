"""What could be done about required node affinity: a value more, a label, an expression or the whole of it less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scheduler.engine.fixes.change import Effort, Fix, Path, Put, pod_patch
from scheduler.engine.fixes.selectors import LOOKED_AT, labelled, meant_label
from scheduler.engine.framework import Int64Array
from scheduler.engine.labels import node_term
from scheduler.engine.objects import LabelSelectorRequirement, Node, NodeSelectorTerm
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

REQUIRED: Path = ("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


class _Miss(NamedTuple):
    """A term that a node misses by some of its expressions. `place`: of the term; `missed`: of its expressions."""

    place: int
    missed: tuple[int, ...]
    node: Node


def require_otherwise(cycle: Cycle, rows: Int64Array) -> list[Fix]:
    """For a pod whose required node affinity none of these nodes meets: the term and node that miss least."""
    affinity = cycle.pod.pod.spec.affinity
    required = affinity.node_affinity.required if affinity and affinity.node_affinity else None
    terms = (required.node_selector_terms if required else None) or []
    nodes = [cycle.snapshot.columns.nodes[row] for row in rows[:LOOKED_AT].tolist()]
    misses = [miss for node in nodes for place, term in enumerate(terms) if (miss := _missed(place, term, node))]
    if not misses:
        return [_without(cycle)] if terms else []
    best = min(misses, key=lambda one: len(one.missed))
    term = terms[best.place]
    near = [one.node for one in misses if one[:2] == best[:2]]
    return [*_changed(cycle, best, term, near), _dropped(cycle, best, term)]


def _missed(place: int, term: NodeSelectorTerm, node: Node) -> _Miss | None:
    """None for a term that names nodes, or that can match nothing at all."""
    expressions = term.match_expressions or []
    if term.match_fields or not expressions:
        return None
    holds = [node_term(NodeSelectorTerm([one])).matches(node.name, node.labels) for one in expressions]
    return _Miss(place, tuple(at for at, one in enumerate(holds) if not one), node)


def _changed(cycle: Cycle, miss: _Miss, term: NodeSelectorTerm, near: list[Node]) -> Iterator[Fix]:
    expressions = term.match_expressions or []
    missed = [expressions[at] for at in miss.missed]
    if len(missed) == 1:
        yield from _accepted(cycle, miss, missed[0], near)
    wanted = {one.key: (one.values or ["true"])[0] for one in missed if one.operator in ("In", "Exists")}
    if len(wanted) == len(missed):
        yield from labelled(cycle, wanted, miss.node)


def _accepted(cycle: Cycle, miss: _Miss, one: LabelSelectorRequirement, near: list[Node]) -> Iterator[Fix]:
    """A value that the nodes have, in place of a misspelled one or beside the others."""
    pod, values = cycle.pod.pod, one.values or []
    path: Path = (*REQUIRED, "nodeSelectorTerms", miss.place, "matchExpressions", miss.missed[0], "values")
    if one.operator == "NotIn":
        left = [value for value in values if value != miss.node.labels.get(one.key)]
        if left:
            title = f"Allow nodes with `{one.key}={miss.node.labels[one.key]}` as well"
            yield Fix("affinity-value", title, pod_patch(pod, Put(path, left)), Effort.GIVE_UP, 0.5)
        return
    if one.operator != "In" or one.key not in miss.node.labels:
        return
    meant = meant_label(cycle, one.key, values[0], near) if len(values) == 1 else None
    if meant is not None and meant[0] == one.key:
        title = f"Require `{one.key}={meant[1]}` instead of `{values[0]}`"
        note = "No node has the label that it asks for: it may be misspelled."
        yield Fix("affinity-slip", title, pod_patch(pod, Put(path, [meant[1]])), Effort.SLIP, note=note)
        return
    value = miss.node.labels[one.key]
    title = f"Allow nodes with `{one.key}={value}` as well"
    yield Fix("affinity-value", title, pod_patch(pod, Put(path, [*values, value])), Effort.GIVE_UP, 0.5)


def _dropped(cycle: Cycle, miss: _Miss, term: NodeSelectorTerm) -> Fix:
    """An empty term would match nothing, so the whole is dropped with its last expression."""
    expressions = term.match_expressions or []
    if len(miss.missed) == len(expressions):
        return _without(cycle)
    kept = [msgspec.to_builtins(one) for at, one in enumerate(expressions) if at not in miss.missed]
    keys = listed([f"`{expressions[at].key}`" for at in miss.missed])
    put = Put((*REQUIRED, "nodeSelectorTerms", miss.place, "matchExpressions"), kept)
    title = f"Do without what it requires of {keys}"
    return Fix("no-affinity", title, pod_patch(cycle.pod.pod, put), Effort.GIVE_UP, len(miss.missed))


def _without(cycle: Cycle) -> Fix:
    patch = pod_patch(cycle.pod.pod, Put(REQUIRED))
    return Fix("no-affinity", "Do without its required node affinity", patch, Effort.GIVE_UP, 3)
