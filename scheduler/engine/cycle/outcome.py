"""How an attempt ends: the decision of a pod that found a node, found none, or met an internal error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.cycle.decision import LISTED_TIES, ClaimBinding, Decision
from scheduler.engine.cycle.diagnosis import Diagnosis, diagnose
from scheduler.engine.cycle.fit_error import fit_error

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NO_NODES = "no nodes available to schedule pods"


def bound(cycle: Cycle) -> Decision:
    """The pod goes to the drawn node. Refusals are left out: most pods are bound, and a trace recomputes them."""
    scores = cycle.scores
    assert scores is not None
    rows, names = cycle.feasible, cycle.snapshot.names
    refused = (
        len(cycle.found.visited) - len(rows) if cycle.own_nomination is None else diagnose(cycle).evaluated - len(rows)
    )
    return Decision(
        outcome="bound",
        node=names[int(rows[scores.winner])],
        total=int(scores.totals[scores.winner]),
        tied=tuple(names[row] for row in rows[scores.tied[:LISTED_TIES]].tolist()),
        tied_count=len(scores.tied),
        drawn=scores.drawn,
        feasible=len(rows),
        evaluated=len(rows) + refused,
        node_count=len(cycle.snapshot),
        next_start_index=cycle.next_start_index,
        volumes=reserved(cycle, int(rows[scores.winner])),
    )


def reserved(cycle: Cycle, row: int) -> tuple[ClaimBinding, ...]:
    """What Reserve promises the pod on the node of a row; only algorithms that looked at the pod are asked."""
    return tuple(
        one for plugin in cycle.at("reserve") if plugin.name in cycle.state for one in plugin.reserve(cycle, row)
    )


def refused(cycle: Cycle) -> Decision:
    """No node fits. PostFilter has had its say."""
    diagnosis, post_filter = diagnose(cycle), cycle.post_filter_result
    return Decision(
        outcome="unschedulable",
        evaluated=diagnosis.evaluated,
        node_count=len(cycle.snapshot),
        message=refusal_message(cycle, diagnosis),
        refusals=diagnosis.refusals(cycle.snapshot.names),
        unschedulable_plugins=diagnosis.unschedulable_plugins,
        pending_plugins=diagnosis.pending_plugins,
        next_start_index=cycle.next_start_index,
        nominated_node=post_filter.nominated_node if post_filter else None,
        victims=tuple(victim.key for victim in post_filter.victims) if post_filter else (),
    )


def refusal_message(cycle: Cycle, diagnosis: Diagnosis, *, post_filter: bool = True) -> str:
    """The FitError's text; `post_filter` appends what PostFilter said."""
    result = cycle.post_filter_result
    said = result.status.message if post_filter and result else ""
    return fit_error(len(cycle.snapshot), diagnosis.reasons(), diagnosis.pre_filter_message, said)


def failed(cycle: Cycle) -> Decision:
    """An internal error: the pod is retried after its error backoff; a nomination of it is cleared."""
    return Decision(
        outcome="error",
        feasible=len(cycle.found.feasible),
        evaluated=diagnose(cycle).evaluated,
        node_count=len(cycle.snapshot),
        message=cycle.error,
        next_start_index=cycle.next_start_index,
        nominated_node="",
    )


def no_nodes(cycle: Cycle) -> Decision:
    """An empty cluster: refused without a plugin to blame, so the queue treats it as an error."""
    return Decision(
        outcome="unschedulable", message=NO_NODES, next_start_index=cycle.next_start_index, nominated_node=""
    )
