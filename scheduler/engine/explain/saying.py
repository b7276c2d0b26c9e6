"""Conditions in words: what is asked of a node, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scheduler.engine.values.quantity import format_compared
from scheduler.engine.words import listed

Texts = Sequence[str]
NAMED = 6
"""Values that are spelled out; of more only the number is told."""


def _among(values: Sequence[Any]) -> str:
    more = len(values) - NAMED
    return ", ".join(map(str, values[:NAMED])) + (f" and {more} more" if more > 0 else "")


def _shown(value: object) -> str:
    return "none" if value is None else str(value) or '""'


def _selects(told: Sequence[str | None], operator: str, values: Texts) -> str:
    """`ssd in hdd, nvme`: the node's own value first."""
    (value,) = told
    has = "no such label" if value is None else value or '""'
    signs = {"in": "in", "=": "in", "==": "in", "notin": "not in", "!=": "not in", "gt": ">", "lt": "<"}
    if operator in ("in", "=", "==", "notin", "!=") and len(values) == 1:
        return f"{has} {'=' if signs[operator] == 'in' else '≠'} {values[0]}"
    if operator in signs:
        return f"{has} {signs[operator]} {_among(values)}"
    return f"{has}, must {'be there' if operator == 'exists' else 'not be there'}"


def _tolerated(taint: Texts, tolerations: Sequence[Texts]) -> str:
    return f"by {_among([_toleration(*one) for one in tolerations])}" if tolerations else "the pod tolerates nothing"


def _toleration(key: str, operator: str, value: str, effect: str) -> str:
    what = key or "any key"
    if operator != "Exists":
        what = f"{what}={value}"
    return f"{what}:{effect}" if effect else what


def _port_free(wanted: Sequence[Any], used: Sequence[Sequence[Any]]) -> str:
    taken = ["{0}:{2}/{1}".format(*one) for one in used]
    return f"in use: {_among(taken)}" if taken else "nobody has this port there"


def _disk_free(ours: Sequence[Sequence[Any]], others: Sequence[Sequence[Sequence[Any]]]) -> str:
    disks = [f"{one[0]} {one[1]}" for volume in others for one in volume]
    mine = listed([f"{one[0]} {one[1]}" for one in ours])
    return f"{mine} against {_among(disks)}" if disks else f"{mine}: no disks there"


def _volume_for(prebound: Sequence[Sequence[Any]], free: Sequence[Sequence[Any]]) -> str:
    candidates = [_candidate(*one) for one in (*prebound, *free)]
    return _among(candidates) if candidates else "no volume of its class and size"


def _candidate(name: str, is_reached: bool, is_left: bool) -> str:
    if not is_reached:
        return f"{name} (out of reach)"
    return name if is_left else f"{name} (taken)"


def _room_for(size: int, rooms: Sequence[int]) -> str:
    """Room of -1 is not known."""
    wanted, *told = format_compared("memory", size, *(room for room in rooms if room >= 0))
    return f"{wanted} within {_among(told)}" if told else f"{wanted}: no storage told of there"


def _reasons(*pairs: str) -> str:
    return ", ".join(dict.fromkeys(pairs[::2])) or "nothing is asked"


SAID: dict[str, Callable[..., str]] = {
    "equal": lambda pair: f"{_shown(pair[0])} = {_shown(pair[1])}",
    "exists": lambda told: "there is none" if told[0] is None else _shown(told[0]),
    "not": lambda name: f"not {name}",
    "all": lambda *names: " and ".join(names) or "nothing is asked",
    "any": lambda *names: " or ".join(names) or "nothing is stated",
    "provisions": lambda told: f"by {told[0]}" if told[0] else "by nobody",
    "one_of": lambda told, values: f"{_shown(told[0])} in {_among(values)}",
    "selects": _selects,
    "tolerated": _tolerated,
    "port_free": _port_free,
    "disk_free": _disk_free,
    "volume_for": _volume_for,
    "room_for": _room_for,
    "first_reason": _reasons,
    "every_reason": _reasons,
    "in_order": lambda order, *names: " and ".join(names),
}
"""By operation, from the inputs as they stand in the step: names of earlier steps stay names."""
