"""What a page is told of one cell and of one node: steps that add up, in words as well."""

from typing import Any

import pytest

from dashboard.build.attempt import Attempt
from dashboard.build.explain import explain_cell
from dashboard.build.explain_node import explain_node
from dashboard.build.records import CycleRecord
from dashboard.build.steps import NoSuchCell
from dashboard.payloads.explain import ExplainedCell, ExplainedNode
from scheduler.engine.cycle.phases import PHASES
from scheduler.engine.objects import decode
from tests.dashboard.shapes import faults
from tests.engine.builders import a_cycle, a_node, a_pod

SOFT = [{"key": "old", "effect": "PreferNoSchedule"}]


def attempted(pod: dict[str, Any], *others: dict[str, Any], reached: str = "Select", **options: Any) -> Attempt:
    cycle = a_cycle(pod, *others, **options)
    cycle.run()
    return Attempt(cycle, CycleRecord(1), PHASES.index(reached))


def test_a_cell_is_told_from_layer_to_layer():
    made = attempted(a_pod(), a_node("n1", taints=SOFT), a_node("n2"))
    cell = explain_cell(made, "n2", "TaintToleration")
    assert faults(cell, ExplainedCell) == []
    assert (cell["raw"], cell["normalized"], cell["weighted"]) == (0, 100, 300)
    assert cell["steps"][-1]["result"] == cell["raw"]
    assert [line["text"] for line in cell["reduce"]] == ["raw score of 2 nodes", "0 × 100 / 1", "100 − 0"]
    assert cell["reduce"][-1]["result"] == cell["normalized"]
    assert [(line["text"], line["answer"]) for line in cell["weigh"]] == [("100 × 3", "300")]


def test_what_is_not_reduced_yet_has_only_its_raw_score():
    cell = explain_cell(attempted(a_pod(), a_node("n1"), a_node("n2"), reached="Map"), "n1", "TaintToleration")
    assert (cell["normalized"], cell["reduce"], cell["weigh"]) == (None, [], [])


def test_a_node_is_told_by_every_filter():
    told = explain_node(attempted(a_pod(requests={"cpu": "5"}), a_node()), "n1")
    assert faults(told, ExplainedNode) == []
    assert told["verdict"] == "refused"
    fit = next(one for one in told["filters"] if one["plugin"] == "NodeResourcesFit")
    assert (fit["code"], fit["reasons"]) == ("UnschedulableAndUnresolvable", ["Insufficient cpu"])
    cpu = next(line for line in fit["steps"] if line["name"] == "cpu")
    assert (cpu["text"], cpu["answer"], cpu["holds"]) == ("5000m ≤ 4000m − 0m", "no", False)
    assert next(one for one in told["filters"] if one["plugin"] == "NodePorts")["code"] == "Skip"


def test_pods_that_wait_for_a_node_are_named_where_they_are_in_the_way():
    waiting = a_pod("first", nominated="n1", requests={"cpu": "3"})
    nominated = {"n1": [decode("Pod", waiting)]}
    made = attempted(a_pod(requests={"cpu": "2"}), a_node(), nominated=nominated)
    fit = next(one for one in explain_node(made, "n1")["filters"] if one["plugin"] == "NodeResourcesFit")
    assert (fit["reasons"], fit["nominated"]) == (["Insufficient cpu"], ["default/first"])


@pytest.mark.parametrize(
    ("node", "reached", "word"),
    [("nowhere", "Select", "There was no node nowhere"), ("n1", "PreFilter", "No filter has looked")],
)
def test_what_cannot_be_told_is_said(node, reached, word):
    with pytest.raises(NoSuchCell, match=word):
        explain_node(attempted(a_pod(), a_node(), reached=reached), node)
