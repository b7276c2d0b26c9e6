"""What a list of cycles says of a refusal: its reasons, those that tell pods apart first."""

from scheduler.engine.cycle.decision import Decision, Refusal, merged
from scheduler.engine.explain.refused import plain

CLOSED = frozenset({"NodeUnschedulable", "TaintToleration"})  # refuse most pods alike


def reasons(decision: Decision | None) -> list[tuple[int, str]]:
    """(nodes, words) of each reason, most nodes first; of equals what closes a node to most pods comes last."""
    refusals = merged(decision.refusals) if decision is not None else []
    return [(one.count, plain(one.reason)) for one in sorted(refusals, key=_weight)]


def bare(message: str) -> str:
    """The message of a refusal without reasons by node, less its number of nodes."""
    _, counted, rest = message.partition(" nodes are available: ")
    return rest if counted else message


def _weight(refusal: Refusal) -> tuple[int, bool]:
    return -refusal.count, refusal.plugin in CLOSED
