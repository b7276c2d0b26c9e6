"""What a finished attempt came to, in one sentence of plain words. Names stand in backticks."""

from __future__ import annotations

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.score_errors import ScoreErrors
from scheduler.engine.cycle.scores import Scores
from scheduler.engine.explain.lead import cause, rival, runners_up
from scheduler.engine.explain.refused import refused
from scheduler.engine.words import count


def sentence(cycle: Cycle, went_to: str = "went to") -> str:
    """`shop/web-1` went to `node-3` with 512, 4 ahead of `node-9`; …"""
    decision = cycle.decision
    if decision is None or decision.outcome == "error":
        why = decision.message if decision else "the attempt did not end"
        why = failures(cycle.score_errors) if decision and cycle.score_errors else why
        return f"{_pod(cycle)} could not be scheduled: {_stop(why)}"
    if decision.outcome != "bound":
        return refused(cycle) + evictions(decision)
    return _bound(cycle, f"{_pod(cycle)} {went_to} `{decision.node}`", decision.total)


def failures(errors: ScoreErrors) -> str:
    """`2 scores failed (Fragile), and the reduce of Steep`: what was collected while nodes were scored."""
    scores = f"{count(errors.cell_count, 'score')} failed ({', '.join(errors.cells)})" if errors.cells else ""
    reduced = f"the reduce of {', '.join(errors.rows)}" if errors.rows else ""
    return f"{scores}, and {reduced}" if scores and reduced else scores or f"{reduced} failed"


def ahead(names: list[str], scores: Scores) -> str:
    """`, 2 ahead of `node-9``, `and 3 others with the same total`. `names`: of the feasible nodes."""
    places = runners_up(scores)
    if not len(places):
        return ""
    margin, more = int(scores.totals.max() - scores.totals[places[0]]), len(places) - 1
    others = f" and {count(more, 'other')} with the same total" if more else ""
    return f", {margin} ahead of `{names[int(places[0])]}`{others}"


def evictions(decision: Decision) -> str:
    """What preemption gets for the pod, "" if nothing."""
    if not decision.victims:
        return ""
    leave = "leaves" if len(decision.victims) == 1 else "leave"
    return f" {count(len(decision.victims), 'pod')} of lower priority {leave} `{decision.nominated_node}` for it."


def _bound(cycle: Cycle, went: str, total: int) -> str:
    scores, names = cycle.scores, cycle.trace.feasible
    if len(names) == 1:
        return f"{went}, the only node that passed the filters."
    if scores is None or not cycle.needs_scoring:
        return f"{went}."
    if len(scores.tied) > 1:
        return _drawn(names, scores, f"{went} with {total}")
    return f"{went} with {total}{ahead(names, scores)}; {cause(scores)}."


def _drawn(names: list[str], scores: Scores, went: str) -> str:
    first, more = rival(scores), len(scores.tied) - 2
    assert first is not None, "a draw without a rival"
    who = f"`{names[first]}`" + (f" and {count(more, 'other')}" if more else "")
    behind, second = "", runners_up(scores)
    if len(second):
        place = int(second[0])
        behind = f"; `{names[place]}` was {int(scores.totals.max() - scores.totals[place])} behind"
    return f"{went}, tied with {who}: the draw decided{behind}."


def _pod(cycle: Cycle) -> str:
    return f"`{cycle.pod.key}`"


def _stop(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
