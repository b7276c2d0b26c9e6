"""Whether a pod would go to the node that it is on, in a sentence or two. Names stand in backticks."""

from __future__ import annotations

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.refused import refused
from scheduler.engine.explain.reserved import missing
from scheduler.engine.explain.sentence import ahead, evictions, failures
from scheduler.engine.words import count


def told_anew(cycle: Cycle, here: str) -> str:
    """`cycle`: the attempt of `simulation.anew`, finished; `here`: the node that the pod is on."""
    decision = cycle.decision
    assert decision is not None, "told of an attempt that has not ended"
    if decision.outcome == "error":
        why = failures(cycle.score_errors) if cycle.score_errors else decision.message
        return f"It cannot be told: the attempt would end with an error. {why.removesuffix('.')}."
    if decision.outcome != "bound":
        return f"It would find no node. {refused(cycle)}{evictions(decision)}"
    if decision.node == here:
        return f"It would go to **`{here}`** again{_lead(cycle)}."
    return f"It would go to **`{decision.node}`**, not to `{here}`{_against(cycle, here)}"


def _lead(cycle: Cycle) -> str:
    scores, decision = cycle.scores, cycle.decision
    assert decision is not None
    if len(cycle.trace.feasible) == 1:
        return ", the only node that passes the filters"
    if scores is None or not cycle.needs_scoring:
        return ""
    if len(scores.tied) > 1:
        others = count(len(scores.tied) - 1, "other node has", "other nodes have")
        return f" with {decision.total}, by a draw: {others} the same total"
    return f" with {decision.total}{ahead(cycle.trace.feasible, scores)}"


def _against(cycle: Cycle, here: str) -> str:
    """What stands between the pod and the node that it is on."""
    names, scores, decision = cycle.trace.feasible, cycle.scores, cycle.decision
    assert decision is not None
    row = cycle.snapshot.row_of.get(here)
    if row is None:
        return ", which the cluster does not have now."
    if row in cycle.trace.first_failures:
        return f", which would refuse it: {_refusal(cycle, row)}."
    if here not in names or scores is None:
        return ", which would not be looked at: the search finds enough nodes before it comes there."
    behind = decision.total - int(scores.totals[names.index(here)])
    if not behind:
        return f": both have {decision.total}, and the draw decides."
    return f", which is {count(behind, 'point')} behind."


def _refusal(cycle: Cycle, row: int) -> str:
    status = cycle.trace.first_failures[row]
    return "; ".join([*status.reasons, *missing(cycle, row, status.plugin)])
