"""What preemption tried for a pod that fits nowhere: candidates with their victims, and the rules that chose."""

from dashboard.build.attempt import Attempt
from dashboard.payloads.preemption import PreemptionCandidate, PreemptionView, Victim
from dashboard.payloads.refusals import Refusal
from scheduler.engine.cycle.decision import LISTED_NODES
from scheduler.engine.preemption.choice import RULES
from scheduler.engine.preemption.importance import NOW, start_us
from scheduler.engine.preemption.record import Preemption
from scheduler.engine.preemption.victims import Victims

LISTED_CANDIDATES, LISTED_VICTIMS = 20, 20


def preemption(made: Attempt) -> PreemptionView | None:
    """None where PostFilter has not run, or ended before preemption could say anything."""
    result = made.cycle.post_filter_result
    record = result.details if result is not None else None
    if not isinstance(record, Preemption):
        return None
    out_by = _out_by(record)
    best_first = sorted(record.candidates, key=lambda node: (node != record.nominated, _rank(out_by[node]), node))
    return {
        "ineligible": record.ineligible,
        "nominated": record.nominated,
        "decided_by": record.decided_by,
        "rules": [name for name, _, _ in RULES],
        "deciding": len(record.comparisons) - 1 if len(record.tied) == 1 else -1,
        "tied": len(record.tied),
        "potential": len(record.potential),
        "not_tried": len(record.potential) - len(record.candidates) - len(record.rejected),
        "candidates": [_candidate(node, record, out_by[node]) for node in best_first[:LISTED_CANDIDATES]],
        "candidate_count": len(record.candidates),
        "rejected": _rejected(record),
    }


def _out_by(record: Preemption) -> dict[str, int]:
    """Node → the rule at which it fell, -1 if it never did."""
    fell = dict.fromkeys(record.candidates, -1)
    for number, one in enumerate(record.comparisons):
        fell.update(dict.fromkeys(one.values.keys() - set(one.kept), number))
    return fell


def _rank(out_by: int) -> int:
    """Who fell at a later rule was the better candidate; who never fell comes first."""
    return -len(RULES) if out_by < 0 else -out_by


def _candidate(node: str, record: Preemption, out_by: int) -> PreemptionCandidate:
    victims = record.candidates[node]
    measures = (measure(victims) for _, measure, _ in RULES)
    return {
        "node": node,
        "measures": [None if value == NOW else value for value in measures],
        "out_by": out_by,
        "victims": _victims(victims),
        "victim_count": len(victims.pods),
    }


def _victims(victims: Victims) -> list[Victim]:
    return [
        {
            "pod": pod.key,
            "priority": pod.priority,
            "started_us": None if (started := start_us(pod)) == NOW else started,
            "breaks_budget": pod.key in victims.breaking,
        }
        for pod in victims.pods[:LISTED_VICTIMS]
    ]


def _rejected(record: Preemption) -> list[Refusal]:
    """By plugin and reasons, most frequent first; where codes differ, the first one."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for node, status in record.rejected.items():
        grouped.setdefault((status.plugin, status.message), []).append(node)
    return [
        {
            "plugin": plugin,
            "reason": reason,
            "code": record.rejected[nodes[0]].code.label,
            "count": len(nodes),
            "nodes": nodes[:LISTED_NODES],
        }
        for (plugin, reason), nodes in sorted(grouped.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
