"""Rows of the score matrix: ranks, ties, and a tail that is binned."""

import numpy as np
import pytest

from dashboard.build.scores import SINGLE_ROWS, TOP_ROWS, Scores, found_rows, score_rows
from dashboard.payloads.cycle import ScoreRows
from tests.dashboard.shapes import faults


def made(totals=None, raw=None, winner=None):
    count = len(totals if totals is not None else raw)
    names = [f"n{i}" for i in range(count)]
    raw = np.arange(count) if raw is None else np.array(raw)
    totals = None if totals is None else np.array(totals)
    return Scores(names, [""] * count, [raw, None], [raw, None], [raw * 2, None], totals, winner)


def test_best_comes_first_and_ties_share_a_rank():
    rows = score_rows(made([5, 9, 7, 9]))
    assert rows["names"] == ["n1", "n3", "n2", "n0"]
    assert rows["rank"] == [1, 1, 3, 4]
    assert rows["totals"] == [9, 9, 7, 5]
    assert rows["raw"] == [[1, 3, 2, 0], None]
    assert faults(rows, ScoreRows) == []


def test_the_winner_stands_before_those_it_is_tied_with():
    assert score_rows(made([9, 9, 9], winner=2))["names"] == ["n2", "n0", "n1"]


def test_before_totals_exist_rows_keep_the_order_found():
    rows = score_rows(made(raw=[3, 1, 2]))
    assert rows["names"] == ["n0", "n1", "n2"]
    assert rows["totals"] is None
    assert rows["rank"] is None


@pytest.mark.parametrize("count", [0, 1, SINGLE_ROWS])
def test_up_to_the_limit_every_node_has_its_row(count):
    rows = score_rows(made(list(range(count))))
    assert rows["bins"] == [1] * count
    assert len(rows["names"]) == len(rows["rank"]) == count


def test_above_it_the_top_stays_single_and_no_node_is_lost():
    count = 5000
    rows = score_rows(made(list(range(count))))
    assert len(rows["names"]) == SINGLE_ROWS
    assert sum(rows["bins"]) == count
    assert rows["bins"][:TOP_ROWS] == [1] * TOP_ROWS
    assert min(rows["bins"][TOP_ROWS:]) > 1
    assert rows["names"][TOP_ROWS] == f"51–{50 + rows['bins'][TOP_ROWS]}"
    # totals are 4999, 4998, … so a bin's mean lies in its middle
    first, size = TOP_ROWS, rows["bins"][TOP_ROWS]
    assert rows["totals"][TOP_ROWS] == round(count - 1 - first - (size - 1) / 2)
    assert rows["rank"][TOP_ROWS] == TOP_ROWS + 1


def test_one_node_above_the_limit_makes_rows_of_one_and_two():
    rows = score_rows(made(list(range(SINGLE_ROWS + 1))))
    assert sum(rows["bins"]) == SINGLE_ROWS + 1
    assert set(rows["bins"]) == {1, 2}
    assert all(("–" in name) == (size > 1) for name, size in zip(rows["names"], rows["bins"], strict=True))
    assert faults(rows, ScoreRows) == []


def test_a_node_of_a_bin_is_found_by_its_name_with_its_own_scores_and_its_rank_among_all():
    many = made(totals=list(range(2000)))
    rows = found_rows(many, "N70", 5)
    assert rows["names"] == ["n709", "n708", "n707", "n706", "n705"]
    assert rows["totals"] == [709, 708, 707, 706, 705]
    assert rows["rank"] == [1291, 1292, 1293, 1294, 1295]
    assert rows["weighted"] == [[1418, 1416, 1414, 1412, 1410], None]
    assert set(rows["bins"]) == {1}
    assert faults(rows, ScoreRows) == []
    assert found_rows(many, "nobody", 5)["names"] == []
