"""What a cycle came to, in one sentence of plain words. Names stand in backticks."""

import numpy as np

from dashboard.build.attempt import Attempt
from dashboard.build.filters import refusals
from dashboard.build.podium import deciders
from dashboard.text import count, listed
from scheduler.engine.scores import Scores


def sentence(made: Attempt) -> str:
    pod = f"`{made.record.pod}`"
    if made.is_open:
        return _open(made, pod)
    decision = made.cycle.decision
    if decision is None or decision.outcome == "error":
        return f"{pod} could not be scheduled: {_stop(decision.message if decision else 'the attempt did not end')}"
    if decision.outcome == "bound":
        return _bound(made, pod)
    return _refused(made, pod)


def _open(made: Attempt, pod: str) -> str:
    if not made.shows("Filter"):
        return f"{pod} is being placed."
    feasible, nodes = len(made.cycle.feasible), len(made.cycle.snapshot)
    if not feasible:
        return _refused(made, pod)
    scores = made.scores
    if scores is None:
        passed = f"{feasible} of {count(nodes, 'node')} passed the filters"
        return f"{pod} is being placed: {passed}."
    if len(scores.tied) > 1:
        return f"{pod} is being placed: {count(len(scores.tied), 'node')} lead with {int(scores.totals.max())}."
    lead = made.feasible_names[int(scores.tied[0])]
    return f"{pod} is being placed: `{lead}` leads with {int(scores.totals.max())}{_ahead(made, scores)}."


def _bound(made: Attempt, pod: str) -> str:
    scores, decision = made.scores, made.cycle.decision
    assert decision is not None
    went = f"{pod} went to `{decision.node}`"
    if len(made.cycle.feasible) == 1:
        return f"{went}, the only node that passed the filters."
    if scores is None:
        return f"{went}."
    if len(scores.tied) > 1:
        return _drawn(made, scores, f"{went} with {decision.total}")
    return f"{went} with {decision.total}{_ahead(made, scores)}; {_cause(scores)}."


def _ahead(made: Attempt, scores: Scores) -> str:
    """`, 2 ahead of `node-9``: the runner-up, or how many share that place."""
    rest = scores.totals[scores.totals < scores.totals.max()]
    if not len(rest):
        return ""
    second = int(rest.max())
    places = np.flatnonzero(scores.totals == second)
    margin = int(scores.totals.max()) - second
    who = f"`{made.feasible_names[int(places[0])]}`" if len(places) == 1 else count(len(places), "node")
    return f", {margin} ahead of {who}"


def _cause(scores: Scores) -> str:
    names = deciders(scores)
    if not names:
        return "no algorithm alone decided"
    if len(names) <= 2:
        return f"{listed(names)} decided"
    return f"{names[0]}, {names[1]} and {len(names) - 2} more decided"


def _drawn(made: Attempt, scores: Scores, went: str) -> str:
    others = [place for place in scores.tied.tolist() if place != scores.winner]
    who = f"`{made.feasible_names[others[0]]}`" if len(others) == 1 else f"{len(others)} others"
    rest = scores.totals[scores.totals < scores.totals.max()]
    behind = ""
    if len(rest):
        place = int(np.flatnonzero(scores.totals == rest.max())[0])
        behind = f"; `{made.feasible_names[place]}` was {int(scores.totals.max() - rest.max())} behind"
    return f"{went}, tied with {who}: the draw decided{behind}."


def _refused(made: Attempt, pod: str) -> str:
    nodes = len(made.cycle.snapshot)
    if not nodes:
        return f"{pod} waits: the cluster has no nodes."
    if message := made.trace.diagnosis.pre_filter_message:
        return f"{pod} was refused before any node was looked at: {_stop(message)}"
    told = refusals(made)
    if len(told) == 1 or told[0]["count"] == nodes:
        return f"{pod} fits on none of {count(nodes, 'node')}: {_reason(told[0]['reason'])} on every one."
    parts = [f"{_reason(one['reason'])} on {one['count']}" for one in told[:2]]
    more = f", and {count(len(told) - 2, 'more reason')}" if len(told) > 2 else ""
    return f"{pod} fits on none of {count(nodes, 'node')}: {', '.join(parts)}{more}."


def _reason(reason: str) -> str:
    """The scheduler's words inside a sentence: `insufficient cpu`, `untolerated taint {dedicated: ml}`."""
    told = reason.removeprefix("node(s) had ").removeprefix("node(s) ").removeprefix("were ")
    return told[:1].lower() + told[1:]


def _stop(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
