"""Why the pod went to its node and not to another: differences, the margin, and which weight would turn it."""

from dashboard.build.attempt import Attempt
from dashboard.build.failures import failures_of, told
from dashboard.payloads.why import Flipped, Part, Versus
from scheduler.engine.cycle.scores import Scores
from scheduler.engine.explain.flip import Flip, flips, smallest, tried
from scheduler.engine.explain.lead import rival
from scheduler.engine.explain.versus import differences
from scheduler.engine.explain.versus import told as in_words


def versus(made: Attempt, other: str = "") -> Versus | None:
    """Against `other`, or the next best where that is "". None where there is nobody to compare with.

    Raises LookupError, whose text says why, for a node that was not there.
    """
    decision, names = made.record.decision, made.feasible_names
    if decision is None or decision.outcome != "bound" or made.lost:
        return None
    there = other or _next_best(made)
    if not there or there == decision.node:
        return None
    if there not in made.cycle.snapshot.row_of:
        raise LookupError(f"There was no node `{there}` when the pod was placed.")
    scores = made.scores
    if there not in names or scores is None:
        return _not_a_choice(made, there)
    return _compared(made, scores, there)


def _next_best(made: Attempt) -> str:
    scores, names = made.scores, made.feasible_names
    if scores is None:
        return ""
    place = rival(scores)
    return names[place] if place is not None else ""


def _not_a_choice(made: Attempt, there: str) -> Versus:
    decision, row = made.record.decision, made.cycle.snapshot.row_of[there]
    assert decision is not None
    against = [told(made, row, status) for status in failures_of(made, row)]
    texts = ["; ".join([*one["reasons"], *one["missing"]]) for one in against if row in made.trace.first_failures]
    why = (
        f"`{there}` was refused: {texts[0]}."
        if texts
        else f"`{there}` was not looked at: the search had found enough nodes before it came there."
    )
    return _answer(decision.node, there, why, None, texts, [], None)


def _compared(made: Attempt, scores: Scores, there: str) -> Versus:
    decision, place = made.record.decision, made.feasible_names.index(there)
    assert decision is not None
    found = flips(made.cycle, place)
    parts = [
        _part(one.algorithm, one.weight, one.here, one.there, one.points, found.get(one.algorithm))
        for one in differences(scores, scores.winner, place)
    ]
    sentence = in_words(differences(scores, scores.winner, place), decision.node, there)
    margin = int(scores.totals[scores.winner] - scores.totals[place])
    if not margin:
        sentence += f" The draw among {len(scores.tied)} decided."
    least = smallest(found)
    return _answer(decision.node, there, sentence, margin, [], parts, _flipped(made, least, there) if least else None)


def _part(algorithm: str, weight: int, here: int, there: int, points: int, flip: Flip | None) -> Part:
    return {
        "algorithm": algorithm,
        "weight": weight,
        "here": here,
        "there": there,
        "points": points,
        "flip": flip.after if flip else None,
    }


def _flipped(made: Attempt, flip: Flip, there: str) -> Flipped:
    decision = tried(made.cycle, flip)
    return {
        "algorithm": flip.algorithm,
        "before": flip.before,
        "after": flip.after,
        "node": decision.node,
        "total": decision.total,
        "tied": decision.tied_count,
        "holds": decision.node == there,
    }


def _answer(
    here: str,
    there: str,
    sentence: str,
    margin: int | None,
    refused: list[str],
    parts: list[Part],
    flip: Flipped | None,
) -> Versus:
    return {
        "here": here,
        "there": there,
        "sentence": sentence,
        "margin": margin,
        "refused": refused,
        "parts": parts,
        "flip": flip,
    }
