"""The queue against the real one: every script of vectors/kube-scheduler/queue, compared after each operation."""

import pytest

from scheduler.engine.conformance import run_queue_vector
from tests.engine.vectors import Vector, params


@pytest.mark.parametrize("vector", params("queue"))
def test_queue_does_what_the_real_one_does(vector: Vector):
    steps = run_queue_vector(vector.data)["steps"]
    for number, (found, expected) in enumerate(zip(steps, vector.expected["steps"], strict=True)):
        assert found == expected, f"{vector.name} step {number}: {expected['op']}"
