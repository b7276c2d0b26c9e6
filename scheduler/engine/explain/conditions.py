"""The operations of filters: yes or no from plain values, and the reasons that follow from it.

Texts of users (labels, names) come in tuples, even alone: a bare text would stand for the step of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from scheduler.engine.labels import Requirement
from scheduler.engine.objects import Taint, Toleration
from scheduler.engine.values.taints import is_tolerated

Texts: TypeAlias = Sequence[str]


def _tolerated(taint: Texts, tolerations: Iterable[Texts]) -> bool:
    """`taint`: (key, value, effect); `tolerations`: (key, operator, value, effect) each."""
    key, value, effect = taint
    stated = [Toleration(key=one[0], operator=one[1], value=one[2], effect=one[3]) for one in tolerations]
    return is_tolerated(Taint(key=key, value=value, effect=effect), stated)


def _selects(told: Sequence[str | None], operator: str, values: Texts) -> bool:
    """`told`: the value of a label, None where the node lacks it."""
    (value,) = told
    return Requirement("label", operator, tuple(values)).matches({} if value is None else {"label": value})


def _is_free(wanted: Sequence[Any], used: Iterable[Sequence[Any]]) -> bool:
    """(address, protocol, port) each; 0.0.0.0 is every address."""
    address, protocol, port = wanted
    taken = [one[0] for one in used if (one[1], one[2]) == (protocol, port)]
    return not any(address == one or "0.0.0.0" in (address, one) for one in taken)


def _is_shared(ours: Iterable[Sequence[Any]], theirs: Iterable[Sequence[Any]]) -> bool:
    """Whether two volumes are one disk: the first kind of disk that both state decides.

    A disk: (kind, what identifies it, its servers, whether it is only read); disks that both only read do no harm.
    """
    for kind, identity, servers, is_read in ours:
        for other in theirs:
            if other[0] == kind:
                same_server = kind != "RBD" or bool(set(servers) & set(other[2]))
                return identity == other[1] and same_server and not (is_read and other[3])
    return False


def _volume_for(prebound: Iterable[Sequence[Any]], free: Iterable[Sequence[Any]]) -> str | None:
    """The volume that a claim takes on a node. A volume: (name, reached from the node, not taken by another claim).

    The first that was made for this very claim and is not taken decides; else the first free one that is reached.
    """
    for name, is_reached, is_left in prebound:
        if is_left:
            return str(name) if is_reached else None
    return next((str(name) for name, is_reached, is_left in free if is_reached and is_left), None)


def _failed(pairs: Sequence[Any]) -> Iterable[str]:
    """Reasons of what does not hold, from a flat list: condition, reason, condition, reason, …"""
    return (reason for holds, reason in zip(pairs[::2], pairs[1::2], strict=True) if not holds)


CONDITIONS: dict[str, Callable[..., Any]] = {
    "fits": lambda asked, allocatable, requested: asked <= allocatable - requested,
    "attachable": lambda new, limit, held: new + held <= limit,
    "within_skew": lambda pods, itself, least, max_skew: pods + itself - least <= max_skew,
    "equal": lambda pair: pair[0] == pair[1],
    "at_most": lambda value, limit: value <= limit,
    "at_least": lambda value, limit: value >= limit,
    "exists": lambda told: told[0] is not None,
    "none": lambda count: count <= 0,
    "some": lambda count: count > 0,
    "not": lambda holds: not holds,
    "all": lambda *holds: all(holds),
    "any": lambda *holds: any(holds),
    "provisions": lambda told: told[0] not in ("", "kubernetes.io/no-provisioner"),
    "one_of": lambda told, values: told[0] in values,
    "selects": _selects,
    "tolerated": _tolerated,
    "port_free": _is_free,
    "disk_free": lambda ours, others: not any(_is_shared(ours, theirs) for theirs in others),
    "volume_for": _volume_for,
    "room_for": lambda size, rooms: any(room >= size for room in rooms),
    "first_reason": lambda *pairs: tuple(_failed(pairs))[:1],
    "every_reason": lambda *pairs: tuple(_failed(pairs)),
    "in_order": lambda order, *found: tuple(one for one in order if any(one in part for part in found)),
}
