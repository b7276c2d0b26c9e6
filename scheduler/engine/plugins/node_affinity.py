"""Pods ask for nodes by label: nodeSelector, required and preferred affinity. Source: v1.34.1 plugins/nodeaffinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from scheduler.engine import objects
from scheduler.engine.cluster.selection import affinity_matches, requirements_match, selector_matches, term_matches
from scheduler.engine.errors import Invalid
from scheduler.engine.explain.checks import requirements, selector, with_verdict
from scheduler.engine.explain.scales import default_scale
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.selectors import select_otherwise
from scheduler.engine.fixes.terms import add_otherwise, require_otherwise
from scheduler.engine.framework import (
    SKIP,
    SUCCESS,
    BoolArray,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    default_normalize,
    error,
    unresolvable,
)
from scheduler.engine.labels import NAME_FIELD, PreferredTerms, node_selector, preferred_terms

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

_ENFORCED = unresolvable("node(s) didn't match scheduler-enforced node affinity")
_MISMATCH = unresolvable("node(s) didn't match Pod's node affinity/selector")
_CONFLICT = unresolvable("pod affinity terms conflict")


class NodeAffinityArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`added_affinity` holds for every pod of the profile, besides its own."""

    added_affinity: objects.NodeAffinity | None = None


class NodeAffinity(Plugin):
    name = "NodeAffinity"
    weight = 2
    Args = NodeAffinityArgs
    filter_reads = "node"
    score_reads = "node"

    def __init__(self, args: NodeAffinityArgs | None = None) -> None:
        super().__init__(args)
        added = self.args.added_affinity or objects.NodeAffinity()
        self.added_required = node_selector(added.required) if added.required else None
        self.added_preferred = preferred_terms(added.preferred) if added.preferred else None

    def concerns(self, pod: PodInfo) -> bool:
        affinity, spec = _node_affinity(pod.pod), pod.pod.spec
        asked = affinity is not None or spec.node_selector is not None
        return asked or self.added_required is not None or self.added_preferred is not None

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        affinity, spec = _node_affinity(cycle.pod.pod), cycle.pod.pod.spec
        required = affinity.required if affinity else None
        if required is None and self.added_required is None and spec.node_selector is None:
            return PreFilterResult(SKIP)
        names = _named_nodes(required) if required else None
        return PreFilterResult(_CONFLICT) if names == frozenset() else PreFilterResult(SUCCESS, names)

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        mismatch = ~affinity_matches(nodes, cycle.pod.shape.required_node_affinity)
        if self.added_required is None:
            return Verdict.where(mismatch, _MISMATCH)
        unwanted = ~selector_matches(nodes, self.added_required)
        index = np.where(unwanted, 1, np.where(mismatch, 2, 0)).astype(np.int16)
        return Verdict.of(index, (SUCCESS, _ENFORCED, _MISMATCH))

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """The profile's own terms, then the pod's nodeSelector and terms, requirement by requirement."""
        node, required = cycle.snapshot.columns.nodes[row], cycle.pod.shape.required_node_affinity
        asked = ((self.added_required, "profile"), (required.affinity, "affinity"))
        added, own = (selector(name, one, node.labels, node.name) if one is not None else [] for one, name in asked)
        labels = requirements("nodeSelector", required.labels.requirements, node.labels)
        parts = ((added[-1:], _ENFORCED), (labels, _MISMATCH), (own[-1:], _MISMATCH))
        reasons = [(step.name, status.message) for steps, status in parts for step in steps]
        return with_verdict([*added, *labels, *own], reasons)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """The pod's own demands, and what its profile adds: nodes that meet one of them are nearer."""
        nodes = Nodes(cycle.snapshot.columns, rows)
        own, added = affinity_matches(nodes, cycle.pod.shape.required_node_affinity), self._has_added(nodes)
        fixes = self._own_fixes(cycle, rows[added & ~own]) if (added & ~own).any() else []
        if (own & ~added).any():
            fixes += add_otherwise(cycle, rows[own & ~added], self.args.added_affinity)
        if not fixes:
            both = [self._own_fixes(cycle, rows), add_otherwise(cycle, rows, self.args.added_affinity)]
            fixes = [together([one[at] for one in both if one]) for at in (0, -1)] if any(both) else []
        return fixes

    def _has_added(self, nodes: Nodes) -> BoolArray:
        if self.added_required is None:
            return np.ones(len(nodes), np.bool_)
        return selector_matches(nodes, self.added_required)

    def _own_fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Nodes that meet one of nodeSelector and required affinity are nearer than those that meet neither."""
        nodes, required = Nodes(cycle.snapshot.columns, rows), cycle.pod.shape.required_node_affinity
        selected = requirements_match(nodes, required.labels.requirements)
        affine = selector_matches(nodes, required.affinity) if required.affinity is not None else selected | ~selected
        fixes = list[Fix]()
        if (selected & ~affine).any():
            fixes += require_otherwise(cycle, rows[selected & ~affine])
        if (affine & ~selected).any():
            fixes += select_otherwise(cycle, rows[affine & ~selected])
        if not fixes and not (selected & affine).any():
            both = [select_otherwise(cycle, rows), require_otherwise(cycle, rows)]
            fixes = [together([one[-1] for one in both if one])] if any(both) else []
        return fixes

    def pre_score(self, cycle: Cycle) -> Status:
        affinity = _node_affinity(cycle.pod.pod)
        preferred = affinity.preferred if affinity else None
        if preferred is None and self.added_preferred is None:
            return SKIP
        try:
            cycle.state[self.name] = preferred_terms(preferred)
        except Invalid as problem:
            return error(str(problem))
        return SUCCESS

    def without_pre_score(self, cycle: Cycle) -> Status:
        return self.pre_score(cycle)

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        scores = np.zeros(len(nodes), np.int64)
        for weight, matches, _ in self._terms(cycle, nodes):
            scores += weight * matches
        return scores

    def _terms(self, cycle: Scoring, nodes: Nodes) -> list[tuple[int, BoolArray, str]]:
        """(weight, which nodes match, text) of every preferred term, the pod's first."""
        own: PreferredTerms = cycle.state[self.name]
        added = self.added_preferred.terms if self.added_preferred else ()
        return [(weight, term_matches(nodes, term), str(term.labels)) for weight, term in (*own.terms, *added)]

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        return default_normalize(scores)

    def explain_normalize(self, cycle: Scoring, scores: Int64Array, place: int) -> list[Step]:
        return default_scale(scores, place)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        nodes = Nodes(cycle.columns, np.array([row], np.int64))
        steps = [
            Step(f"term {number}", "multiply", (weight, int(matches[0])), weight * int(matches[0]), text)
            for number, (weight, matches, text) in enumerate(self._terms(cycle, nodes))
        ]
        return [*steps, Step("score", "sum", tuple(step.name for step in steps), sum(step.result for step in steps))]


def _node_affinity(pod: objects.Pod) -> objects.NodeAffinity | None:
    return pod.spec.affinity.node_affinity if pod.spec.affinity else None


def _named_nodes(required: objects.NodeSelector) -> frozenset[str] | None:
    """The nodes that all terms name by `metadata.name`; None if any term names none."""
    union: set[str] = set()
    for term in required.node_selector_terms or ():
        named = [
            set(field.values or ())
            for field in term.match_fields or ()
            if field.key == NAME_FIELD and field.operator == "In"
        ]
        if not named:
            return None
        union |= set.intersection(*named)
    return frozenset(union) if required.node_selector_terms else None
