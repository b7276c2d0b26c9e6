"""What each hindrance says of a node, as the end of a sentence: `has a taint that it does not tolerate (…)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import waiting_for
from scheduler.engine.explain.why.claims import volumes, waiting
from scheduler.engine.explain.why.hindrances import FIT, NO_LABEL, NOMINATED, Hindrance, besides_cordon
from scheduler.engine.explain.why.room import rooms, short_name
from scheduler.engine.framework import BoolArray
from scheduler.engine.plugins.node_ports import conflicts
from scheduler.engine.topology.affinity import filtering_terms
from scheduler.engine.topology.spread import hard_spread
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS
from scheduler.engine.values.taints import first_untolerated
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

LISTED = 3
_PLAIN = {
    "NodeUnschedulable": ("is cordoned", "are cordoned"),
    "NodeName": ("is not the one that it names", "are not the one that it names"),
    "VolumeZone": ("is in another zone than its volume", "are in other zones than its volume"),
    "VolumeRestrictions": ("is where its disk is in use already", "are where its disk is in use already"),
    "NodeVolumeLimits": ("holds as many volumes as it may", "hold as many volumes as they may"),
    "NodeAffinity": ("does not match its node selector", "do not match its node selector"),
}


def predicate(cycle: Cycle, one: Hindrance, rows: BoolArray) -> str:
    """Of the nodes on `rows`, which it refuses; singular for one node."""
    many = int(rows.sum()) != 1
    if one.plugin == FIT:
        return _room(cycle, one.resource, rows)
    if one.plugin in _PLAIN:
        return _PLAIN[one.plugin][many]
    if one.plugin in _SAID:
        return _SAID[one.plugin](cycle, one, rows, many)
    return f"{'are' if many else 'is'} refused by {one.plugin}{f' ({one.reason})' if one.reason else ''}"


def _room(cycle: Cycle, resource: str, rows: BoolArray) -> str:
    many = int(rows.sum()) != 1
    verb = "have" if many else "has"
    if resource == PODS:
        return "hold as many pods as they may" if many else "holds as many pods as it may"
    room = next(one for one in rooms(cycle) if one.resource == resource)
    most = room.largest(rows)[1]
    if not most:
        offered = room.allocatable[rows].any()
        return f"{verb} no {short_name(resource)} free" if offered else f"{verb} no {short_name(resource)}"
    free, asked = format_compared(resource, most, room.asked)
    return f"{verb}{' at most' if many else ''} {free} of {asked} {short_name(resource)} free"


def _taints(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    return f"{'have' if many else 'has'} a taint that it does not tolerate ({untolerated(cycle, rows)})"


def untolerated(cycle: Cycle, rows: BoolArray) -> str:
    """The first such taint of each of these nodes, as kubectl writes it: ``k=v:NoSchedule``."""
    columns, tolerations = cycle.snapshot.columns, cycle.pod.pod.spec.tolerations or []
    sets = np.unique(columns[("taints",)][rows]).tolist()
    taints = [first_untolerated(besides_cordon(columns.taint_sets.values[number]), tolerations) for number in sets]
    return some(f"`{one.key}{f'={one.value}' if one.value else ''}:{one.effect}`" for one in taints if one is not None)


def some(texts: Iterable[str]) -> str:
    """The first three of different texts, and how many more there are."""
    different = list(dict.fromkeys(texts))
    more = len(different) - LISTED
    return listed(different) if more <= 0 else f"{', '.join(different[:LISTED])} and {more} more"


def _volumes(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    if "PersistentVolume's node affinity" in one.reason:
        return f"cannot reach {volumes(cycle)}"
    if "available persistent volumes" in one.reason:
        return f"{'have' if many else 'has'} no volume for {waiting(cycle)}"
    if "enough free storage" in one.reason:
        return f"{'have' if many else 'has'} too little storage left for {waiting(cycle)}"
    if "non-existent" in one.reason:
        return f"cannot have {volumes(cycle, gone=True)}, which does not exist"
    return f"{'are' if many else 'is'} out because of its volumes ({one.reason})"


def _ports(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    ports, taken = taken_ports(cycle, rows)
    by = f" by {some(f'`{key}`' for key in taken)}" if taken else ""
    return f"{'have' if many else 'has'} host port {listed(ports) or 'it wants'} taken{by}"


def taken_ports(cycle: Cycle, rows: BoolArray) -> tuple[list[str], list[str]]:
    """Ports of the pod that are taken on any of these nodes, and the pods that hold them."""
    ports, holders = dict[str, None](), dict[str, None]()
    for row in np.flatnonzero(rows).tolist():
        for other in cycle.snapshot.infos[row].pods:
            if clash := [port for port in cycle.pod.ports if conflicts(port, other.ports)]:
                ports.update(dict.fromkeys(str(port) for _, _, port in clash))
                holders[other.key] = None
    return list(ports), list(holders)


def _spread(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    keys = some(f"`{rule.rule.key}`" for rule in hard_spread(cycle))
    if one.reason == NO_LABEL:
        return f"{'lack' if many else 'lacks'} a label that its spread needs ({keys})"
    return f"would break its spread over {keys}"


def _pod_affinity(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    terms = filtering_terms(cycle)
    if "existing pods" in one.reason:
        return f"{'are' if many else 'is'} near a pod whose anti-affinity keeps it away"
    if "anti-affinity" in one.reason:
        meant = some(f"`{term.term.selector}`" for term in terms if term.effect == "refuses" and term.own)
        return f"{'are' if many else 'is'} near a pod that its anti-affinity avoids ({meant})"
    meant = some(f"`{term.term.selector}`" for term in terms if term.effect == "needs")
    return f"{'are' if many else 'is'} not near a pod that its affinity asks for ({meant})"


def _nominated(cycle: Cycle, one: Hindrance, rows: BoolArray, many: bool) -> str:
    names = [cycle.snapshot.names[row] for row in np.flatnonzero(rows).tolist()]
    pods = some(f"`{pod.key}`" for name in names for pod in waiting_for(cycle, name))
    return f"{'are' if many else 'is'} kept free for a pod that preemption nominated there ({pods})"


_SAID = {
    "TaintToleration": _taints,
    "VolumeBinding": _volumes,
    "NodePorts": _ports,
    "PodTopologySpread": _spread,
    "InterPodAffinity": _pod_affinity,
    NOMINATED: _nominated,
}
