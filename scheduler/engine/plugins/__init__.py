"""The algorithms, one file each. A file that defines a `Plugin` here is registered by being here."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

import msgspec

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


_Plugins = dict[str, Plugin]
_LineUp = dict[str, tuple[Plugin, ...]]
_built: dict[int, tuple[Profile, _Plugins, _LineUp]] = {}
_KEPT_PROFILES = 64


def of_profile(profile: Profile) -> dict[str, Plugin]:
    """An instance of every algorithm that a profile names and that exists here, with the profile's arguments.

    The same profile object gets the same instances. Raises `msgspec.ValidationError` for arguments of a wrong type.
    """
    return _build_once(profile)[0]


def _build_once(profile: Profile) -> tuple[_Plugins, _LineUp]:
    built = _built.get(id(profile))
    if built is None or built[0] is not profile:
        while len(_built) >= _KEPT_PROFILES:
            del _built[next(iter(_built))]
        plugins = build(profile)
        points = {point: _at(profile, plugins, point, method) for point, method in _METHODS.items()}
        built = _built[id(profile)] = (profile, plugins, points)
    return built[1], built[2]


def _at(profile: Profile, plugins: _Plugins, point: str, method: str) -> tuple[Plugin, ...]:
    here = (plugins[name] for name in profile.enabled(point) if name in plugins)
    return tuple(plugin for plugin in here if plugin.implements(method))


_METHODS = {
    "preEnqueue": "pre_enqueue",
    "preFilter": "pre_filter",
    "filter": "filter",
    "postFilter": "post_filter",
    "preScore": "pre_score",
    "score": "score",
}


def line_up(profile: Profile) -> dict[str, tuple[Plugin, ...]]:
    """By extension point: the algorithms that the profile runs there and that are here, in order."""
    return _build_once(profile)[1]


def build(profile: Profile) -> dict[str, Plugin]:
    """Fresh instances; see `of_profile`."""
    names = dict.fromkeys(name for enabled in profile.plugins.values() for name in enabled)
    known = registry()
    return {name: _instance(known[name], profile) for name in names if name in known}


def _instance(plugin: type[Plugin], profile: Profile) -> Plugin:
    if plugin.Args is None:
        return plugin()
    return plugin(msgspec.convert(profile.args(plugin.name), plugin.Args))
