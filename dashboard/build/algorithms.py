"""Every algorithm of a profile: the extension points at which it runs, its place at each, its arguments."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from dashboard.build.about import about
from scheduler.engine import plugins
from scheduler.engine.config.args_defaults import args_defaulted
from scheduler.engine.config.args_types import ARGS
from scheduler.engine.config.catalogue import known_plugins
from scheduler.engine.profile import Profile

POINTS = (
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "normalize",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)
"""In the order in which a pod passes them; `normalize` is the second half of `score`."""
WEIGHED = {"name", "weight"}


@dataclass(frozen=True, slots=True)
class Point:
    """An extension point that an algorithm implements. `place` from 1 in the profile's order; 0 = not enabled here."""

    label: str
    place: int


@dataclass(frozen=True, slots=True)
class Algorithm:
    """`arguments`: (path, value as text), defaults included. `weight`: of its score, 0 if it does not score."""

    name: str
    about: str
    points: tuple[Point, ...]
    weight: int
    arguments: tuple[tuple[str, str], ...]

    @property
    def runs(self) -> bool:
        return any(point.place for point in self.points)


def algorithms_of(profile: Profile) -> list[Algorithm]:
    """All that the profile enables, in the order in which a pod meets them first, then those that it leaves out."""
    enabled = [name for point in POINTS for name in profile.plugins.get(point, ())]
    return [_algorithm(profile, name) for name in dict.fromkeys([*enabled, *known_plugins()])]


def _algorithm(profile: Profile, name: str) -> Algorithm:
    weight = profile.weight(name) if name in profile.enabled("score") else 0
    return Algorithm(name, about(name), tuple(_points(profile, name)), weight, tuple(_flat(_arguments(profile, name))))


def _points(profile: Profile, name: str) -> Iterator[Point]:
    implemented, known = set(known_plugins().get(name, ())), plugins.registry().get(name)
    if known and known.implements("normalize"):
        implemented.add("normalize")
    for point in POINTS:
        if point in implemented:
            order = profile.enabled("score" if point == "normalize" else point)
            yield Point(point[0].upper() + point[1:], order.index(name) + 1 if name in order else 0)


def _arguments(profile: Profile, name: str) -> dict[str, Any]:
    """As the profile states them, else the defaults, which a profile need not hold for what it does not enable."""
    known = plugins.registry().get(name)
    if name in ARGS or known is None or known.Args is None:
        given = profile.args(name) or args_defaulted(name, {}) or {}
        return {key: one for key, one in given.items() if key not in ("apiVersion", "kind")}
    filled: dict[str, Any] = msgspec.to_builtins(msgspec.convert(profile.args(name), known.Args))
    return filled


def _flat(arguments: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in arguments.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", _told(value)


def _told(value: Any) -> str:
    """As JSON, but for texts and for lists of resources with their weights."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and one.keys() == WEIGHED for one in value):
        return ", ".join(f"{one['name']} ×{one['weight']}" for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
