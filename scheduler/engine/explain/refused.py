"""Why a pod fits on no node, in one sentence: the nodes that came closest first, then all other reasons with counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.fit_error import histogram
from scheduler.engine.explain.closest import Closest, closest
from scheduler.engine.explain.reserved import kept_for
from scheduler.engine.explain.shortage import told
from scheduler.engine.explain.why.words import some
from scheduler.engine.plugins.node_ports import conflicts
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NAMED_NODES = 3
NAMED_REASONS = 4


def refused(cycle: Cycle) -> str:
    """`shop/web` fits on none of 60 nodes. `a` and `b` come closest: …; the other 58 are out by …"""
    pod, nodes = f"`{cycle.pod.key}`", len(cycle.snapshot)
    if not nodes:
        return f"{pod} waits: the cluster has no nodes."
    if message := cycle.trace.diagnosis.pre_filter_message:
        return f"{pod} was refused before any node was looked at: {message.removesuffix('.')}."
    where = f"fits on none of {count(nodes, 'node')}" if nodes > 1 else "does not fit on the only node"
    return f"{pod} {where}{_why(cycle, nodes)}."


def _why(cycle: Cycle, nodes: int) -> str:
    reasons, near = cycle.trace.diagnosis.reasons(), closest(cycle)
    if near is None:
        return f": {'they are' if nodes > 1 else 'it is'} out by {_others(reasons)}"
    if nodes == 1:
        return f": {_cause(cycle, near, by='out by ')}"
    if len(near.rows) == nodes:
        return f": {_cause(cycle, near, 'each')}{'' if near.short else ' on every one'}"
    if len(reasons) == 1 and next(iter(reasons.values())) == nodes:
        (reason,) = reasons
        near = replace(near, reasons=tuple(one for one in near.reasons if one[1] != reason))
        if near.short or near.reasons:
            return f": {plain(reason)} on every one. {_lead(cycle, near)}: {_cause(cycle, near, by='out by ')}"
        return f": {short(reason)} on every one"
    others = nodes - len(near.rows)
    rest = f"the other {'is' if others == 1 else f'{others:,} are'} out by {_others(_rest(cycle, near))}"
    return f". {_lead(cycle, near)}: {_cause(cycle, near, by='out by ')}; {rest}"


def _lead(cycle: Cycle, near: Closest) -> str:
    if len(near.rows) > NAMED_NODES:
        return count(len(near.rows), "node comes closest", "nodes come closest")
    names = listed([f"`{cycle.snapshot.names[row]}`" for row in near.rows.tolist()])
    return f"{names} {'comes' if len(near.rows) == 1 else 'come'} closest"


def _cause(cycle: Cycle, near: Closest, who: str = "", by: str = "") -> str:
    """As a clause; `by` stands before what is only the name of a hindrance."""
    ports = _ports_taken(cycle, near) if any(plugin == "NodePorts" for plugin, _ in near.reasons) else []
    names = [short(reason) for plugin, reason in near.reasons if plugin != "NodePorts" or not ports]
    parts = [by + listed(names)] if names else []
    if ports:
        parts.append(f"host port {listed(ports)} {'is' if len(ports) == 1 else 'are'} taken")
    if keepers := kept_for(cycle).get(int(near.rows[0])):
        it = who or ("it" if len(near.rows) == 1 else "each")
        parts.append(f"{it} is kept free for {some(f'`{key}`' for key in keepers)}, nominated there by preemption")
    if near.short:
        parts.append(told(near.short, f"{who or ('it' if len(near.rows) == 1 else 'each')} has"))
    return ", and ".join(parts)


def _ports_taken(cycle: Cycle, near: Closest) -> list[str]:
    """Ports of the pod that are taken on every one of these nodes."""
    used = [cycle.snapshot.infos[row].ports for row in near.rows.tolist()]
    taken = [wanted for wanted in cycle.pod.ports if all(conflicts(wanted, ports) for ports in used)]
    return list(dict.fromkeys(str(port) for _, _, port in taken))


def _rest(cycle: Cycle, near: Closest) -> dict[str, int]:
    """Nodes by reason, the closest left out."""
    groups = cycle.trace.diagnosis.all_groups()
    return histogram((one.reasons, int((~np.isin(rows, near.rows)).sum())) for one, rows in groups)


def _others(reasons: dict[str, int]) -> str:
    """`node affinity/selector (51), unschedulable (1)`: most frequent first."""
    order = sorted((one for one in reasons.items() if one[1]), key=lambda one: (-one[1], one[0]))
    parts = [f"{short(reason)} ({nodes:,})" for reason, nodes in order[:NAMED_REASONS]]
    more = len(order) - NAMED_REASONS
    return ", ".join(parts) + (f" and {count(more, 'more reason')}" if more > 0 else "")


def plain(reason: str) -> str:
    """The scheduler's words inside a sentence: `insufficient cpu`, `untolerated taint {dedicated: ml}`."""
    told = reason.removeprefix("node(s) had ").removeprefix("node(s) ").removeprefix("were ")
    return told[:1].lower() + told[1:]


def short(reason: str) -> str:
    """As the name of a hindrance: `node affinity/selector`."""
    words = plain(reason)
    for start in ("didn't match Pod's ", "didn't match ", "didn't satisfy "):
        words = words.removeprefix(start)
    return words
