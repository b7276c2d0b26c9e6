"""Whole attempts against recordings of the real scheduler: every field of every outcome."""

import pytest

from scheduler.engine.conformance import run_cycle_vector
from tests.engine.vectors import Vector, load

KINDS = ("cycle", "large", "preemption", "volume")
VECTORS = [vector for kind in KINDS for vector in load(kind)]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_an_attempt_ends_as_the_real_scheduler_s_does(vector: Vector):
    expected = {key: value for key, value in vector.expected.items() if key != "api_validation_errors"}
    assert run_cycle_vector(vector.data) == expected


def test_all_vectors_are_run():
    assert len(VECTORS) >= 580
