"""Validation of plugins' arguments. Each rule takes the defaulted arguments and the path where they stand.

Source: kube-scheduler v1.34.1, apis/config/validation/validation_pluginargs.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from scheduler.engine import labels, objects
from scheduler.engine.config.durations import signed_us
from scheduler.engine.config.types import Manifest
from scheduler.engine.errors import Invalid
from scheduler.engine.validation.rules import duplicate, fault, forbidden, one_of, required
from scheduler.engine.values import syntax

STRATEGIES = ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")


def _child(path: str, field: str) -> str:
    return f"{path}.{field}" if path else field


def _between(path: str, value: int, least: int, most: int | None) -> Iterator[Invalid]:
    if value < least or (most is not None and value > most):
        yield fault(
            path,
            value,
            f"not in valid range [{least}, {most}]" if most is not None else f"not in valid range [{least}, inf)",
        )


def default_preemption(path: str, args: Manifest) -> Iterator[Invalid]:
    percentage, absolute = args["minCandidateNodesPercentage"], args["minCandidateNodesAbsolute"]
    percentage_path, absolute_path = f"{path}.minCandidateNodesPercentage", f"{path}.minCandidateNodesAbsolute"
    yield from _between(percentage_path, percentage, 0, 100)
    yield from _between(absolute_path, absolute, 0, None)
    if percentage == 0 and absolute == 0:
        yield fault(percentage_path, 0, "cannot be zero at the same time as minCandidateNodesAbsolute")
        yield fault(absolute_path, 0, "cannot be zero at the same time as minCandidateNodesPercentage")


def dynamic_resources(path: str, args: Manifest) -> Iterator[Invalid]:
    if (signed_us(args["filterTimeout"]) or 0) < 0:
        yield fault(f"{path}.filterTimeout", args["filterTimeout"], "must be zero or positive")


def inter_pod_affinity(path: str, args: Manifest) -> Iterator[Invalid]:
    yield from _between(f"{path}.hardPodAffinityWeight", args["hardPodAffinityWeight"], 0, 100)


def node_affinity(path: str, args: Manifest) -> Iterator[Invalid]:
    added = msgspec.convert(args.get("addedAffinity"), objects.NodeAffinity | None)
    if added is None:
        return
    here = f"{path}.addedAffinity"
    if added.required is not None:
        terms_path = f"{here}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
        for term in labels.node_selector(added.required, terms_path).terms:
            yield from map(Invalid, term.errors)
    for number, preferred in enumerate(added.preferred or ()):
        if preferred.weight:
            term = labels.node_term(
                preferred.preference, f"{here}.preferredDuringSchedulingIgnoredDuringExecution[{number}]"
            )
            yield from map(Invalid, term.errors)


def balanced_allocation(path: str, args: Manifest) -> Iterator[Invalid]:
    seen: set[str] = set()
    for number, resource in enumerate(args["resources"]):
        here = f"{path}.resources[{number}]"
        if resource["name"] in seen:
            yield duplicate(f"{here}.name", resource["name"])
        seen.add(resource["name"])
        if resource["weight"] != 1:
            yield fault(f"{here}.weight", resource["weight"], "must be 1")


def topology_spread(path: str, args: Manifest) -> Iterator[Invalid]:
    kind, constraints = args["defaultingType"], args.get("defaultConstraints", [])
    yield from one_of(f"{path}.defaultingType", kind, ("System", "List"))
    if kind == "System" and constraints:
        yield fault(f"{path}.defaultingType", kind, "when .defaultConstraints are not empty")
    pairs = [(one.get("topologyKey", ""), one.get("whenUnsatisfiable", "")) for one in constraints]
    for number, constraint in enumerate(constraints):
        here = f"{path}.defaultConstraints[{number}]"
        yield from _constraint(here, constraint)
        if pairs[number] in pairs[:number]:
            yield duplicate(here, "{{{}, {}}}".format(*pairs[number]))


def _constraint(path: str, constraint: Manifest) -> Iterator[Invalid]:
    if constraint.get("maxSkew", 0) <= 0:
        yield fault(f"{path}.maxSkew", constraint.get("maxSkew", 0), "not in valid range (0, inf)")
    key, action = constraint.get("topologyKey", ""), constraint.get("whenUnsatisfiable", "")
    if not key:
        yield required(f"{path}.topologyKey", "can not be empty")
    elif complaints := syntax.qualified_name(key):
        yield from (fault(f"{path}.topologyKey", key, complaint) for complaint in complaints)
    if not action:
        yield required(f"{path}.whenUnsatisfiable", "can not be empty")
    yield from one_of(f"{path}.whenUnsatisfiable", action, ("DoNotSchedule", "ScheduleAnyway"))
    if "labelSelector" in constraint:
        detail = "constraint must not define a selector, as they deduced for each pod"
        yield forbidden(f"{path}.labelSelector", detail)


def volume_binding(path: str, args: Manifest) -> Iterator[Invalid]:
    if args["bindTimeoutSeconds"] < 0:
        detail = "invalid BindTimeoutSeconds, should not be a negative value"
        yield fault(f"{path}.bindTimeoutSeconds", args["bindTimeoutSeconds"], detail)
    if "shape" in args:
        detail = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"
        shape = [{"Utilization": one.get("utilization", 0), "Score": one.get("score", 0)} for one in args["shape"]]
        yield fault(f"{path}.shape", shape, detail)


def fit(path: str, args: Manifest) -> Iterator[Invalid]:
    """NodeResourcesFit: kube-scheduler checks it only when it builds the plugin, without a path before the fields."""
    for number, name in enumerate(args.get("ignoredResources", ())):
        yield from _label_name(f"{_child(path, 'ignoredResources')}[{number}]", name)
    for number, group in enumerate(args.get("ignoredResourceGroups", ())):
        here = f"{_child(path, 'ignoredResourceGroups')}[{number}]"
        if "/" in group:
            yield fault(here, group, "resource group name can't contain '/'")
        yield from _label_name(here, group)
    strategy, here = args["scoringStrategy"], _child(path, "scoringStrategy")
    if strategy.get("type") not in STRATEGIES:
        yield Invalid(syntax.unsupported(strategy.get("type", ""), STRATEGIES), f"{here}.type")
    for number, resource in enumerate(strategy["resources"]):
        if not 1 <= resource["weight"] <= 100:
            detail = f"resource weight of {resource['name']} not in valid range (0, 100]"
            yield fault(f"{here}.resources[{number}].weight", resource["weight"], detail)
    if "requestedToCapacityRatio" in strategy:
        yield from _shape(f"{here}.shape", strategy["requestedToCapacityRatio"].get("shape", []))


def _label_name(path: str, name: str) -> Iterator[Invalid]:
    yield from (fault(path, name, complaint) for complaint in syntax.qualified_name(name))


def _shape(path: str, points: list[dict[str, Any]]) -> Iterator[Invalid]:
    if not points:
        yield required(path, "at least one point must be specified")
    utilizations = [point["utilization"] for point in points]
    for number in range(1, len(points)):
        if utilizations[number - 1] >= utilizations[number]:
            here = f"{path}[{number}].utilization"
            yield fault(here, utilizations[number], "values must be sorted in increasing order")
            break
    for number, point in enumerate(points):
        yield from _between(f"{path}[{number}].utilization", point["utilization"], 0, 100)
        yield from _between(f"{path}[{number}].score", point["score"], 0, 10)


VALIDATED_EARLY: dict[str, Callable[[str, Manifest], Iterator[Invalid]]] = {
    "DefaultPreemption": default_preemption,
    "DynamicResources": dynamic_resources,
    "InterPodAffinity": inter_pod_affinity,
    "NodeAffinity": node_affinity,
    "NodeResourcesBalancedAllocation": balanced_allocation,
    "PodTopologySpread": topology_spread,
    "VolumeBinding": volume_binding,
}
