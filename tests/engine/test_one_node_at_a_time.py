"""Algorithms that look at one node at a time, and what of the cluster goes to a worker with them."""

import pickle

import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import SUCCESS, Plugin
from tests.engine.builders import a_cycle, a_node, a_pod, only

NODES = [a_node(f"n{number}", labels={"loudness": str(number)}, cpu=str(number + 1)) for number in range(4)]


class Quiet(Plugin):
    """Python for each node, from its object."""

    name = "Quiet"

    def score(self, cycle, nodes):
        return np.array([10 - int(node.labels["loudness"]) for node in nodes.objects], np.int64)


class ByState(Plugin):
    """From what PreScore kept."""

    name = "ByState"
    kept = staticmethod(lambda cycle: np.arange(len(cycle.snapshot)) + 5)

    def pre_score(self, cycle):
        cycle.state[self.name] = self.kept(cycle)
        return SUCCESS

    def score(self, cycle, nodes):
        return nodes.take(cycle.state[self.name])


@pytest.fixture
def scoring(monkeypatch):
    """The prepared scoring of an algorithm as a worker gets it, and the raw row as this process gives it."""

    def scoring(plugin):
        known = {**plugins.registry(), plugin.name: plugin}
        monkeypatch.setattr(plugins, "registry", lambda: known)
        profile = only("NodeResourcesFit")
        profile.plugins["score"] = (plugin.name,)
        profile.plugins["preScore"] = (plugin.name,)
        pod = a_pod(requests={"cpu": "1500m"})
        cycle = a_cycle(pod, *NODES, profile=profile)
        cycle.pre_filter()
        cycle.filter()
        cycle.pre_score()
        return pickle.loads(pickle.dumps(cycle.prepared())), cycle.map(0, 3)[plugin.name].tolist()

    return scoring


@pytest.mark.parametrize(("plugin", "row"), [(Quiet, [9, 8, 7]), (ByState, [6, 7, 8])])
def test_a_worker_computes_the_same(scoring, plugin, row):
    there, here = scoring(plugin)
    assert here == row
    assert there.map(0, 3)[plugin.name].tolist() == row
    assert there.map(1, 3)[plugin.name].tolist() == row[1:]


def test_node_objects_go_to_a_worker_only_if_they_are_read(scoring):
    assert [node.name for node in scoring(Quiet)[0].columns.nodes] == ["n1", "n2", "n3"]
    assert scoring(ByState)[0].columns.nodes == []


def test_a_table_in_the_state_is_not_taken_for_a_number_a_node(scoring, monkeypatch):
    monkeypatch.setattr(ByState, "kept", staticmethod(lambda cycle: np.arange(9)))
    with pytest.raises(PluginError, match=r'ByState.pre_score cycle.state\["ByState"\] is an array of shape \(9,\)'):
        scoring(ByState)


def test_what_is_read_may_not_depend_on_the_node(monkeypatch):
    cycle = a_cycle(a_pod(), *NODES)
    part = cycle.snapshot.columns.part(np.array([0, 1]), [("requested", "pods")])
    with pytest.raises(KeyError, match="what is read may depend on the pod, not on the node"):
        part[("label", "x")]


@pytest.mark.parametrize(
    "key", [("request", "cpu"), "requested", ("label",), ("requested",), ("unschedulable", 1), (), ("Label", "x")]
)
def test_a_key_that_no_column_has_is_an_error_that_names_the_known_ones(key):
    columns = a_cycle(a_pod(), *NODES).snapshot.columns
    with pytest.raises(KeyError, match=r'there is no column .*; there are \("allocatable", resource\)'):
        columns[key]


def test_a_resource_or_label_that_nobody_has_is_zero():
    columns = a_cycle(a_pod(), *NODES).snapshot.columns
    assert columns[("requested", "example.com/gpu")].tolist() == [0, 0, 0, 0]
    assert columns.label("colour")[0].tolist() == [0, 0, 0, 0]
