"""What could be done about required node affinity: a value more, a label, an expression or the whole of it less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scheduler.engine.fixes.change import CONFIGURATION, Arguments, Edit, Effort, Fix, Path, Put, pod_patch
from scheduler.engine.fixes.selectors import LOOKED_AT, labelled, meant_label
from scheduler.engine.framework import Int64Array
from scheduler.engine.labels import node_term
from scheduler.engine.objects import LabelSelectorRequirement, Node, NodeAffinity, NodeSelectorTerm, Pod
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


class _Source(NamedTuple):
    """Where terms are stated: a pod, or the profile of this name, which holds for all of its pods."""

    terms: list[NodeSelectorTerm]
    pod: Pod
    profile: str = ""

    def edits(self, *puts: Put) -> tuple[Edit, ...]:
        if self.profile:
            return (Arguments((CONFIGURATION, "", self.profile), "NodeAffinity", puts),)
        return pod_patch(self.pod, *puts)

    def path(self, *rest: str | int) -> Path:
        above: Path = ("addedAffinity",) if self.profile else ("spec", "affinity", "nodeAffinity")
        return (*above, _REQUIRED, *rest)

    def expressions(self, place: int, *rest: str | int) -> Path:
        return self.path("nodeSelectorTerms", place, "matchExpressions", *rest)

    def title(self, own: str, of_profile: str) -> str:
        return of_profile.format(f"the profile `{self.profile}`") if self.profile else own

    @property
    def note(self) -> str:
        return "It holds for every pod of the profile." if self.profile else ""


class _Miss(NamedTuple):
    """A term that a node misses by some of its expressions. `place`: of the term; `missed`: of its expressions."""

    place: int
    missed: tuple[int, ...]
    node: Node


def require_otherwise(cycle: Cycle, rows: Int64Array) -> list[Fix]:
    """For a pod whose required node affinity none of these nodes meets: the term and node that miss least."""
    affinity = cycle.pod.pod.spec.affinity
    return _otherwise(cycle, rows, _Source(_terms(affinity.node_affinity if affinity else None), cycle.pod.pod))


def add_otherwise(cycle: Cycle, rows: Int64Array, added: NodeAffinity | None) -> list[Fix]:
    """The same for what the pod's profile adds (addedAffinity)."""
    return _otherwise(cycle, rows, _Source(_terms(added), cycle.pod.pod, cycle.profile.scheduler_name))


def _terms(affinity: NodeAffinity | None) -> list[NodeSelectorTerm]:
    required = affinity.required if affinity else None
    return (required.node_selector_terms if required else None) or []


def _otherwise(cycle: Cycle, rows: Int64Array, source: _Source) -> list[Fix]:
    nodes = [cycle.snapshot.columns.nodes[row] for row in rows[:LOOKED_AT].tolist()]
    terms = list(enumerate(source.terms))
    misses = [miss for node in nodes for place, term in terms if (miss := _missed(place, term, node))]
    if not misses:
        return [_without(source)] if source.terms else []
    best = min(misses, key=lambda one: len(one.missed))
    term = source.terms[best.place]
    near = [one.node for one in misses if one[:2] == best[:2]]
    return [*_changed(cycle, source, best, term, near), _dropped(source, best, term)]


def _missed(place: int, term: NodeSelectorTerm, node: Node) -> _Miss | None:
    """None for a term that names nodes, or that can match nothing at all."""
    expressions = term.match_expressions or []
    if term.match_fields or not expressions:
        return None
    holds = [node_term(NodeSelectorTerm([one])).matches(node.name, node.labels) for one in expressions]
    return _Miss(place, tuple(at for at, one in enumerate(holds) if not one), node)


def _changed(cycle: Cycle, source: _Source, miss: _Miss, term: NodeSelectorTerm, near: list[Node]) -> Iterator[Fix]:
    expressions = term.match_expressions or []
    missed = [expressions[at] for at in miss.missed]
    if len(missed) == 1:
        yield from _accepted(cycle, source, miss, missed[0], near)
    wanted = {one.key: (one.values or ["true"])[0] for one in missed if one.operator in ("In", "Exists")}
    if len(wanted) == len(missed):
        yield from labelled(cycle, wanted, miss.node)


def _accepted(
    cycle: Cycle, source: _Source, miss: _Miss, one: LabelSelectorRequirement, near: list[Node]
) -> Iterator[Fix]:
    """A value that the nodes have, in place of a misspelled one or beside the others."""
    values, has = one.values or [], miss.node.labels.get(one.key)
    meant = meant_label(cycle, one.key, values[0], near) if one.operator == "In" and len(values) == 1 else None
    if has is None or one.operator not in ("In", "NotIn"):
        return
    if meant is not None and meant[0] == one.key:
        right, wrong = f"`{one.key}={meant[1]}`", f"`{values[0]}`"
        title = source.title(f"Require {right} instead of {wrong}", f"Let {{}} require {right} instead of {wrong}")
        note = "No node has the label that it asks for: it may be misspelled."
        edits = source.edits(Put(source.expressions(miss.place, miss.missed[0], "values"), [meant[1]]))
        yield Fix("affinity-slip", title, edits, Effort.SLIP, note=note)
        return
    wanted = [*values, has] if one.operator == "In" else [value for value in values if value != has]
    if wanted:
        text = f"allow nodes with `{one.key}={has}` as well"
        title = source.title(f"A{text[1:]}", f"Let {{}} {text}")
        edits = source.edits(Put(source.expressions(miss.place, miss.missed[0], "values"), wanted))
        yield Fix("affinity-value", title, edits, Effort.GIVE_UP, 0.5, note=source.note)


def _dropped(source: _Source, miss: _Miss, term: NodeSelectorTerm) -> Fix:
    """An empty term would match nothing, so the whole is dropped with its last expression."""
    expressions = term.match_expressions or []
    if len(miss.missed) == len(expressions):
        return _without(source)
    kept = [msgspec.to_builtins(one) for at, one in enumerate(expressions) if at not in miss.missed]
    keys = listed([f"`{expressions[at].key}`" for at in miss.missed])
    title = source.title(f"Do without what it requires of {keys}", f"Do without what {{}} requires of {keys}")
    edits = source.edits(Put(source.expressions(miss.place), kept))
    return Fix("no-affinity", title, edits, Effort.GIVE_UP, len(miss.missed), note=source.note)


def _without(source: _Source) -> Fix:
    title = source.title("Do without its required node affinity", "Do without the node affinity that {} adds")
    return Fix("no-affinity", title, source.edits(Put(source.path())), Effort.GIVE_UP, 3, note=source.note)
