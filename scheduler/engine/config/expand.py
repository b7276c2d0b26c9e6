"""The third stage, `build`: which plugins run at each extension point, in which order, with which weights.

Source: kube-scheduler v1.34.1, framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scheduler.engine import plugins
from scheduler.engine.config.args import fit
from scheduler.engine.config.catalogue import POINTS, known_plugins, type_name
from scheduler.engine.config.defaults import needed_plugins
from scheduler.engine.config.types import Manifest
from scheduler.engine.errors import Invalid, aggregate
from scheduler.engine.framework import MAX_NODE_SCORE

_INT64 = 2**64
_MAX_TOTAL_SCORE = 2**63 - 1


class Expanded(msgspec.Struct, frozen=True):
    """`plugins`: names per extension point in effective order; `weights`: of those that score."""

    plugins: dict[str, tuple[str, ...]]
    weights: dict[str, int]
    instantiated: tuple[str, ...]


class CrashError(Invalid):
    """kube-scheduler itself crashes on this configuration."""


def expand(profile: Manifest) -> Expanded:
    """`profile`: one of a defaulted, valid configuration. Raises Invalid with kube-scheduler's text."""
    sections, known = profile["plugins"], known_plugins()
    _check_fit(profile)
    instantiated = sorted(needed_plugins(sections) & known.keys())
    specific = {point: _specific(point, sections[point]) for point in POINTS}
    expanded = {point: tuple(_with_multi_point(point, specific[point], sections)) for point in POINTS}
    name = profile["schedulerName"]
    if (count := len(expanded["queueSort"])) != 1:
        raise Invalid(f'only one queue sort plugin required for profile with scheduler name "{name}", but got {count}')
    if not expanded["bind"]:
        raise Invalid(f'at least one bind plugin is needed for profile with scheduler name "{name}"')
    return Expanded(expanded, _weights(sections), tuple(instantiated))


def _check_fit(profile: Manifest) -> None:
    if "NodeResourcesFit" not in needed_plugins(profile["plugins"]):
        return
    args = next(one["args"] for one in profile["pluginConfig"] if one["name"] == "NodeResourcesFit")
    prefix = 'initializing plugin "NodeResourcesFit"'
    if errors := list(fit("", args)):
        raise Invalid(f"{prefix}: {aggregate(errors)}")
    strategy = args["scoringStrategy"]
    if strategy["type"] == "RequestedToCapacityRatio" and "requestedToCapacityRatio" not in strategy:
        raise CrashError(f"{prefix}: scoringStrategy.requestedToCapacityRatio: Required value: it holds the shape")


def _names(plugin_set: Manifest, field: str = "enabled") -> list[str]:
    return [one["name"] for one in plugin_set.get(field, ())]


def _specific(point: str, plugin_set: Manifest) -> list[str]:
    """The plugins that are listed at the point itself."""
    names = _names(plugin_set)
    for number, name in enumerate(names):
        if name not in known_plugins():
            raise _missing(point, name)
        if point not in known_plugins()[name]:
            raise Invalid(f'plugin "{name}" does not extend {type_name(point)} plugin')
        if name in names[:number]:
            raise Invalid(f'plugin "{name}" already registered as "{type_name(point)}"')
    return names


def _missing(point: str, name: str) -> Invalid:
    """kube-scheduler's words; where the file was left out, also why."""
    fault = plugins.fault_of(name)
    return Invalid(f'{type_name(point)} "{name}" does not exist' + (f"; {fault}" if fault else ""))


def _with_multi_point(point: str, specific: list[str], sections: Manifest) -> Iterator[str]:
    """First what overrides multiPoint, then multiPoint, then whatever else is listed at the point."""
    disabled = _names(sections[point], "disabled")
    if "*" in disabled or not _names(sections["multiPoint"]):
        yield from specific
        return
    overriding: set[str] = set()
    general: list[str] = []
    for name in _names(sections["multiPoint"]):
        if name not in known_plugins():
            raise _missing(point, name)
        if point not in known_plugins()[name] or name in disabled:
            continue
        if name in specific:
            overriding.add(name)
        elif name in general:
            raise Invalid(f'plugin "{name}" already registered as "{type_name(point)}"')
        else:
            general.append(name)
    yield from (name for name in specific if name in overriding)
    yield from general
    yield from (name for name in specific if name not in overriding)


def _weights(sections: Manifest) -> dict[str, int]:
    """The first mention of a plugin fixes its weight, 0 means 1. The sum is watched in wrapping int64."""
    weights: dict[str, int] = {}
    total = 0
    for reference in (*sections["score"].get("enabled", ()), *sections["multiPoint"].get("enabled", ())):
        name, weight = reference["name"], reference["weight"] or 1
        if name in weights or "score" not in known_plugins()[name]:
            continue
        if weight * MAX_NODE_SCORE > _wrapped(_MAX_TOTAL_SCORE - total):
            raise Invalid("total score of Score plugins could overflow")
        weights[name] = weight
        total = _wrapped(total + weight * MAX_NODE_SCORE)
    return weights


def _wrapped(number: int) -> int:
    return (number + _INT64 // 2) % _INT64 - _INT64 // 2
