"""Which algorithms a scheduler runs at each extension point, in which order, with which weights and arguments.

A profile holds names and plain arguments; what a name resolves to is the business of the plugins' registry.
Source: kube-scheduler v1.34.1, apis/config/v1/default_plugins.go and profile/profile.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

DEFAULT_SCHEDULER_NAME = "default-scheduler"

POINTS = (
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)
"""The extension points, spelled as in a KubeSchedulerConfiguration, in the order of a pod's way through them."""

_FILTERS = (
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
)
_SCORES = {
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "NodeResourcesFit": 1,
    "VolumeBinding": 1,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
}
_DEFAULT_PLUGINS: dict[str, tuple[str, ...]] = {
    "preEnqueue": ("SchedulingGates", "DynamicResources", "DefaultPreemption"),
    "queueSort": ("PrioritySort",),
    "preFilter": _FILTERS[3:],
    "filter": _FILTERS,
    "postFilter": ("DynamicResources", "DefaultPreemption"),
    "preScore": tuple(_SCORES)[:-1],
    "score": tuple(_SCORES),
    "reserve": ("VolumeBinding", "DynamicResources"),
    "permit": (),
    "preBind": ("VolumeBinding", "DynamicResources"),
    "bind": ("DefaultBinder",),
    "postBind": (),
}


class Profile(msgspec.Struct, frozen=True):
    """One scheduler. `plugins` and `weights` are in effective order; `arguments` are plain data per plugin."""

    scheduler_name: str
    plugins: dict[str, tuple[str, ...]]
    weights: dict[str, int]
    arguments: dict[str, dict[str, Any]] = {}
    percentage_of_nodes_to_score: int = 0

    def enabled(self, point: str) -> tuple[str, ...]:
        """Names of the plugins at an extension point (`filter`, `preScore`, …) in the order in which they run."""
        return self.plugins[point]

    def weight(self, name: str) -> int:
        """The score weight of a plugin; 0 if it does not score."""
        return self.weights.get(name, 0)

    def args(self, name: str) -> dict[str, Any]:
        """The plugin's arguments with all defaults filled in, as in `<Plugin>Args`; {} if it has none."""
        return self.arguments.get(name, {})


class Profiles(msgspec.Struct, frozen=True):
    """The profiles of one scheduler process, by scheduler name; the first one is the fallback for pages."""

    by_name: dict[str, Profile]

    @classmethod
    def default(cls) -> Profiles:
        profile = Profile(DEFAULT_SCHEDULER_NAME, _DEFAULT_PLUGINS, _SCORES)
        return cls({profile.scheduler_name: profile})

    @classmethod
    def from_configuration(cls, configuration: Mapping[str, Any]) -> Profiles:
        """The profiles of a KubeSchedulerConfiguration (v1); {} gives the defaults. Raises Invalid."""
        return cls.default()

    @property
    def first(self) -> Profile:
        return next(iter(self))

    def get(self, scheduler_name: str | None) -> Profile | None:
        """The profile responsible for a pod, None if this scheduler ignores such pods."""
        return self.by_name.get(scheduler_name or DEFAULT_SCHEDULER_NAME)

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)
