"""Subsets one by one: names, node terms, tolerations; and what the strategy says of them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import NodeSelectorTerm, Toleration
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment
from scheduler.engine.validation import affinity, pods, wrong_type
from scheduler.engine.validation.rules import fault, forbidden, required
from scheduler.engine.values import syntax

SUBSETS = "spec.topology.subsets"


def faults(ud: UnitedDeployment) -> Iterator[Invalid]:
    """What is wrong with each subset, in order."""
    seen: set[str] = set()
    for index, subset in enumerate(ud.subsets):
        path = f"{SUBSETS}[{index}]"
        yield from _name(f"{path}.name", subset.name, seen)
        seen.add(subset.name)
        yield from _placement(path, subset)
        if ud.adaptive and subset.replicas is not None:
            yield forbidden(f"{path}.replicas", "subset.replicas can not be used with the Adaptive strategy")


def _name(path: str, name: str, seen: set[str]) -> Iterator[Invalid]:
    if not name:
        yield required(path)
    if complaints := syntax.dns_label(name):
        yield fault(path, name, f"invalid subset name {'; '.join(complaints)}")
    if name in seen:
        yield fault(path, name, f"duplicated subset name {name}")


def _placement(path: str, subset: Subset) -> Iterator[Invalid]:
    try:
        if subset.node_selector_term is not None:
            term = msgspec.convert(subset.node_selector_term, NodeSelectorTerm)
            yield from affinity.node_term(f"{path}.nodeSelectorTerm", term)
        for number, given in enumerate(subset.tolerations or ()):
            yield from pods.toleration(f"{path}.tolerations[{number}]", msgspec.convert(given, Toleration))
    except msgspec.ValidationError as error:
        yield wrong_type(error).under(path)


def strategy(ud: UnitedDeployment) -> Iterator[Invalid]:
    """An unknown update strategy, and partitions of subsets that are not there."""
    given = ud.spec.update_strategy
    if given is None:
        return
    if given.type not in (None, "", "Manual"):
        yield Invalid(syntax.unsupported(given.type, ("Manual", "")), "spec.updateStrategy.type")
        return
    names = {one.name for one in ud.subsets}
    for name in (given.manual_update.partitions if given.manual_update else None) or {}:
        if name not in names:
            path = "spec.updateStrategy.manualUpdate.partitions"
            yield fault(path, name, f"subset {name} does not exist")
