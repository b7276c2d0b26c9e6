"""The algorithms, one file each. A file that defines a `Plugin` here is registered by being here."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.cycle.line_up import LineUp
from scheduler.engine.framework import Plugin

if TYPE_CHECKING:
    from scheduler.engine.profile import Profile


def register(classes: list[type[Plugin]]) -> dict[str, type[Plugin]]:
    """Name → class. Raises ValueError if two algorithms have one name."""
    found: dict[str, type[Plugin]] = {}
    for one in classes:
        if one.name in found:
            raise ValueError(f'two algorithms are called "{one.name}": {found[one.name].__module__}, {one.__module__}')
        found[one.name] = one
    return found


@cache
def registry() -> dict[str, type[Plugin]]:
    """All algorithms of this package by name, in order of their files."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return register([value for module in modules for value in vars(module).values() if _is_algorithm(value, module)])


def _is_algorithm(value: object, module: object) -> bool:
    is_plugin = isinstance(value, type) and issubclass(value, Plugin) and value is not Plugin
    return is_plugin and getattr(value, "__module__", "") == getattr(module, "__name__", None)


_built: dict[int, tuple[Profile, LineUp]] = {}
_KEPT_PROFILES = 64
MISSING = "no file in scheduler/engine/plugins defines it"


def line_up(profile: Profile) -> LineUp:
    """An instance of every algorithm that a profile names, with the profile's arguments.

    The same profile object gets the same instances. What cannot be had is told by the line-up's `fault`.
    """
    built = _built.get(id(profile))
    if built is None or built[0] is not profile:
        while len(_built) >= _KEPT_PROFILES:
            del _built[next(iter(_built))]
        built = _built[id(profile)] = (profile, LineUp(profile, *build(profile)))
    return built[1]


def of_profile(profile: Profile) -> dict[str, Plugin]:
    """The algorithms of `line_up(profile)` by name."""
    return line_up(profile).plugins


def build(profile: Profile) -> tuple[dict[str, Plugin], dict[str, str]]:
    """Fresh instances by name, and what is wrong with those that cannot be had; see `line_up`."""
    instances, faults = dict[str, Plugin](), dict(profile.faults)
    for name in dict.fromkeys(name for enabled in profile.plugins.values() for name in enabled):
        plugin = registry().get(name)
        if plugin is None:
            faults[name] = MISSING
            continue
        try:
            instances[name] = _instance(plugin, profile)
        except Exception as problem:  # whatever an algorithm does when it is made: it is named, and not used
            faults[name] = f"it cannot be made: {type(problem).__name__}: {problem}"
    return instances, faults


def _instance(plugin: type[Plugin], profile: Profile) -> Plugin:
    if plugin.Args is None:
        return plugin()
    return plugin(msgspec.convert(profile.args(plugin.name), plugin.Args))
