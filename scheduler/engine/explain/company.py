"""The conditions of required pod affinity and anti-affinity on one node, from the pods met in its domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from scheduler.engine.explain.checks import combined
from scheduler.engine.framework import Step

Met: TypeAlias = Mapping[str, tuple[str | None, int]]
"""Topology key → (the node's value of it, None without the label; pods met at that value)."""
HERE = "pods met in the domain of the node"


def near(met: Met, anywhere: int, matches_itself: bool) -> list[Step]:
    """`affinity` holds if the node has every label and meets all terms, or the pod may be the first of its kind.

    `anywhere`: domains of the cluster that meet a term.
    """
    labels = [Step(f"label {key}", "exists", ((value,),), value is not None) for key, (value, _) in met.items()]
    pods = [Step(f"affinity by {key}", "some", (number,), number > 0, HERE) for key, (_, number) in met.items()]
    alone = [
        Step("met nowhere", "none", (anywhere,), anywhere <= 0, "domains with such pods"),
        Step("matches itself", "value", (matches_itself,), matches_itself, "its own labels, by its own terms"),
    ]
    has, together = combined("has the labels", "all", labels), combined("all are met", "all", pods)
    first = combined("first of its kind", "all", alone)
    company = combined("company", "any", [together, first])
    return [*labels, *pods, *alone, has, together, first, company, combined("affinity", "all", [has, company])]


def away(rule: str, met: Met) -> list[Step]:
    """No pod that must be away is in a domain of the node."""
    return [Step(f"{rule} by {key}", "none", (number,), number <= 0, HERE) for key, (_, number) in met.items()]
