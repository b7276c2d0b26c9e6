"""Every node's answer to a waiting pod: what an attempt would find now, without being one."""

from dashboard.build.filters import first_word
from dashboard.payloads.answers import AnswerGroup, Answers
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.why import cause
from scheduler.engine.simulation.outlook import outlook
from scheduler.engine.simulation.simulation import Simulation

COUNTED_UP_TO = 600  # nodes: of more, a map shows no words, and further reasons need not be counted


def answers(simulation: Simulation, key: str) -> Answers | None:
    """To be called while the state is lent. None for a pod that does not wait. No sampling: all nodes are asked."""
    cycle = outlook(simulation, key)
    if cycle is None:
        return None
    return {
        "pod": key,
        "seq": simulation.seq,
        "node_count": len(cycle.snapshot),
        "feasible": len(cycle.feasible),
        "error": cycle.error,
        "because": "" if cycle.error or len(cycle.feasible) else cause(cycle).clause,
        "refused": [] if cycle.error else _refused(cycle),
    }


def _refused(cycle: Cycle) -> list[AnswerGroup]:
    """Nodes by the first reason that speaks against them; `more`: how many further reasons each has."""
    trace = cycle.trace
    groups: list[AnswerGroup] = []
    counted = len(cycle.snapshot) <= COUNTED_UP_TO
    for status, rows in trace.diagnosis.all_groups():
        own = len(status.reasons)
        more = [_reasons(cycle, row) - own for row in rows.tolist()] if counted else []
        groups.append(
            {
                "plugin": status.plugin,
                "word": first_word(status.plugin, status.reasons),
                "own": own,
                "reason": ", ".join(status.reasons),
                "nodes": [trace.names[row] for row in rows.tolist()],
                "more": [max(0, one) for one in more],
            }
        )
    return groups


def _reasons(cycle: Cycle, row: int) -> int:
    return sum(len(status.reasons) for status in cycle.trace.all_failures(row))
