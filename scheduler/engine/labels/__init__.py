"""Selectors of labels and nodes: what they mean, how they are written, what is wrong with them."""

from scheduler.engine.labels.nodes import (
    NAME_FIELD,
    NodeSelector,
    NodeTerm,
    PreferredTerms,
    RequiredNodeAffinity,
    node_selector,
    node_term,
    preferred_terms,
)
from scheduler.engine.labels.selector import (
    EVERYTHING,
    NOTHING,
    Requirement,
    Selector,
    label_selector,
    map_selector,
    requirement,
)
from scheduler.engine.labels.text import parse

__all__ = [
    "EVERYTHING",
    "NAME_FIELD",
    "NOTHING",
    "NodeSelector",
    "NodeTerm",
    "PreferredTerms",
    "RequiredNodeAffinity",
    "Requirement",
    "Selector",
    "label_selector",
    "map_selector",
    "node_selector",
    "node_term",
    "parse",
    "preferred_terms",
    "requirement",
]
