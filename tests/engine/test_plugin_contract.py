"""An algorithm that breaks its contract is named, with its hook and with what was expected: never a traceback."""

import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.explain.steps import evaluate
from scheduler.engine.framework import (
    PASSED,
    SUCCESS,
    Plugin,
    PreFilterResult,
    Status,
    Verdict,
    faults_of,
    unschedulable,
)
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cycle, a_node, a_pod, only, raw_scores

NODES = [a_node("n1"), a_node("n2"), a_node("n3")]


def a_plugin(**members):
    return type("Mine", (Plugin,), {"name": "Mine", **members})


@pytest.fixture
def run(monkeypatch):
    """The decision of an attempt with this algorithm at these points."""

    def run(*points, **members):
        known = {**plugins.registry(), "Mine": a_plugin(**members)}
        monkeypatch.setattr(plugins, "registry", lambda: known)
        profile = only("NodeName", "ImageLocality", "DefaultPreemption")
        for point in points:
            profile.plugins[point] = (*profile.plugins[point], "Mine")
        return a_cycle(a_pod(), *NODES, profile=profile).run()

    return run


def ints(*numbers):
    return np.array(numbers, np.int64)


WRONG = [
    pytest.param("score", None, "score must return an int64 array of shape (3,), not None", id="nothing"),
    pytest.param("score", [1, 2, 3], "score must return an int64 array of shape (3,), not [1, 2, 3] (list)", id="list"),
    pytest.param("score", np.zeros(3), "shape (3,), not float64 of shape (3,)", id="float"),
    pytest.param("score", ints(1), "shape (3,), not int64 of shape (1,)", id="short"),
    pytest.param("score", ints(1, 2, 3) > 2, "shape (3,), not bool of shape (3,)", id="bool"),
    pytest.param("filter", True, "filter must return a Verdict, not True (bool)", id="bool verdict"),
    pytest.param("filter", Verdict.where(ints(0) > 0, SUCCESS), "filter must answer for 3 nodes", id="short verdict"),
    pytest.param("filter", Verdict.of(ints(0, 7, 0), (SUCCESS, SUCCESS)), "points to status 7 of 2", id="no status"),
    pytest.param("filter", Verdict.of(ints(0, 0, 0), (unschedulable("x"),)), "SUCCESS as its first", id="no success"),
    pytest.param("filter", Verdict.of(ints(0, 1, 0), (SUCCESS, "no")), "a Status for each number", id="text"),
    pytest.param("pre_filter", SUCCESS, "pre_filter must return a PreFilterResult, not Status(", id="status"),
    pytest.param("pre_filter", PreFilterResult(SUCCESS, ["n1"]), "node_names as a frozenset", id="names"),
    pytest.param("pre_score", PASSED, "pre_score must return a Status, not PreFilterResult(", id="result"),
]


@pytest.mark.parametrize(("hook", "answer", "words"), WRONG)
def test_a_wrong_answer_is_an_error_that_says_what_was_expected(run, hook, answer, words):
    point = {"pre_filter": "preFilter", "pre_score": "preScore"}.get(hook, hook)
    decision = run(point, **{hook: lambda self, *given: answer})
    assert decision.outcome == "error"
    assert decision.message.startswith(f"Mine.{hook} ")
    assert words in decision.message


@pytest.mark.parametrize("hook", ["pre_filter", "filter", "pre_score", "score"])
def test_a_hook_that_raises_is_an_error_that_says_where(run, hook):
    def fail(self, *given):
        return {}["sound"]

    point = {"pre_filter": "preFilter", "pre_score": "preScore"}.get(hook, hook)
    decision = run(point, **{hook: fail})
    assert decision.outcome == "error"
    assert f"Mine.{hook} raised KeyError: 'sound' (line " in decision.message
    assert "of test_plugin_contract.py)" in decision.message


def test_normalize_must_not_change_the_raw_row(run):
    def normalize(self, cycle, scores):
        scores += 1
        return scores

    decision = run("score", score=lambda self, cycle, nodes: ints(1, 2, 3)[nodes.rows], normalize=normalize)
    assert "Mine.normalize raised ValueError" in decision.message


def test_post_filter_is_held_to_its_contract(run):
    def refuse(self, cycle, nodes):
        return Verdict.where(np.ones(len(nodes), np.bool_), unschedulable("no"))

    decision = run("filter", "postFilter", filter=refuse, post_filter=lambda self, cycle: None)
    assert "Mine.post_filter must return a PostFilterResult, not None" in decision.message


def test_concerns_is_held_to_its_contract(run):
    decision = run("preFilter", pre_filter=lambda self, cycle: PASSED, concerns=lambda self, pod: 1 / 0)
    assert "Mine.concerns raised ZeroDivisionError" in decision.message


@pytest.mark.parametrize("dtype", [np.int32, np.int8, np.uint16])
def test_any_integers_will_do_for_scores(run, dtype):
    decision = run("score", score=lambda self, cycle, nodes: np.array([1, 9, 3], dtype)[nodes.rows])
    assert (decision.node, decision.total) == ("n2", 9)


def test_a_score_that_is_a_column_is_not_written_to(monkeypatch):
    def score(self, cycle, nodes):
        return nodes.columns[("requested", "pods")]

    plugin = a_plugin(score=score, score_reads="pods")
    monkeypatch.setattr(plugins, "registry", lambda: {"Mine": plugin})
    profile = only()
    profile.plugins["score"] = ("Mine",)
    cycle = a_cycle(a_pod(), *NODES, a_pod("other", node="n2"), profile=profile)
    assert raw_scores(cycle, "Mine") == {"n1": 0, "n2": 1, "n3": 0}
    assert cycle.scores.raw["Mine"] is not cycle.snapshot.columns[("requested", "pods")]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        pytest.param({"normalise": print}, "normalise is no hook: is normalize meant?", id="misspelt"),
        pytest.param({"preFilter": print}, "preFilter is no hook: is pre_filter meant?", id="camel"),
        pytest.param({"explains": print}, "is explain meant?", id="plural"),
        pytest.param(
            {"fliter": lambda self, cycle, nodes: None}, "fliter is no hook, and nothing calls it", id="twisted"
        ),
        pytest.param({"explain_filter": lambda self, cycle, node: []}, "which is not there", id="without-filter"),
        pytest.param({"scores_reads": "pods"}, "is score_reads meant?", id="attribute"),
        pytest.param({"score_reads": "pod"}, "score_reads must be one of node, columns, pods, cluster", id="reads"),
        pytest.param({"filter_reads": None}, "filter_reads must be one of", id="no reads"),
        pytest.param({"weight": 0.5}, "weight must be a whole number", id="weight"),
        pytest.param({"Args": dict}, "Args must be a msgspec.Struct", id="args"),
        pytest.param(
            {"score": lambda self, cycle: 1}, "score must take (self, cycle, nodes), not (self, cycle)", id="few"
        ),
        pytest.param({"score": staticmethod(len)}, "score must be a method", id="static"),
        pytest.param({"name": "two words"}, "name must be a word", id="name"),
        pytest.param({"name": None}, "name must be a word", id="no name"),
        pytest.param({"short": 3}, "short must be text, not 3", id="short"),
    ],
)
def test_a_class_with_a_fault_is_told(members, words):
    assert words in "; ".join(faults_of(a_plugin(**members)))


@pytest.mark.parametrize("name", [*plugins.registry()])
def test_the_algorithms_that_are_here_have_no_fault(name):
    assert list(faults_of(plugins.registry()[name])) == []


def test_no_file_of_the_package_has_a_fault():
    assert plugins.faults() == []


def test_helpers_may_have_names_of_their_own():
    assert list(faults_of(a_plugin(_normalise=print, limit=3, nearest=print))) == []


def test_a_gate_that_fails_holds_the_pod_and_says_why(monkeypatch):
    from scheduler.engine.simulation.gates import gates_of
    from tests.engine.scenario import Scenario, a_pod

    known = {**plugins.registry(), "Mine": a_plugin(pre_enqueue=lambda self, pod: None)}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    enabled = {"multiPoint": {"enabled": [{"name": "Mine"}]}}
    scenario = Scenario(
        configuration={
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": enabled}],
        }
    )
    scenario.add(a_pod("web"))
    assert scenario.place("web") == "gated"
    gates = dict(gates_of(scenario.simulation.profiles, ())["default-scheduler"])
    status: Status = gates["Mine"](scenario.simulation.pod("default/web"))
    assert status.message == "Mine.pre_enqueue must return a Status, not None"


@pytest.mark.parametrize(
    ("answer", "words"),
    [(lambda: 7, "must return a list of Step, not 7 (int)"), (lambda: {}["x"], "raised KeyError: 'x'")],
)
def test_an_explanation_that_fails_says_so_in_the_place_of_its_steps(answer, words):
    plugin = a_plugin(explain=lambda self, cycle, row: answer(), explain_filter=lambda self, cycle, row: answer())()
    assert f"Mine.explain {words}" in evaluate(plugin.explain(None, 0))
    assert f"Mine.explain_filter {words}" in evaluate(plugin.explain_filter(None, 0))[0]


def test_the_default_profile_needs_all_that_is_here():
    assert plugins.line_up(Profiles.default().first).fault == ""
