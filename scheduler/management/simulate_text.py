"""What `simulate` tells people: a line an attempt, then who waits and why, and what the nodes are left with."""

from collections import Counter
from typing import NamedTuple

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision, merged
from scheduler.engine.explain.report import node_sums
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.values.quantity import format_together
from scheduler.engine.words import count
from scheduler.management.simulating import Run
from scheduler.management.text import aligned, section, some

NODES_TOLD, WAITING_TOLD, VICTIMS_TOLD = 20, 50, 3
HEAD = ("pod", "attempt", "node", "total", "fits", "")


class Line(NamedTuple):
    pod: str
    attempt: str
    node: str
    total: str
    fits: str
    note: str


def line(cycle: Cycle, opened: OpenCycle) -> Line:
    """An attempt in one row."""
    decision = cycle.decision
    assert decision is not None
    fits = f"{decision.feasible:,} of {decision.node_count:,}"
    scored = str(decision.total) if cycle.needs_scoring else ""
    return Line(opened.pod.key, str(opened.attempt), decision.node or "–", scored, fits, _note(decision))


def _note(decision: Decision) -> str:
    if decision.outcome == "error":
        return decision.message
    if decision.victims:
        victims = some(decision.victims[:VICTIMS_TOLD], len(decision.victims))
        return f"evicts {victims} from {decision.nominated_node}"
    if not decision.node:
        reasons = merged(decision.refusals)
        return ", ".join(f"{one.count} {one.reason}" for one in reasons[:3]) or decision.message
    if decision.feasible == 1:
        return "the only node that fits: scoring was skipped"
    return f"one of {count(decision.tied_count, 'best node')}" if decision.tied_count > 1 else ""


def told(run: Run, lines: list[Line]) -> list[str]:
    return [
        *section("Attempts", aligned([HEAD, *lines], right=(1, 3, 4)) if lines else []),
        *_waiting(run),
        *_nodes(run),
        "",
        _summary(run),
    ]


def _summary(run: Run) -> str:
    placed = len(run.bindings)
    parts = [f"{count(len(run.keys), 'pod')} arrived", f"{placed:,} placed"]
    parts += [f"{len(run.keys) - placed:,} not placed", f"{count(len(run.popped), 'attempt')}"]
    evicted = f", {count(len(run.evicted), 'pod')} evicted" if run.evicted else ""
    return f"{', '.join(parts)}{evicted}."


def _waiting(run: Run) -> list[str]:
    rows = [(key, why) for key in run.keys if (why := _why(run, key))]
    shown = aligned(rows[:WAITING_TOLD]) if rows else []
    more = [f"  and {len(rows) - WAITING_TOLD:,} more"] if len(rows) > WAITING_TOLD else []
    return section("Not placed", shown + more)


def _why(run: Run, key: str) -> str:
    """Why a pod has no node in the end, "" if it has one."""
    pod, queued = run.simulation.pod(key), run.simulation.queued(key)
    if pod is not None and pod.node_name:
        return ""
    if pod is None:
        return "evicted"
    if pod.is_terminating:
        return "is being deleted: never tried"
    if queued is None:
        return f"not ours: no profile is named {pod.spec.scheduler_name}"
    if queued.is_gated:
        return f"gated by {queued.entry.gating_plugin}"
    return run.simulation.last_message(key) or "not tried"


def _nodes(run: Run) -> list[str]:
    placed = Counter(run.bindings.values())
    rows = [("node", "new pods", "pods", "cpu", "memory")]
    for info in run.simulation.cluster:
        if info.name in placed:
            sums = node_sums(info)
            offered, asked = sums["allocatable"], sums["requested"]
            cpu = " of ".join(format_together("cpu", asked["milli_cpu"], offered["milli_cpu"]))
            memory = " of ".join(format_together("memory", asked["memory"], offered["memory"]))
            rows.append((info.name, str(placed[info.name]), f"{sums['pods']} of {offered['pods']}", cpu, memory))
    more = [f"  and {len(rows) - 1 - NODES_TOLD:,} more"] if len(rows) - 1 > NODES_TOLD else []
    lines = aligned(rows[: 1 + NODES_TOLD], right=(1, 2, 3, 4)) + more if len(rows) > 1 else []
    return section("Nodes that took pods (requested of allocatable)", lines)
