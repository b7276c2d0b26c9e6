"""The page of patterns: what it is drawn from has the shapes that the pages have today."""

import pytest

from dashboard.payloads.board import BoardState
from dashboard.payloads.cycle import CycleView
from dashboard.payloads.queue import Flow, QueueRules
from dashboard.views.patterns import parts
from tests.dashboard.shapes import faults

ANEW = "run scripts/record_patterns.py: a payload has changed"
CYCLES = [(f"cycles.{name}", CycleView) for name in ("placed", "tied", "refused", "preempting")]


@pytest.mark.parametrize(("path", "shape"), [("board", BoardState), ("flow", Flow), ("rules", QueueRules), *CYCLES])
def test_the_sample_has_what_elements_are_given(path, shape):
    value = parts()["sample"]
    for name in path.split("."):
        value = value[name]
    assert faults(value, shape) == [], ANEW


def test_every_colour_and_every_sign_is_shown(client, db):
    page = client.get("/patterns/", headers={"host": "127.0.0.1"}).content.decode()
    assert 'fill="var(--accent)"' in page
    assert "#i-tick" in page
    assert len(parts()["colours"]) > 40
    assert len(parts()["icons"]) > 40
