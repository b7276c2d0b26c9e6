"""kube-scheduler's own plugins, and the extension points of each. Source: v1.34.1, framework/plugins/registry.go."""

from __future__ import annotations

_STATEFUL = frozenset({"preFilter", "filter"})
_SCORING = frozenset({"preScore", "score"})

IN_TREE: dict[str, frozenset[str]] = {
    "SchedulingGates": frozenset({"preEnqueue"}),
    "PrioritySort": frozenset({"queueSort"}),
    "NodeUnschedulable": frozenset({"filter"}),
    "NodeName": frozenset({"filter"}),
    "TaintToleration": frozenset({"filter"}) | _SCORING,
    "NodeAffinity": _STATEFUL | _SCORING,
    "NodePorts": _STATEFUL,
    "NodeResourcesFit": _STATEFUL | _SCORING,
    "VolumeRestrictions": _STATEFUL,
    "NodeVolumeLimits": _STATEFUL,
    "VolumeBinding": _STATEFUL | _SCORING | {"reserve", "preBind"},
    "VolumeZone": _STATEFUL,
    "PodTopologySpread": _STATEFUL | _SCORING,
    "InterPodAffinity": _STATEFUL | _SCORING,
    "DynamicResources": _STATEFUL | {"preEnqueue", "postFilter", "reserve", "preBind"},
    "DefaultPreemption": frozenset({"preEnqueue", "postFilter"}),
    "NodeResourcesBalancedAllocation": _SCORING,
    "ImageLocality": frozenset({"score"}),
    "DefaultBinder": frozenset({"bind"}),
}
