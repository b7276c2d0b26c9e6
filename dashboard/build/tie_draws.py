"""What the draw among ties would have taken with other seeds. The scores are the same, and nothing is written."""

from copy import copy

from dashboard.build.attempt import Attempt
from dashboard.payloads.cycle import OtherDraw
from scheduler.engine.cycle.scores import choose

SEEDS = 10


def tie_draws(made: Attempt) -> list[OtherDraw]:
    """With each of the ten seeds after the cluster's own; [] where nothing was drawn."""
    scores = made.scores
    if scores is None or len(scores.tied) < 2 or not made.shows("Select"):
        return []
    drawn: list[OtherDraw] = []
    for seed in range(made.cycle.seed + 1, made.cycle.seed + 1 + SEEDS):
        other = copy(made.cycle)
        other.seed = seed
        found = choose(other, scores.raw, scores.normalized, scores.weights, scores.totals)
        drawn.append({"seed": seed, "lot": found.drawn, "node": made.feasible_names[found.winner]})
    return drawn
