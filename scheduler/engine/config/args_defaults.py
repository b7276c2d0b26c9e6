"""Plugins' arguments with every default filled in, field by field. Source: v1.34.1, apis/config/v1/defaults.go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler.engine.config.args_types import ARGS
from scheduler.engine.config.decode import API_VERSION
from scheduler.engine.config.durations import printed
from scheduler.engine.config.types import Manifest

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_KEPT_EMPTY = ("shape",)  # validation refuses that of VolumeBinding, an empty one as well


def args_defaulted(name: str, given: Manifest | None) -> Manifest | None:
    """A plugin's arguments, field by field. Those of a plugin that takes none stay as they are."""
    if name not in ARGS:
        return given
    args = {key: one for key, one in (given or {}).items() if one != [] or key in _KEPT_EMPTY}
    head = {"apiVersion": API_VERSION, "kind": f"{name}Args"}
    return {**_ARGS_DEFAULTS[name](args), **head}


def _plain(**defaults: Any) -> Callable[[Manifest], Manifest]:
    return lambda args: {**defaults, **args}


def _node_affinity(args: Manifest) -> Manifest:
    """`addedAffinity` as it is written back: empty lists go, weights and preferences are always there."""
    if "addedAffinity" not in args:
        return args
    added = {**args["addedAffinity"]}
    if _REQUIRED in added:
        terms = added[_REQUIRED].get("nodeSelectorTerms")
        added[_REQUIRED] = {"nodeSelectorTerms": None if terms is None else [_term(one) for one in terms]}
    weighted = [
        {"weight": one.get("weight", 0), "preference": _term(one.get("preference", {}))}
        for one in added.pop(_PREFERRED, ())
    ]
    return {**args, "addedAffinity": added | ({_PREFERRED: weighted} if weighted else {})}


def _term(given: Manifest) -> Manifest:
    return {
        field: [{"key": "", "operator": "", **requirement} for requirement in requirements]
        for field, requirements in given.items()
        if requirements
    }


def as_written(entry: Manifest) -> Manifest:
    """One of `pluginConfig` without the empty `values` of requirements, which validation tells from none."""
    return {**entry, "args": _without_empty_values(entry["args"])} if entry["name"] == "NodeAffinity" else entry


def _without_empty_values(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_empty_values(one) for one in value]
    if isinstance(value, dict):
        return {key: _without_empty_values(one) for key, one in value.items() if (key, one) != ("values", [])}
    return value


def _resources(given: list[Manifest] | None) -> list[Manifest]:
    resources = given or [{"name": "cpu"}, {"name": "memory"}]
    return [{"name": one.get("name", ""), "weight": one.get("weight") or 1} for one in resources]


def _balanced_allocation(args: Manifest) -> Manifest:
    return {**args, "resources": _resources(args.get("resources"))}


def _fit(args: Manifest) -> Manifest:
    strategy = {**args.get("scoringStrategy", {"type": "LeastAllocated"})}
    strategy["resources"] = _resources(strategy.get("resources"))
    if ratio := strategy.get("requestedToCapacityRatio"):
        strategy["requestedToCapacityRatio"] = {
            **ratio,
            **({"shape": _shape(ratio["shape"])} if ratio.get("shape") else {}),
        }
    return {**args, "scoringStrategy": strategy}


def _shape(points: list[Manifest]) -> list[Manifest]:
    return [{"utilization": one.get("utilization", 0), "score": one.get("score", 0)} for one in points]


def _topology_spread(args: Manifest) -> Manifest:
    return {**args, "defaultingType": args.get("defaultingType") or "System"}


_ARGS_DEFAULTS: dict[str, Callable[[Manifest], Manifest]] = {
    "DefaultPreemption": _plain(minCandidateNodesPercentage=10, minCandidateNodesAbsolute=100),
    "DynamicResources": lambda args: {"filterTimeout": printed(args.get("filterTimeout", "10s"))},
    "InterPodAffinity": _plain(hardPodAffinityWeight=1, ignorePreferredTermsOfExistingPods=False),
    "NodeAffinity": _node_affinity,
    "NodeResourcesBalancedAllocation": _balanced_allocation,
    "NodeResourcesFit": _fit,
    "PodTopologySpread": _topology_spread,
    "VolumeBinding": _plain(bindTimeoutSeconds=600),
}
