"""How a subset's replicas come about: the numbers of every recording, computed again from the steps that pages show."""

import json

import pytest

from scheduler.engine.conformance.united_state import found, schedulability
from scheduler.engine.explain.operations import OPERATIONS
from scheduler.engine.explain.steps import evaluate
from scheduler.engine.explain.wording import SUMS, lines
from scheduler.engine.uniteddeployment.allocation import AllocationError
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.arithmetic import planned
from scheduler.engine.uniteddeployment.spec import decode
from tests.engine.vectors import ROOT

FILES = sorted((ROOT / "united-deployment").glob("*/*.json"))
READ = [one for one in (json.loads(file.read_text()) for file in FILES) if one["op"] == "alloc"]


def numbers(data):
    """(by subset the recorded number, the steps that lead to ours), nothing where the recording is an error."""
    ud = decode(data["united_deployment"])
    existing = {one["name"]: found(one, ud) for one in data["existing_subsets"]}
    states = {one["name"]: schedulability(one) for one in data["existing_subsets"]}
    try:
        allocation = allocate(ud, existing, states)
    except AllocationError:
        return
    steps = planned(ud, allocation, existing, states)
    for name, number in data["expected"]["next_replicas"].items():
        yield number, steps[name]


@pytest.mark.parametrize("data", READ, ids=[one["name"] for one in READ])
def test_the_steps_of_every_recorded_number_come_to_it(data):
    for number, steps in numbers(data):
        assert evaluate(steps) == number
        assert steps[-1].name == "planned"
        assert all(step.op in SUMS and step.op in OPERATIONS for step in steps)


def test_recordings_of_all_four_allocators_are_among_them():
    told = {step.note or step.op for data in READ for _, steps in numbers(data) for step in steps}
    assert {"unschedulable: ready pods stay", "its maxReplicas", "its replicas", "one_of_last"} <= told
    assert any("reserved take nothing" in one for one in told)


def test_a_percentage_and_a_cut_minimum_are_written_as_sums():
    topology = {"subsets": [{"name": "a", "minReplicas": "25%"}, {"name": "b", "minReplicas": 9}]}
    ud = decode({"metadata": {"name": "u"}, "spec": {"replicas": 10, "topology": topology}})
    allocation = allocate(ud, {}, {})
    steps = planned(ud, allocation, {}, {})
    written = [(one.name, one.text, one.answer) for one in lines(steps["a"])]
    assert written[:2] == [("least", "25 % of 10", "3"), ("pass 1", "the smaller of 3 and 10", "3")]
    assert lines(steps["b"])[-1].answer == "7"
