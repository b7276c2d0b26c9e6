"""What a list of cycles says of a refusal: its reasons, those that tell pods apart first."""

from scheduler.engine.cycle.decision import Decision
from scheduler.engine.explain.decisive import by_weight
from scheduler.engine.explain.refused import plain


def reasons(decision: Decision | None) -> list[tuple[int, str]]:
    """(nodes, words) of each reason, the decisive one first."""
    return [(one.count, plain(one.reason)) for one in by_weight(decision.refusals if decision else ())]


def bare(message: str) -> str:
    """The message of a refusal without reasons by node, less its number of nodes."""
    _, counted, rest = message.partition(" nodes are available: ")
    return rest if counted else message
