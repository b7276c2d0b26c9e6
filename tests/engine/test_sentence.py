"""The sentence of an attempt: what made the lead, and how near a refused pod came."""

import numpy as np
import pytest

from scheduler.engine.lead import cause, gains, runners_up
from scheduler.engine.scores import Scores


def scored(weights, **rows) -> Scores:
    """The first node is the winner; rows are normalised scores."""
    normalized = {name: np.array(row, np.int64) for name, row in rows.items()}
    totals = sum(row * weights.get(name, 1) for name, row in normalized.items())
    tied = np.flatnonzero(totals == totals.max())
    return Scores(normalized, normalized, {name: weights.get(name, 1) for name in rows}, totals, tied, 0, int(tied[0]))


def test_the_only_algorithm_that_differs_decides_whatever_its_weight():
    scores = scored({"Fit": 10}, Fit=[96, 93, 93], Taint=[100, 100, 100], Balanced=[50, 50, 50])
    assert gains(scores) == [("Fit", 30)]
    assert cause(scores) == "Fit decided"
    assert runners_up(scores).tolist() == [1, 2]


def test_an_algorithm_in_which_winner_and_runner_up_are_equal_is_not_named():
    scores = scored({"Taint": 3}, Taint=[100, 100, 0], Fit=[70, 68, 90], Balanced=[90, 84, 90])
    assert gains(scores) == [("Balanced", 6), ("Fit", 2)]
    assert cause(scores) == "mostly Balanced decided"


def test_two_equal_shares_are_both_named():
    assert cause(scored({}, A=[9, 5], B=[9, 5])) == "A and B decided"


def test_of_many_small_shares_two_are_named():
    assert cause(scored({}, A=[5, 2], B=[5, 2], C=[6, 2])) == "C, A and 1 more decided"


def test_what_the_runner_up_has_ahead_does_not_count():
    assert cause(scored({}, A=[9, 1], B=[0, 5])) == "A decided"


@pytest.mark.parametrize("third", [3, 9])
def test_tied_runners_up_are_one_group(third):
    scores = scored({}, A=[9, 5, third], B=[9, 5, 10 - third])
    expected = [("A", 4), ("B", 2)] if third == 3 else [("B", 4)]
    assert gains(scores) == expected


def test_runners_up_that_lose_differently_have_no_common_cause():
    assert cause(scored({}, A=[6, 6, 4], B=[6, 4, 6])) == "no algorithm alone is ahead of all of them"


def test_without_a_runner_up_nobody_is_ahead():
    assert gains(scored({}, A=[5, 5])) == []
