"""Which plugins exist, what each can do, and which run by default.

kube-scheduler's own plugins are known by name here even where this project has no algorithm of that name, so that a
configuration means the same. Any other algorithm is known by what its class implements.
Source: kube-scheduler v1.34.1, apis/config/v1/default_plugins.go, framework/plugins/registry.go.
"""

from __future__ import annotations

import re

from scheduler.engine import plugins
from scheduler.engine.framework import IN_TREE, Plugin

POINTS = (
    "preFilter",
    "filter",
    "postFilter",
    "reserve",
    "preScore",
    "score",
    "preBind",
    "bind",
    "postBind",
    "permit",
    "preEnqueue",
    "queueSort",
)
"""The extension points, spelled as in a KubeSchedulerConfiguration, in the order in which they are set up."""

DEFAULT_MULTI_POINT: dict[str, int] = {
    "SchedulingGates": 0,
    "PrioritySort": 0,
    "NodeUnschedulable": 0,
    "NodeName": 0,
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "NodePorts": 0,
    "NodeResourcesFit": 1,
    "VolumeRestrictions": 0,
    "NodeVolumeLimits": 0,
    "VolumeBinding": 0,
    "VolumeZone": 0,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "DynamicResources": 0,
    "DefaultPreemption": 0,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
    "DefaultBinder": 0,
}
"""Enabled at multiPoint by default, in this order, with these weights (0 = 1 where it scores)."""

FEATURE_GATES: dict[str, bool] = {
    "CSIMigrationPortworx": True,
    "ClearingNominatedNodeNameAfterBinding": False,
    "DRAExtendedResource": False,
    "DynamicResourceAllocation": True,
    "InPlacePodVerticalScaling": True,
    "MatchLabelKeysInPodAffinity": True,
    "MatchLabelKeysInPodTopologySpread": True,
    "MatchLabelKeysInPodTopologySpreadSelectorMerge": True,
    "NodeInclusionPolicyInPodTopologySpread": True,
    "NominatedNodeNameForExpectation": False,
    "PodLevelResources": True,
    "SchedulerAsyncAPICalls": True,
    "SchedulerAsyncPreemption": True,
    "SchedulerPopFromBackoffQ": True,
    "SchedulerQueueingHints": True,
    "SidecarContainers": True,
    "StorageCapacityScoring": False,
    "VolumeAttributesClass": True,
}
"""The feature gates that scheduling depends on, at their v1.34 defaults: the ones that this engine is written for."""


def known_plugins() -> dict[str, frozenset[str]]:
    """The extension points of every plugin that a configuration may name."""
    own = {name: _points_of(plugin) for name, plugin in plugins.registry().items() if name not in IN_TREE}
    return {**own, **IN_TREE}


def _points_of(plugin: type[Plugin]) -> frozenset[str]:
    methods = {point: re.sub(r"(?=[A-Z])", "_", point).lower() for point in POINTS}
    return frozenset(
        point for point, method in methods.items() if hasattr(Plugin, method) and plugin.implements(method)
    )


def type_name(point: str) -> str:
    """`PreFilterPlugin`: what messages call the plugins of an extension point."""
    return f"{point[0].upper()}{point[1:]}Plugin"
