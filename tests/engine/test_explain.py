"""Explained arithmetic, recomputed from inputs alone, must be the score that the columns gave."""

import pytest

from scheduler.engine.conformance import gate, vector_cycle
from scheduler.engine.explain.steps import evaluate, explain_filters, explain_score
from scheduler.engine.framework import Code, Step
from tests.engine.builders import a_cycle, a_node, a_pod
from tests.engine.test_cycle_vectors import VECTORS
from tests.engine.vectors import Vector

CELLS_PER_ALGORITHM = 12


@pytest.mark.parametrize("vector", [one for one in VECTORS if one.expected.get("scores")], ids=lambda one: one.name)
def test_every_cell_evaluates_to_its_raw_score(vector: Vector):
    cycle, _ = vector_cycle(vector.data)
    assert gate(cycle.profile, cycle.pod) is None
    cycle.run()
    scores = cycle.trace.scores
    assert scores is not None
    for algorithm, raw in scores.raw.items():
        for place, row in enumerate(cycle.feasible.tolist()[:CELLS_PER_ALGORITHM]):
            assert evaluate(explain_score(cycle, algorithm, row)) == raw[place], algorithm


@pytest.mark.parametrize("vector", VECTORS[::3], ids=lambda one: one.name)
def test_comparisons_that_are_explained_decide_as_the_filter_does(vector: Vector):
    cycle, _ = vector_cycle(vector.data)
    cycle.run()
    if cycle.filtered is None:
        pytest.skip("PreFilter refused the pod")
    for row in range(min(len(cycle.snapshot), CELLS_PER_ALGORITHM)):
        for name, status, steps in explain_filters(cycle, row):
            if steps and name in ("NodeResourcesFit", "PodTopologySpread"):
                assert all(evaluate([step]) for step in steps) is status.is_success, (name, row)


def test_a_wrong_step_is_found_out():
    with pytest.raises(ValueError, match="a: add"):
        evaluate([Step("a", "add", (1, 2), 4)])


def test_an_input_that_names_a_step_stands_for_its_result():
    assert evaluate([Step("a", "add", (1, 2), 3), Step("b", "multiply", ("a", "a"), 9)]) == 9


def test_filters_are_explained_by_their_comparisons():
    cycle = a_cycle(a_pod(requests={"cpu": "5"}), a_node())
    cycle.run()
    by_name = {name: (status, steps) for name, status, steps in explain_filters(cycle, 0)}
    status, steps = by_name["NodeResourcesFit"]
    assert status.reasons == ("Insufficient cpu",)
    assert steps == [Step("pods", "fits", (1, 110, 0), True), Step("cpu", "fits", (5000, 4000, 0), False)]
    assert [evaluate([step]) for step in steps] == [True, False]
    assert by_name["NodePorts"][0].code is Code.SKIP


def test_a_node_without_a_score_cannot_be_explained():
    cycle = a_cycle(a_pod(requests={"cpu": "5"}), a_node())
    cycle.run()
    with pytest.raises(ValueError, match="no score on row 0"):
        explain_score(cycle, "NodeResourcesFit", 0)
