"""Explained arithmetic, recomputed from inputs alone, must be the scores of the real scheduler, in every layer."""

import numpy as np
import pytest

from scheduler.engine.conformance import vector_cycle
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.explain.scales import between, default_scale, fewest_first
from scheduler.engine.explain.steps import evaluate, explain_cell, explain_score
from scheduler.engine.framework import Step, default_normalize
from tests.engine.builders import a_cycle, a_node, a_pod
from tests.engine.test_cycle_vectors import VECTORS
from tests.engine.vectors import Vector

CELLS_PER_ALGORITHM = 24


@pytest.mark.parametrize("vector", [one for one in VECTORS if one.expected.get("scores")], ids=lambda one: one.name)
def test_every_cell_evaluates_to_its_recorded_layers(vector: Vector):
    cycle, _ = vector_cycle(vector.data)
    cycle.run()
    every = max(1, len(cycle.feasible) // CELLS_PER_ALGORITHM)
    for algorithm, recorded in vector.expected["scores"].items():
        for row in cycle.feasible.tolist()[::every]:
            node, layers = cycle.snapshot.names[row], explain_cell(cycle, algorithm, row)
            normalized = recorded["normalized"][node]
            assert evaluate(layers.raw) == recorded["raw"][node], algorithm
            assert evaluate(layers.normalized) == normalized, algorithm
            assert evaluate(layers.weighted) == normalized * recorded["weight"], algorithm


def test_a_wrong_step_is_found_out():
    with pytest.raises(ValueError, match="a: add"):
        evaluate([Step("a", "add", (1, 2), 4)])


def test_an_input_that_names_a_step_stands_for_its_result():
    assert evaluate([Step("a", "add", (1, 2), 3), Step("b", "multiply", ("a", "a"), 9)]) == 9


DARK = Step("dark", "equal", ((1, 2),), False)


def test_a_text_that_is_the_name_of_a_step_is_told_so():
    with pytest.raises(ValueError, match=r'"dark" is the step of that name: a text goes into a tuple, \("dark",\)'):
        evaluate([DARK, Step("value", "value", ("dark",), "dark")])
    assert evaluate([DARK, Step("value", "value", (("dark",),), ("dark",))]) == ("dark",)


def test_a_reason_may_read_like_the_name_of_a_step():
    assert evaluate(with_verdict([DARK], [("dark", "dark")])) == ("dark",)


@pytest.mark.parametrize("scores", [[0, 0], [3, 7, 0], [100, 33, 66], [5]], ids=str)
@pytest.mark.parametrize("reverse", [False, True])
def test_the_default_scale_is_that_of_default_normalize(scores, reverse):
    row = np.array(scores, np.int64)
    expected = default_normalize(row, reverse=reverse).tolist()
    assert [evaluate(default_scale(row, place, reverse=reverse)) for place in range(len(row))] == expected


def test_scales_of_a_row_whose_scores_are_all_equal():
    assert evaluate(between(np.array([4, 4], np.int64), 0)) == 0
    assert evaluate(fewest_first(0, np.array([0, 0], np.int64))) == 100
    assert evaluate(fewest_first(4, np.array([4, 4], np.int64))) == 100


def test_scales_between_the_lowest_and_the_highest():
    row = np.array([-10, 0, 5], np.int64)
    assert [evaluate(between(row, place)) for place in range(3)] == [0, 66, 100]
    counted = np.array([2, 3, 8], np.int64)
    assert [evaluate(fewest_first(raw, counted)) for raw in (2, 3, 8)] == [100, 87, 25]


def test_a_node_without_a_score_cannot_be_explained():
    cycle = a_cycle(a_pod(requests={"cpu": "5"}), a_node())
    cycle.run()
    with pytest.raises(ValueError, match="no score on row 0"):
        explain_score(cycle, "NodeResourcesFit", 0)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("total", "plus", (1, 2), 3), "total: there is no operation 'plus'; there are add, all,"),
        (Step("total", "add", (1,), 1), r"total: add does not take \(1,\)"),
        (Step("total", "add", (1, 2), 4), r"total: add\(1, 2\) is 3, not 4"),
    ],
    ids=["unknown", "inputs", "result"],
)
def test_a_step_that_cannot_be_computed_is_told(step, words):
    with pytest.raises(ValueError, match=words):
        evaluate([step])
