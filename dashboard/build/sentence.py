"""What a cycle came to, or how far it has come, in one sentence of plain words. Names stand in backticks."""

from dashboard.build.attempt import Attempt
from scheduler.engine.explain import sentence as finished
from scheduler.engine.explain.refused import refused
from scheduler.engine.words import count


def sentence(made: Attempt) -> str:
    pod, decision = f"`{made.record.pod}`", made.record.decision
    if decision is not None and made.lost:
        went = f"{pod} went to `{decision.node}` with {decision.total}" if decision.node else f"{pod} found no node"
        return f"{went}. How it came to that cannot be computed any more. {made.lost}"
    if not made.is_open:
        return finished.sentence(made.cycle)
    if not made.shows("Filter"):
        return f"{pod} is being placed."
    feasible, nodes = len(made.cycle.feasible), len(made.cycle.snapshot)
    if not feasible:
        return refused(made.cycle)
    scores = made.scores
    if scores is None:
        return f"{pod} is being placed: {feasible} of {count(nodes, 'node')} passed the filters."
    if made.shows("Select"):
        return _selected(made, pod)
    if len(scores.tied) > 1:
        return f"{pod} is being placed: {count(len(scores.tied), 'node')} lead with {int(scores.totals.max())}."
    lead = made.feasible_names[int(scores.tied[0])]
    ahead = finished.ahead(made.feasible_names, scores)
    return f"{pod} is being placed: `{lead}` leads with {int(scores.totals.max())}{ahead}."


def _selected(made: Attempt, pod: str) -> str:
    scores = made.scores
    assert scores is not None
    chosen, total = made.feasible_names[scores.winner], int(scores.totals.max())
    if len(scores.tied) > 1:
        return f"{pod} goes to `{chosen}`: the draw took it among {count(len(scores.tied), 'node')} that share {total}."
    return f"{pod} goes to `{chosen}` with {total}{finished.ahead(made.feasible_names, scores)}."
