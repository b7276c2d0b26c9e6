"""Selectors over columns: a requirement is asked once per distinct value of its label, not once per node."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.vocabulary import Vocabulary
from scheduler.engine.framework import BoolArray, Nodes, Reads
from scheduler.engine.labels import NAME_FIELD, NodeSelector, NodeTerm, RequiredNodeAffinity, Requirement
from scheduler.engine.objects import Toleration
from scheduler.engine.values.taints import first_untolerated

_FIELD_IN = "in"
_POSITIVE = ("=", "==", "in")


def kept(columns: Columns, key: Hashable, reads: Reads, compute: Callable[[Nodes], NDArray[Any]]) -> NDArray[Any]:
    """An answer per row of all nodes, from the memo where there is one; see `Memo.scores`."""
    return compute(columns.all_nodes) if columns.memo is None else columns.memo.scores(key, reads, compute)


def requirement_matches(nodes: Nodes, one: Requirement) -> BoolArray:
    """Which nodes of the range fulfil a label requirement."""
    numbers, values = nodes.columns.label(one.key)
    matches: BoolArray = _table(one, values)[nodes.take(numbers)]
    return matches


def _table(one: Requirement, values: Vocabulary[Any]) -> BoolArray:
    """The requirement's answer for every value of the vocabulary; the first stands for a missing label."""
    if one.operator in _POSITIVE:
        # Volumes name single hosts: a vocabulary of all nodes must not be walked through for each of them.
        table = np.zeros(len(values) + 1, np.bool_)
        table[[values.find(value) for value in one.values]] = True
        return table[:-1]
    return np.array([one.matches({} if value is None else {one.key: value}) for value in values.values], np.bool_)


def requirements_match(nodes: Nodes, requirements: Sequence[Requirement]) -> BoolArray:
    """Which nodes fulfil all of them."""
    matches = np.ones(len(nodes), np.bool_)
    for one in requirements:
        matches &= requirement_matches(nodes, one)
    return matches


def term_matches(nodes: Nodes, term: NodeTerm) -> BoolArray:
    """Which nodes a node selector term matches; one that could not be parsed matches none."""
    if term.error or term.labels.nothing:
        return np.zeros(len(nodes), np.bool_)
    matches = requirements_match(nodes, term.labels.requirements)
    for one in term.fields:
        matches &= _field_matches(nodes, one)
    return matches


def _field_matches(nodes: Nodes, one: Requirement) -> BoolArray:
    """Field selectors have exactly one value; any field but the name reads as empty."""
    if one.key != NAME_FIELD:
        return np.full(len(nodes), (one.values[0] == "") is (one.operator == _FIELD_IN), np.bool_)
    numbers, values = nodes.columns.label(NAME_FIELD)
    is_named: BoolArray = nodes.take(numbers) == values.find(one.values[0])
    return is_named if one.operator == _FIELD_IN else ~is_named


def selector_matches(nodes: Nodes, selector: NodeSelector) -> BoolArray:
    """Which nodes any term matches."""
    matches = np.zeros(len(nodes), np.bool_)
    for term in selector.terms:
        matches |= term_matches(nodes, term)
    return matches


def affinity_matches(nodes: Nodes, required: RequiredNodeAffinity) -> BoolArray:
    """Which nodes fulfil a pod's nodeSelector and required node affinity."""
    matches = requirements_match(nodes, required.labels.requirements)
    return matches if required.affinity is None else matches & selector_matches(nodes, required.affinity)


def tolerated(nodes: Nodes, tolerations: Sequence[Toleration]) -> BoolArray:
    """Which nodes have no NoSchedule or NoExecute taint that is not tolerated."""
    sets = nodes.take(nodes.columns[("taints",)])
    values = nodes.columns.taint_sets.values
    matches: BoolArray = np.array([first_untolerated(taints, tolerations) is None for taints in values], np.bool_)[sets]
    return matches
