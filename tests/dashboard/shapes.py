"""Checks plain data against the TypedDicts of `dashboard.payloads`: every key there, none besides, each of its type."""

import types
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict


def faults(value: Any, shape: Any, path: str = "$") -> list[str]:
    """Every place where `value` is not of `shape`; [] if it fits."""
    origin, arguments = get_origin(shape), get_args(shape)
    if shape is Any:
        return []
    if is_typeddict(shape):
        return _record(value, shape, path)
    if origin in (NotRequired, Required):
        return faults(value, arguments[0], path)
    if origin is Literal:
        return [] if value in arguments else [f"{path}: {value!r} is none of {arguments}"]
    if origin in (Union, types.UnionType):
        return [] if any(not faults(value, one, path) for one in arguments) else [f"{path}: {value!r} is not {shape}"]
    if origin is list:
        if not isinstance(value, list):
            return [f"{path}: {type(value).__name__} is not a list"]
        return [fault for i, one in enumerate(value) for fault in faults(one, arguments[0], f"{path}[{i}]")]
    if origin is dict:
        return [] if isinstance(value, dict) else [f"{path}: {type(value).__name__} is not a dict"]
    if shape is float:
        return [] if type(value) in (int, float) else [f"{path}: {value!r} is not a number"]
    expected = type(None) if shape is None else shape
    return [] if type(value) is expected else [f"{path}: {value!r} is not {getattr(expected, '__name__', expected)}"]


def _record(value: Any, shape: Any, path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path}: {type(value).__name__} is not a {shape.__name__}"]
    hints = get_type_hints(shape, include_extras=True)
    found = [f"{path}.{key}: missing" for key in sorted(shape.__required_keys__ - value.keys())]
    found += [f"{path}.{key}: unknown to {shape.__name__}" for key in sorted(value.keys() - hints.keys())]
    for key in value.keys() & hints.keys():
        found += faults(value[key], hints[key], f"{path}.{key}")
    return found
