"""The algorithms, one file each. A file that defines a `Plugin` here is registered by being here."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.cycle.line_up import LineUp
from scheduler.engine.framework import Plugin, faults_of

if TYPE_CHECKING:
    from scheduler.engine.profile import Profile


Faults = dict[str, list[str]]
"""What is wrong with a file of this package, by its module's name."""


def register(modules: Iterable[ModuleType]) -> tuple[dict[str, type[Plugin]], Faults]:
    """Name → class, and what is wrong with algorithms that are left out."""
    known, faults = dict[str, type[Plugin]](), Faults()
    for module in modules:
        algorithms = [value for value in vars(module).values() if _is_algorithm(value, module)]
        if not algorithms:
            faults[module.__name__] = ["no class in it is a Plugin"]
        for one in algorithms:
            found = [f"{one.__name__}: {fault}" for fault in faults_of(one)]
            if not found and one.name in known:
                found = [f'{one.__name__}: "{one.name}" is the name of an algorithm in {known[one.name].__module__}']
            if found:
                faults.setdefault(module.__name__, []).extend(found)
            else:
                known[one.name] = one
    return known, faults


@cache
def _discovered() -> tuple[dict[str, type[Plugin]], Faults]:
    modules, unreadable = list[ModuleType](), Faults()
    for name in [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]:
        try:
            modules.append(importlib.import_module(name))
        except Exception as problem:  # a file that somebody is writing: it is named, and the others go on
            unreadable[name] = [f"{type(problem).__name__}: {problem}"]
    known, faults = register(modules)
    return known, unreadable | faults


def registry() -> dict[str, type[Plugin]]:
    """All algorithms of this package by name, in order of their files."""
    return _discovered()[0]


def faults() -> list[str]:
    """What is wrong with files of this package, in sentences; their algorithms are left out."""
    return [
        f"scheduler/engine/plugins/{module.rpartition('.')[2]}.py: {fault}"
        for module, found in _discovered()[1].items()
        for fault in found
    ]


def fault_of(name: str) -> str:
    """What is wrong with the file that is to define this algorithm, "" if there is no such file."""
    wanted = name.lower()
    for module, found in _discovered()[1].items():
        file = module.rpartition(".")[2]
        if file.replace("_", "") == wanted or found[0].startswith(f"{name}:"):
            return f"its file {file}.py is at fault: {found[0]}"
    return ""


def why_missing(name: str) -> str:
    """Why there is no algorithm of this name: its own file's fault if one has that name, or that there is none."""
    return fault_of(name) or "no file in scheduler/engine/plugins defines it"


def _is_algorithm(value: object, module: object) -> bool:
    is_plugin = isinstance(value, type) and issubclass(value, Plugin) and value is not Plugin
    return is_plugin and getattr(value, "__module__", "") == getattr(module, "__name__", None)


_built: dict[int, tuple[Profile, LineUp]] = {}
_KEPT_PROFILES = 64


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
    instances, missing = dict[str, Plugin](), dict(profile.faults)
    for name in dict.fromkeys(name for enabled in profile.plugins.values() for name in enabled):
        plugin = registry().get(name)
        if plugin is None:
            missing[name] = why_missing(name)
            continue
        try:
            instances[name] = _instance(plugin, profile)
        except Exception as problem:  # whatever an algorithm does when it is made: it is named, and not used
            missing[name] = f"it cannot be made: {type(problem).__name__}: {problem}"
    return instances, missing


def _instance(plugin: type[Plugin], profile: Profile) -> Plugin:
    if plugin.Args is None:
        return plugin()
    return plugin(msgspec.convert(profile.args(plugin.name), plugin.Args))
