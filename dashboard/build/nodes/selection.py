"""The search box of the nodes: names, `-l pool=spot`, `zone=zone-a`, `taint:spot`, `cordoned`, `cpu>80%`, `over`."""

import operator
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dashboard.build.nodes.fleet import STATES, Fleet
from dashboard.build.nodes.keys import resolved
from scheduler.engine.errors import Invalid
from scheduler.engine.values import quantity
from scheduler.engine.values.requests import CPU

Mask = NDArray[np.bool_]
_STATE_WORDS = {"ready": "ready", "cordoned": "cordoned", "schedulingdisabled": "cordoned"}
_COMPARE: dict[str, Callable[..., Mask]] = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_OPTION = re.compile(r"(?<!\S)(-l|--selector)[ =]+")
_FIGURE = re.compile(r"(free\.)?([\w./-]+?)(>=|<=|>|<)(\S+)")
_SHORT = ("no", "node", "nodes")


class Selected(NamedTuple):
    """`faults`: what of the text could not be understood; it narrows nothing."""

    mask: Mask
    faults: list[str]


def selected(fleet: Fleet, text: str) -> Selected:
    """The nodes for which every word of `text` holds."""
    mask, faults = np.ones(len(fleet), np.bool_), []
    for word in _OPTION.sub("-l=", text).split():
        try:
            mask &= _one(fleet, word)
        except Invalid as fault:
            faults.append(f"{word}: {fault.message}")
    return Selected(mask, faults)


def _one(fleet: Fleet, word: str) -> Mask:
    lower = word.lower()
    if word.startswith("-l="):
        return _selector(fleet, word[3:])
    if lower.startswith("taint:"):
        return _taint(fleet, word[6:])
    if lower == "notready":
        return fleet.unready
    if lower in _STATE_WORDS:
        return np.asarray(fleet.states == STATES.index(_STATE_WORDS[lower]))
    if lower == "over":
        return fleet.over
    if figure := _FIGURE.fullmatch(word):
        return _figure(fleet, *figure.groups())
    if "=" in word:
        return _selector(fleet, word)
    kind, slash, rest = word.partition("/")
    if slash and kind.lower() in _SHORT:
        return np.array([name.startswith(rest) for name in fleet.names], np.bool_)
    return np.array([lower in name for name in fleet.names], np.bool_)


def _selector(fleet: Fleet, text: str) -> Mask:
    """`k=v`, `k==v`, `k!=v`, `k`, `!k`, joined by commas; a key may be an alias."""
    mask = np.ones(len(fleet), np.bool_)
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        negated = key.endswith("!") or key.startswith("!")
        name = key.strip("!")
        if not name:
            raise Invalid("a label has a key")
        found = resolved(fleet.rows, name)
        if found is None:
            if equals and not negated:
                raise Invalid("no node has this label")
            mask &= negated
            continue
        wanted = value.removeprefix("=")
        has = [
            node is not None and found.key in node.labels and (not equals or node.labels[found.key] == wanted)
            for node in fleet.rows.objects
        ]
        mask &= np.array(has, np.bool_) != negated
    return mask


def _taint(fleet: Fleet, text: str) -> Mask:
    """`none`, or the beginning of `key=value:Effect` up to one of its separators; `:Effect` for an effect alone."""
    rows = fleet.rows.facts
    if text.lower() == "none":
        return np.array([not one.taints for one in rows], np.bool_)
    holds = re.compile(rf"(.*)?{re.escape(text)}" if text.startswith(":") else rf"{re.escape(text)}(?:[=:].*)?", re.S)
    return np.array([any(holds.fullmatch(taint) for taint in one.taints) for one in rows], np.bool_)


def _figure(fleet: Fleet, free: str | None, name: str, sign: str, text: str) -> Mask:
    resource = next((one for one in fleet.resources if name in (one, one.rpartition("/")[2])), None)
    if resource is None:
        raise Invalid(f"no node offers {name}")
    compare = _COMPARE[sign]
    if text.endswith("%"):
        return _share(fleet, free, resource, compare, text)
    column = fleet.free(resource) if free else fleet.used.requested[resource]
    return compare(column, quantity.milli_value(text) if resource == CPU else quantity.value(text))


def _share(fleet: Fleet, free: str | None, resource: str, compare: Callable[..., Mask], text: str) -> Mask:
    try:
        wanted = float(text[:-1]) / 100
    except ValueError:
        raise Invalid("a percentage is a number, as in 80%") from None
    share = fleet.used.share(resource)
    return compare(1 - share if free else share, wanted)
