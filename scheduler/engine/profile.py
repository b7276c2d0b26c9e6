"""Which algorithms a scheduler runs at each extension point, in which order, with which weights and arguments.

A profile holds names and plain arguments; what a name resolves to is the business of the plugins' registry.
Source: kube-scheduler v1.34.1, profile/profile.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from scheduler.engine import config
from scheduler.engine.config import DEFAULT_SCHEDULER_NAME
from scheduler.engine.config.recorded import Faults, read_recorded


class Profile(msgspec.Struct, frozen=True):
    """One scheduler. `plugins` and `weights` are in effective order; `arguments` are plain data per plugin.

    `faults`: what a recorded profile asks for and cannot have any more, by algorithm. It must not schedule with any.
    """

    scheduler_name: str
    plugins: dict[str, tuple[str, ...]]
    weights: dict[str, int]
    arguments: dict[str, dict[str, Any]] = {}
    percentage_of_nodes_to_score: int = 0
    faults: Faults = {}

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
    """The profiles of one scheduler process, by scheduler name, and what they share.

    `effective`: the complete KubeSchedulerConfiguration as kube-scheduler would log it. Backoff bounds in seconds.
    """

    by_name: dict[str, Profile]
    initial_backoff_seconds: int = 1
    max_backoff_seconds: int = 10
    effective: dict[str, Any] = {}

    @classmethod
    def default(cls) -> Profiles:
        """kube-scheduler without a configuration file."""
        return _default()

    @classmethod
    def from_configuration(cls, configuration: Mapping[str, Any] | None) -> Profiles:
        """The profiles of a KubeSchedulerConfiguration (v1). None or {} gives the defaults.

        Raises `config.InvalidConfiguration`, which has a `stage` and all `errors`.
        """
        return _of(config.read(configuration)) if configuration else _default()

    @classmethod
    def recorded(cls, configuration: Mapping[str, Any] | None) -> Profiles:
        """The profiles of a configuration from a log, whatever has become of its algorithms: see `Profile.faults`."""
        if not configuration:
            return _default()
        read, faults = read_recorded(configuration)
        return _of(read, faults)

    @property
    def first(self) -> Profile:
        return next(iter(self))

    @property
    def not_modelled(self) -> list[str]:
        """What the configuration asks for and this scheduler leaves out, in sentences."""
        extenders = self.effective.get("extenders", ())
        return [f"Extender {one['urlPrefix'] or '(no URL)'} is not modelled: it is never called." for one in extenders]

    def get(self, scheduler_name: str | None) -> Profile | None:
        """The profile responsible for a pod, None if this scheduler ignores such pods."""
        return self.by_name.get(scheduler_name or DEFAULT_SCHEDULER_NAME)

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)


@cache
def _default() -> Profiles:
    return _of(config.read(config.DEFAULT_DOCUMENT))


def _of(configuration: config.Configuration, faults: Sequence[Faults] = ()) -> Profiles:
    effective = configuration.effective
    faults = faults or [{}] * len(effective["profiles"])
    profiles = [
        _profile(profile, expanded, effective["percentageOfNodesToScore"], found)
        for profile, expanded, found in zip(effective["profiles"], configuration.expanded, faults, strict=True)
    ]
    return Profiles(
        {profile.scheduler_name: profile for profile in profiles},
        effective["podInitialBackoffSeconds"],
        effective["podMaxBackoffSeconds"],
        effective,
    )


def _profile(effective: dict[str, Any], expanded: config.Expanded, percentage: int, faults: Faults) -> Profile:
    arguments = {
        entry["name"]: {key: one for key, one in (entry["args"] or {}).items() if key not in ("apiVersion", "kind")}
        for entry in effective["pluginConfig"]
    }
    return Profile(
        effective["schedulerName"],
        expanded.plugins,
        expanded.weights,
        arguments,
        effective.get("percentageOfNodesToScore", percentage),
        faults,
    )
