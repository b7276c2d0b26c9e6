"""The second stage, `validate`: every fault of a complete configuration, in kube-scheduler's order and words.

Source: kube-scheduler v1.34.1, apis/config/validation/validation.go; component-base config/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.config.args import VALIDATED_EARLY
from scheduler.engine.config.catalogue import POINTS
from scheduler.engine.config.decode import API_VERSION
from scheduler.engine.config.durations import signed_us
from scheduler.engine.config.types import Manifest
from scheduler.engine.errors import Invalid
from scheduler.engine.validation.rules import duplicate, fault, required
from scheduler.engine.values import syntax
from scheduler.engine.values.requests import is_extended_resource

REMOVED_PLUGINS = ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits")


def validate(effective: Manifest) -> Iterator[Invalid]:
    """`effective`: what `defaulted` returns."""
    if effective["clientConnection"]["burst"] < 0:
        yield fault("clientConnection.burst", effective["clientConnection"]["burst"], "must be non-negative")
    yield from _leader_election(effective["leaderElection"])
    if effective["parallelism"] <= 0:
        yield fault("parallelism", effective["parallelism"], "should be an integer value greater than zero")
    names: list[str] = []
    for number, profile in enumerate(effective["profiles"]):
        yield from _profile(f"profiles[{number}]", profile)
        if profile["schedulerName"] in names:
            yield Invalid("Duplicate value: {}", f"profiles[{number}].schedulerName")
        names.append(profile["schedulerName"])
    yield from _queue_sort(effective["profiles"])
    yield from _percentage("percentageOfNodesToScore", effective["percentageOfNodesToScore"])
    yield from _backoff(effective["podInitialBackoffSeconds"], effective["podMaxBackoffSeconds"])
    yield from _extenders(effective.get("extenders", []))


def _leader_election(election: Manifest) -> Iterator[Invalid]:
    if not election["leaderElect"]:
        return
    lease, renew, retry = (
        signed_us(election[field]) or 0 for field in ("leaseDuration", "renewDeadline", "retryPeriod")
    )
    for field, micros in (("leaseDuration", lease), ("renewDeadline", renew), ("retryPeriod", retry)):
        if micros <= 0:
            yield fault(f"leaderElection.{field}", election[field], "must be greater than zero")
    if lease <= renew:
        detail = "must be greater than `RenewDeadline`"
        yield fault("leaderElection.leaseDuration", election["renewDeadline"], detail)
    if election["resourceLock"] != "leases":
        yield fault("leaderElection.resourceLock", election["resourceLock"], 'resourceLock value must be "leases"')


def _backoff(initial: int, most: int) -> Iterator[Invalid]:
    if initial <= 0:
        yield fault("podInitialBackoffSeconds", initial, "must be greater than 0")
    if most < initial:
        yield fault("podMaxBackoffSeconds", most, "must be greater than or equal to PodInitialBackoffSeconds")


def _percentage(path: str, value: int | None) -> Iterator[Invalid]:
    if value is not None and not 0 <= value <= 100:
        yield fault(path, value, "not in valid range [0-100]")


def _profile(path: str, profile: Manifest) -> Iterator[Invalid]:
    if not profile["schedulerName"]:
        yield required(f"{path}.schedulerName")
    yield from _percentage(f"{path}.percentageOfNodesToScore", profile.get("percentageOfNodesToScore"))
    for point in POINTS:
        for number, plugin in enumerate(profile["plugins"][point].get("enabled", ())):
            yield from _removed(f"{path}.plugins.{point}.enabled[{number}]", plugin["name"])
    seen: set[str] = set()
    for number, entry in enumerate(profile["pluginConfig"]):
        name, here = entry["name"], f"{path}.pluginConfig[{number}]"
        if name in seen:
            yield duplicate(here, name)
        seen.add(name)
        yield from _removed(here, name)
        if name in VALIDATED_EARLY:
            yield from VALIDATED_EARLY[name](f"{here}.args", entry["args"])


def _removed(path: str, name: str) -> Iterator[Invalid]:
    if name in REMOVED_PLUGINS:
        yield fault(path, name, f'was invalid in version "v1" (KubeSchedulerConfiguration is version "{API_VERSION}")')


def _queue_sort(profiles: list[Manifest]) -> Iterator[Invalid]:
    """All profiles share one queue, so they must sort it alike."""
    first = profiles[0]["plugins"]["queueSort"]
    if len(first.get("enabled", ())) > 1:
        detail = "only one queue sort plugin can be enabled"
        yield fault("profiles[0].plugins.queueSort.Enabled", len(first["enabled"]), detail)
    for number, profile in enumerate(profiles[1:], 1):
        if profile["plugins"]["queueSort"] != first:
            given = {key: _named(profile["plugins"]["queueSort"].get(key.lower())) for key in ("Enabled", "Disabled")}
            yield fault(f"profiles[{number}].plugins.queueSort", given, "must be the same for all profiles")
        yield from _queue_sort_args(profiles[0], number, profile)


def _queue_sort_args(first: Manifest, number: int, profile: Manifest) -> Iterator[Invalid]:
    """Only of a plugin listed under queueSort itself: one that multiPoint brings is not looked at, as in Go."""
    name = next((one["name"] for one in first["plugins"]["queueSort"].get("enabled", ())), "")
    stated = [one["args"] for one in first["pluginConfig"] if name and one["name"] == name]
    for entry in profile["pluginConfig"]:
        if entry["name"] == name and entry["args"] != (stated[-1] if stated else None):
            here = f"profiles[{number}].pluginConfig.args"
            yield fault(here, entry["args"], "queueSort must be the same for all profiles")


def _named(references: list[Manifest] | None) -> list[Manifest] | None:
    return references and [{"Name": one["name"], "Weight": one["weight"]} for one in references]


def _extenders(extenders: list[Manifest]) -> Iterator[Invalid]:
    managed: set[str] = set()
    for number, extender in enumerate(extenders):
        path = f"extenders[{number}]"
        if extender.get("prioritizeVerb") and extender.get("weight", 0) <= 0:
            yield fault(f"{path}.weight", extender.get("weight", 0), "must have a positive weight applied to it")
        for index, resource in enumerate(extender.get("managedResources", ())):
            here, name = f"{path}.managedResources[{index}].name", resource.get("name", "")
            yield from _resource_name(here, name)
            if name in managed:
                yield fault(here, name, "duplicate extender managed resource name")
            managed.add(name)
    binders = sum(bool(extender.get("bindVerb")) for extender in extenders)
    if binders > 1:
        detail = "only one extender can implement bind"
        yield fault("extenders", f"found {binders} extenders implementing bind", detail)


def _resource_name(path: str, name: str) -> Iterator[Invalid]:
    """What it must be to be a name at all, or else that it is not one of an extended resource."""
    complaints = syntax.qualified_name(name)
    if not complaints and not is_extended_resource(name):
        complaints = ("is an invalid extended resource name",)
    yield from (fault(path, name, complaint) for complaint in complaints)
