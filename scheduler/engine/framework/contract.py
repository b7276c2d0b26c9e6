"""What is wrong with an algorithm's class as it is written, found when it is registered: one sentence a fault."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any, get_args

import msgspec

from scheduler.engine.framework.answers import CHECKS
from scheduler.engine.framework.arrays import Reads
from scheduler.engine.framework.plugin import Plugin

_ATTRIBUTES = ("name", "short", "weight", "Args", "filter_reads", "score_reads", "lower_is_better", "whole_list")
_KNOWN = (*_ATTRIBUTES, *CHECKS, "implements")
_ALIKE = 0.84
_ABOUT = {
    "filter": ("explain_filter", "filter_reads"),
    "score": ("explain", "explain_normalize", "normalize", "score_reads", "lower_is_better", "whole_list"),
}


def faults_of(plugin: type[Plugin]) -> Iterator[str]:
    """One sentence for each thing that would fail, or never be called."""
    name = getattr(plugin, "name", None)
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name):
        yield f"name must be a word like NodeAffinity, not {name!r}"
    short: Any = plugin.short
    if not isinstance(short, str):
        yield f"short must be text, not {short!r}"
    yield from _attributes(plugin)
    for own, value in vars(plugin).items():
        if own in CHECKS:
            yield from _signature(own, value)
        elif own not in _KNOWN and not own.startswith("_"):
            yield from _stranger(plugin, own, value)
    yield from _lonely(plugin)


def _stranger(plugin: type[Plugin], name: str, value: Any) -> Iterator[str]:
    """A method that nobody calls, or an attribute that is all but spelled like a known one."""
    if meant := _meant(name):
        yield f"{name} is no hook: is {meant} meant? (Begin the name of a helper with an underscore.)"
    elif isinstance(value, FunctionType) and name not in _called(plugin):
        yield f"{name} is no hook, and nothing calls it (begin the name of a helper with an underscore)"


def _called(plugin: type[Plugin]) -> set[str]:
    methods = (value for value in vars(plugin).values() if isinstance(value, FunctionType))
    return {name for method in methods for name in method.__code__.co_names}


def _lonely(plugin: type[Plugin]) -> Iterator[str]:
    """What says something of a hook that is not there."""
    for hook, fields in _ABOUT.items():
        if getattr(plugin, hook) is getattr(Plugin, hook):
            for field in fields:
                if field in vars(plugin):
                    yield f"{field} says something of {hook}, which is not there"


def _attributes(plugin: type[Plugin]) -> Iterator[str]:
    weight: Any = plugin.weight
    if not isinstance(weight, int) or weight < 0:
        yield f"weight must be a whole number, at least 0, not {weight!r}"
    for field in ("filter_reads", "score_reads"):
        if (reads := getattr(plugin, field)) not in get_args(Reads):
            yield f"{field} must be one of {', '.join(get_args(Reads))}, not {reads!r}"
    whole: Any = plugin.whole_list
    if not isinstance(whole, bool):
        yield f"whole_list must be True or False, not {whole!r}"
    elif whole and plugin.score_reads != "cluster":
        yield f'score_reads must be "cluster" with whole_list, not {plugin.score_reads!r}: it follows from the list'
    if plugin.Args is not None:
        yield from _arguments(plugin.Args)


def _arguments(args: Any) -> Iterator[str]:
    if not isinstance(args, type) or not issubclass(args, msgspec.Struct):
        yield f"Args must be a msgspec.Struct, not {args!r}"
    elif required := [field.name for field in msgspec.structs.fields(args) if field.required]:
        yield f"Args.{required[0]} must have a default: a profile may enable the algorithm without arguments"


def _signature(hook: str, method: Any) -> Iterator[str]:
    expected = list(inspect.signature(getattr(Plugin, hook)).parameters)
    if not isinstance(method, FunctionType):
        yield f"{hook} must be a method"
        return
    try:
        inspect.signature(method).bind(*expected)
    except TypeError:
        given = ", ".join(inspect.signature(method).parameters)
        yield f"{hook} must take ({', '.join(expected)}), not ({given})"


def _meant(name: str) -> str:
    plain = {known.replace("_", "").lower(): known for known in _KNOWN}
    if name.replace("_", "").lower() in plain:
        return plain[name.replace("_", "").lower()]
    return next(iter(difflib.get_close_matches(name, _KNOWN, 1, _ALIKE)), "")
