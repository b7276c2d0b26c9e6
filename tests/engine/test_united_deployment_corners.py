"""Corners of the UnitedDeployment controller that no recording reaches: inputs of our own, answers of the real code."""

import json
from pathlib import Path

import pytest

from scheduler.engine.conformance import comparable, run_united_deployment_vector
from scheduler.management.conformance.compare import first_difference

CORNERS = json.loads((Path(__file__).parents[1] / "data" / "united_deployment_corners.json").read_text())


@pytest.mark.parametrize("data", CORNERS, ids=[one["name"] for one in CORNERS])
def test_a_corner_is_answered_as_the_real_controller_does(data):
    assert first_difference(comparable(data), run_united_deployment_vector(data)) == ""
