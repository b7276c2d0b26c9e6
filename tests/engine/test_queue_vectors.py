"""The queue against the real one: every script of vectors/kube-scheduler/queue, compared after each operation."""

import pytest

from tests.engine.queue_script import Script
from tests.engine.vectors import Vector, params


@pytest.mark.parametrize("vector", params("queue"))
def test_queue_does_what_the_real_one_does(vector: Vector):
    script = Script(vector)
    for number, (operation, expected) in enumerate(zip(vector.data["ops"], vector.expected["steps"], strict=True)):
        result = script.run(operation)
        place = f"{vector.name} step {number}: {operation['op']}"
        if "result" in expected:
            assert result == expected["result"], place
        if "active" in expected:
            found = script.state()
            assert found == {name: expected[name] for name in found}, place
