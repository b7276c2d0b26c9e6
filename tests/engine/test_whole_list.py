"""Algorithms that score all feasible nodes at once, as the Function of v1.14 to v1.17."""

import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.cycle.prepared import ExtraScore
from scheduler.engine.framework import Plugin, faults_of
from tests.engine.builders import a_cycle, a_node, a_pod, only, raw_scores, with_algorithm
from tests.engine.contract import assert_contract
from tests.engine.list_algorithms import CpuPlace

NODES = [
    a_node("n1", cpu="2"),
    a_node("small", cpu="100m"),
    a_node("n2", cpu="8"),
    a_node("n3", cpu="4"),
    a_node("n4", cpu="4"),
]
POD = a_pod(requests={"cpu": "500m"})


@pytest.fixture
def enabled(monkeypatch):
    """Profiles may enable these algorithms."""

    def enabled(*classes):
        known = {**plugins.registry(), **{one.name: one for one in classes}}
        monkeypatch.setattr(plugins, "registry", lambda: known)

    return enabled


def recording(asked):
    class Recorder(CpuPlace):
        name = "CpuPlace"

        def score(self, cycle, nodes):
            asked.append(nodes.rows.tolist())
            return super().score(cycle, nodes)

    return Recorder


def test_it_is_asked_once_about_all_feasible_nodes_and_joins_the_sum(enabled):
    asked = []
    enabled(recording(asked))
    decision = (cycle := a_cycle(POD, *NODES, profile=with_algorithm("CpuPlace", weight=3))).run()
    plain = a_cycle(POD, *NODES).run()
    assert asked == [[0, 2, 3, 4]]
    assert raw_scores(cycle, "CpuPlace") == {"n1": 7, "n2": 10, "n3": 9, "n4": 9}
    assert (decision.node, decision.total) == ("n2", plain.total + 30)


def test_it_gives_the_same_row_with_and_without_anything_kept(enabled):
    enabled(CpuPlace)
    profile = with_algorithm("CpuPlace")
    kept, here = (a_cycle(POD, *NODES, profile=profile) for _ in range(2))
    for cycle in (kept, here):
        cycle.pre_filter()
        cycle.filter()
        cycle.pre_score()
    assert kept.run() == here.finish_here()


def test_ranges_leave_it_out(enabled):
    enabled(CpuPlace)
    cycle = a_cycle(POD, *NODES, profile=with_algorithm("CpuPlace"))
    cycle.run()
    assert "CpuPlace" in cycle.algorithms
    assert "CpuPlace" not in cycle.map(0, 2)
    assert list(cycle.map_all()) == cycle.algorithms
    assert cycle.map_whole("CpuPlace")["CpuPlace"].tolist() == [7, 10, 9, 9]


def test_it_keeps_the_contract_of_algorithms(enabled):
    enabled(CpuPlace)
    cycle = a_cycle(POD, *NODES, profile=with_algorithm("CpuPlace"))
    assert_contract(cycle, "CpuPlace")
    marks = {one.name: one.whole_list for one in cycle.trace.algorithms}
    assert [name for name, marked in marks.items() if marked] == ["CpuPlace"]


def test_the_contract_finds_a_score_that_needs_the_whole_list_and_does_not_say_so(enabled):
    enabled(type("CpuPlace", (CpuPlace,), {"name": "CpuPlace", "whole_list": False}))
    with pytest.raises(AssertionError, match="whole_list = True"):
        assert_contract(a_cycle(POD, *NODES, profile=with_algorithm("CpuPlace")), "CpuPlace")


def test_a_row_of_the_wrong_length_is_an_error_that_says_what_was_expected(enabled):
    short = {"name": "Mine", "whole_list": True, "score": lambda self, cycle, nodes: np.zeros(2, np.int64)}
    enabled(type("Mine", (Plugin,), short))
    decision = a_cycle(POD, *NODES, profile=with_algorithm("Mine")).run()
    assert decision.message == "Mine.score must return an int64 array of shape (4,), not int64 of shape (2,)"


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"whole_list": "yes"}, "whole_list must be True or False, not 'yes'"),
        ({"whole_list": True, "score_reads": "pods"}, 'score_reads must be "cluster" with whole_list'),
        ({"wholelist": True}, "is whole_list meant?"),
    ],
)
def test_a_class_that_says_it_wrong_is_told(members, words):
    assert words in "; ".join(faults_of(type("Mine", (Plugin,), {"name": "Mine", **members})))


def test_an_extra_score_is_asked_of_the_whole_list_too():
    asked = []

    def score(scoring, nodes):
        asked.append(nodes.rows.tolist())
        return nodes.rows * 0

    cycle = a_cycle(POD, *NODES, profile=only("NodeResourcesFit"), extra_scores=[ExtraScore("Rack", 1, score)])
    cycle.run()
    assert asked == [[0, 2, 3, 4]]
    assert cycle.trace.algorithms[-1].whole_list
