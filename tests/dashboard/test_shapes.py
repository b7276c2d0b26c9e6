"""The check of shapes itself finds what is missing, unknown, or of another type."""

import pytest

from dashboard.payloads.board import Mark
from dashboard.payloads.queue import Card
from dashboard.payloads.refusals import Refusal
from tests.dashboard.shapes import faults

REFUSAL = {"plugin": "NodeName", "reason": "r", "code": "Unschedulable", "count": 2, "nodes": ["a"]}


def test_a_fitting_value_has_no_faults():
    assert faults(REFUSAL, Refusal) == []


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        pytest.param({**REFUSAL, "count": "2"}, "$.count: '2' is not int", id="type"),
        pytest.param({**REFUSAL, "count": True}, "$.count: True is not int", id="bool is not int"),
        pytest.param({**REFUSAL, "nodes": [1]}, "$.nodes[0]: 1 is not str", id="item"),
        pytest.param({**REFUSAL, "more": 1}, "$.more: unknown to Refusal", id="unknown"),
        pytest.param({k: v for k, v in REFUSAL.items() if k != "code"}, "$.code: missing", id="missing"),
    ],
)
def test_a_fault_is_named_with_its_path(value, fault):
    assert faults(value, Refusal) == [fault]


def test_not_required_keys_may_be_absent_but_not_of_another_type():
    card = {"key": "a/b", "priority": 0, "attempts": 0, "since_us": 0}
    assert faults(card, Card) == []
    assert faults({**card, "rank": None}, Card) == ["$.rank: None is not int"]


def test_literals_hold():
    mark = {"seq": 1, "at_us": 1, "track": "events", "sign": "odd", "title": ""}
    assert len(faults(mark, Mark)) == 1
