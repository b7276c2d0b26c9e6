"""An algorithm that reads more than `filter_reads` or `score_reads` says is a fault, not a wrong placement later."""

import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.framework import Plugin, Step, Verdict, unschedulable
from tests.engine.builders import a_cycle, a_node, a_pod, only
from tests.engine.contract import assert_contract

REQUESTED = ("requested", "cpu")


class Busiest(Plugin):
    """What the fullest node holds, as every node's score."""

    name = "Mine"
    score_reads = "columns"

    def score(self, cycle, nodes):
        return np.full(len(nodes), nodes.columns[REQUESTED].max() // 1000, np.int64)

    def explain(self, cycle, row):
        cores = int(cycle.columns[REQUESTED].max()) // 1000
        return [Step("score", "value", (cores,), cores)]


def a_filter(look, reads):
    def judge(self, cycle, nodes):
        return Verdict.where(look(cycle, nodes) > 3000, unschedulable("full"))

    return type("Mine", (Plugin,), {"name": "Mine", "filter_reads": reads, "filter": judge})


@pytest.fixture
def cycle(monkeypatch):
    def cycle(plugin):
        known = {**plugins.registry(), "Mine": plugin}
        monkeypatch.setattr(plugins, "registry", lambda: known)
        profile = only("NodeName", "NodeResourcesFit")
        profile.plugins["filter"] += ("Mine",)
        if plugin.implements("score"):
            profile.plugins["score"] += ("Mine",)
        return a_cycle(a_pod(), a_node("n1"), a_node("n2"), a_pod("old", cpu="1", node="n1"), profile=profile)

    return cycle


def column(key):
    return lambda cycle, nodes: nodes.take(nodes.columns[key])


@pytest.mark.parametrize(
    ("look", "reads", "words"),
    [
        (column(REQUESTED), "node", "reads the column ('requested', 'cpu'), which pods on the node change"),
        (column(REQUESTED), "node", 'filter_reads is "node"; it must be filter_reads = "columns"'),
        (column(("nonzero", "memory")), "node", "('nonzero', 'memory')"),
        (column(("ports",)), "node", "('ports',)"),
        (column(("volumes",)), "node", "('volumes',)"),
        (column(("requested", "pods")), "node", "('requested', 'pods')"),
        (column(("cloned_at",)), "columns", 'it must be filter_reads = "cluster"'),
        (lambda cycle, nodes: np.array([len(one.name) for one in nodes.objects]), "columns", '= "pods"'),
    ],
)
def test_an_attempt_ends_with_an_error_that_names_the_key_and_the_right_word(cycle, look, reads, words):
    decision = cycle(a_filter(look, reads)).run()
    assert decision.outcome == "error"
    assert decision.message.startswith("Mine.filter reads ")
    assert words in decision.message


@pytest.mark.parametrize(
    ("look", "reads"),
    [
        (column(("allocatable", "cpu")), "node"),
        (column(("label", "zone")), "node"),
        (column(REQUESTED), "columns"),
        (column(REQUESTED), "pods"),
        (column(("cloned_at",)), "cluster"),
        (lambda cycle, nodes: np.array([len(one.name) for one in nodes.objects]), "node"),
    ],
)
def test_what_is_read_as_said_keeps_the_contract(cycle, look, reads):
    assert_contract(cycle(a_filter(look, reads)), "Mine")


def test_the_contract_sees_what_is_read_past_nodes(cycle):
    def look(cycle, nodes):
        return nodes.take(cycle.snapshot.columns[REQUESTED])

    with pytest.raises(AssertionError, match=r"Mine.filter reads the column \('requested', 'cpu'\)"):
        assert_contract(cycle(a_filter(look, "node")), "Mine")
    with pytest.raises(AssertionError, match=r"from nodes\.columns, not from the cycle"):
        assert_contract(cycle(a_filter(look, "columns")), "Mine")


def test_the_contract_sees_a_pod_that_changes_the_answer_on_its_own_node(cycle):
    """Read past all columns, so that only the behaviour shows it; a small pod would not."""

    def look(cycle, nodes):
        infos = [cycle.snapshot.infos[row] for row in nodes.rows.tolist()]
        return np.array([sum(dict(pod.requested).get("cpu", 0) for pod in info.pods) for info in infos])

    with pytest.raises(
        AssertionError, match='filter_reads = "node" is too narrow: a pod on n1 changed what is said of it'
    ):
        assert_contract(cycle(a_filter(look, "node")), "Mine")


def test_the_contract_sees_a_score_that_reads_another_node(cycle):
    with pytest.raises(AssertionError, match=r'score_reads = "columns" is too narrow: a pod on n1 changed .* n2'):
        assert_contract(cycle(Busiest), "Mine")


@pytest.mark.parametrize("what", ["labels", "namespace", "priority"])
def test_the_contract_sees_what_is_read_of_the_pod_beside_its_shape(cycle, what):
    def look(cycle, nodes):
        return np.full(len(nodes), len(str(getattr(cycle.pod, what))))

    with pytest.raises(AssertionError, match=f"filter reads the pod's {what}: shape_key must hold that"):
        assert_contract(cycle(a_filter(look, "node")), "Mine")
    assert_contract(cycle(a_filter(look, "cluster")), "Mine")
    keyed = type("Mine", (a_filter(look, "node"),), {"shape_key": lambda self, pod: str(getattr(pod, what))})
    assert_contract(cycle(keyed), "Mine")


def test_the_contract_tells_why_an_attempt_failed(cycle):
    with pytest.raises(AssertionError, match=r"Mine\.filter raised KeyError"):
        assert_contract(cycle(a_filter(column(("request", "cpu")), "node")), "Mine")
