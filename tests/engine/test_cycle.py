"""The course of one attempt: what is asked, what is skipped, how it ends."""

import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import LISTED_TIES, Decision
from scheduler.engine.cycle.filtering import node_status
from scheduler.engine.cycle.phases import PHASES
from scheduler.engine.cycle.prepared import ExtraScore
from scheduler.engine.explain.report import cycle_report
from scheduler.engine.framework import (
    Plugin,
    PostFilterResult,
    PreFilterResult,
    Verdict,
    error,
    unresolvable,
    unschedulable,
)
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cluster, a_cycle, a_node, a_pod, only

PROFILE = Profiles.default().first
TAINTED = [{"key": "k", "value": "v", "effect": "NoSchedule"}]


@pytest.fixture
def with_plugin(monkeypatch):
    """Registers an algorithm for one test and gives the profile that runs it, besides some others, at a point."""

    def register(plugin: type[Plugin], point: str, *others: str):
        known = {**plugins.registry(), plugin.name: plugin}
        monkeypatch.setattr(plugins, "registry", lambda: known)
        profile = only(*others)
        profile.plugins[point] = (*profile.plugins[point], plugin.name)
        return profile

    return register


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_best_node_is_chosen():
    decision = a_cycle(a_pod(requests={"cpu": "1"}), a_node("small", cpu="2"), a_node("large", cpu="64")).run()
    assert (decision.outcome, decision.node, decision.tied) == ("bound", "large", ("large",))
    assert (decision.feasible, decision.evaluated, decision.node_count) == (2, 2, 2)


def test_ties_are_drawn_and_the_draw_is_reproducible():
    nodes = [a_node(f"n{number}") for number in range(5)]
    picks = [a_cycle(a_pod(), *nodes, seed=7, number=number).run() for number in range(40)]
    assert {one.node for one in picks} == {f"n{number}" for number in range(5)}
    assert all(one.tied_count == 5 and one.node == one.tied[one.drawn] for one in picks)
    assert picks == [a_cycle(a_pod(), *nodes, seed=7, number=number).run() for number in range(40)]


def test_a_decision_lists_a_limited_number_of_ties():
    decision = a_cycle(a_pod(), *(a_node(f"n{number:02}") for number in range(30))).run()
    assert (decision.tied_count, len(decision.tied)) == (30, LISTED_TIES)


def test_a_decision_survives_the_log():
    refused = a_cycle(a_pod(requests={"cpu": "9"}), a_node(), a_node("n2", taints=TAINTED)).run()
    placed = a_cycle(a_pod(), a_node()).run()
    for decision in (refused, placed):
        assert Decision.from_data(decision.to_data()) == decision


def test_one_feasible_node_is_taken_without_scoring():
    cycle = a_cycle(a_pod(), a_node(), a_node("n2", taints=TAINTED))
    decision = cycle.run()
    assert (decision.node, decision.total) == ("n1", 0)
    assert cycle.scoring is None
    assert not cycle.needs_scoring


def test_what_a_single_node_would_score_is_there_for_screens():
    cycle = a_cycle(a_pod(), a_node(), a_node("n2", taints=TAINTED))
    decision = cycle.run()
    assert cycle.trace.scoring_bypassed
    assert cycle.trace.layers["weighted"]["TaintToleration"].tolist() == [300]
    assert cycle.decision == decision


def test_a_single_node_is_reported_also_where_scoring_it_would_fail():
    preference = {"matchExpressions": [{"key": "rank", "operator": "Gt", "values": ["x"]}]}
    preferred = [{"weight": 1, "preference": preference}]
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    nodes = [a_node(), a_node("n2", taints=TAINTED)]
    cycle = a_cycle(a_pod(affinity=affinity), *nodes)
    assert cycle.run().node == "n1"
    report = cycle_report(cycle, a_cluster(*nodes))
    assert (report["best"], report["scoring_bypassed"], "scores" in report) == (["n1"], True, False)


def test_a_skipped_algorithm_has_no_row_instead_of_zeros():
    cycle = a_cycle(a_pod(), a_node(), a_node("n2"))
    cycle.run()
    assert "NodeAffinity" in cycle.skipped_scores
    assert "NodeAffinity" not in cycle.trace.layers["raw"]
    assert {one.name: one.skipped for one in cycle.trace.algorithms}["NodeAffinity"]


def test_no_nodes_is_said_so_and_blames_nobody():
    decision = a_cycle(a_pod()).run()
    assert (decision.outcome, decision.message) == ("unschedulable", "no nodes available to schedule pods")
    assert decision.unschedulable_plugins == ()
    assert decision.nominated_node == ""


def test_refusals_are_counted_by_reason():
    nodes = [a_node("small", cpu="1"), a_node("tiny", cpu="500m"), a_node("tainted", taints=TAINTED)]
    decision = a_cycle(a_pod(requests={"cpu": "2"}), *nodes).run()
    assert [(one.plugin, one.reason, one.count, one.nodes) for one in decision.refusals] == [
        ("NodeResourcesFit", "Insufficient cpu", 2, ("small", "tiny")),
        ("TaintToleration", "node(s) had untolerated taint {k: v}", 1, ("tainted",)),
    ]
    assert decision.message.startswith(
        "0/3 nodes are available: 1 node(s) had untolerated taint {k: v}, 2 Insufficient cpu."
    )


# --- nominations ------------------------------------------------------------------------------------------------------


def test_a_nominated_pod_keeps_room_from_pods_of_no_higher_priority():
    waiting = a_pod("waiting", nominated="n1", requests={"cpu": "3"}, priority=10)
    nominated = {"n1": [a_cluster(waiting).get("Pod", "default", "waiting")]}
    small = a_cycle(a_pod(requests={"cpu": "2"}, priority=10), a_node(), nominated=nominated).run()
    assert small.outcome == "unschedulable"
    important = a_cycle(a_pod(requests={"cpu": "2"}, priority=11), a_node(), nominated=nominated).run()
    assert important.node == "n1"


def test_a_node_must_do_without_the_nominated_pod_as_well():
    near = {
        "podAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "db"}}}
            ]
        }
    }
    waiting = a_pod("waiting", nominated="n1", labels={"app": "db"}, priority=10)
    nominated = {"n1": [a_cluster(waiting).get("Pod", "default", "waiting")]}
    decision = a_cycle(a_pod(affinity=near), a_node(labels={"zone": "a"}), nominated=nominated).run()
    assert decision.outcome == "unschedulable"


@pytest.mark.parametrize(("removed", "said"), [((), "Insufficient cpu"), (("old",), "")])
def test_a_fork_is_asked_as_if_pods_had_left(removed, said):
    cycle = a_cycle(a_pod(requests={"cpu": "2"}), a_node(), a_pod("old", node="n1", requests={"cpu": "3"}))
    cycle.run()
    gone = [pod for pod in cycle.snapshot.infos[0].pods if pod.pod.name in removed]
    assert node_status(cycle.fork({}, {0: gone}), 0).message == said
    assert node_status(cycle, 0).message == "Insufficient cpu"


def test_a_node_is_judged_with_the_pods_that_wait_for_it():
    waiting = a_pod("waiting", nominated="n1", requests={"cpu": "3"}, priority=10)
    nominated = {"n1": [a_cluster(waiting).get("Pod", "default", "waiting")]}
    cycle = a_cycle(a_pod(requests={"cpu": "2"}), a_node(), a_node("n2"), nominated=nominated)
    cycle.run()
    assert [node_status(cycle, row).message for row in (0, 1)] == ["Insufficient cpu", ""]


def test_spread_and_affinity_follow_pods_that_leave_a_fork():
    labels, zone = {"app": "web"}, {"zone": "a"}
    chosen = {"labelSelector": {"matchLabels": labels}, "topologyKey": "zone"}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [chosen]}}
    spread = [chosen | {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]
    nodes = [a_node("n1", labels=zone), a_node("n2", labels={"zone": "b"})]
    for rules in ({"affinity": apart}, {"topologySpreadConstraints": spread}):
        cycle = a_cycle(a_pod(labels=labels, **rules), *nodes, a_pod("old", node="n1", labels=labels))
        cycle.run()
        fork = cycle.fork({}, {0: list(cycle.snapshot.infos[0].pods)})
        assert not node_status(cycle, 0).is_success
        assert node_status(fork, 0).is_success
        back = fork.fork({0: list(cycle.snapshot.infos[0].pods)}, {})
        assert node_status(back, 0) == node_status(cycle, 0)


def test_own_nomination_is_tried_first():
    cycle = a_cycle(a_pod(nominated="n2"), a_node("n1"), a_node("n2"), a_node("n3"), start_index=2)
    decision = cycle.run()
    assert (decision.node, decision.evaluated, decision.next_start_index) == ("n2", 1, 2)
    assert cycle.trace.not_evaluated.tolist() == [0, 2]


def test_a_nomination_to_a_node_that_is_gone_is_ignored():
    assert a_cycle(a_pod(nominated="gone"), a_node()).run().node == "n1"


def test_an_error_on_the_nominated_node_does_not_count_unless_the_search_comes_there(with_plugin):
    class Broken(Plugin):
        name = "Broken"

        def filter(self, cycle, nodes):
            return Verdict.where(nodes.take(cycle.snapshot.columns.all_rows) == 0, error("out of order"))

    nodes = [a_node("n1"), a_node("n2"), a_node("n3")]
    profile = with_plugin(Broken, "filter")
    decision = a_cycle(a_pod(nominated="n1"), *nodes, profile=profile, start_index=1).run()
    assert (decision.node, decision.evaluated, decision.next_start_index) == ("n2", 1, 2)
    assert a_cycle(a_pod(nominated="n1"), *nodes, profile=profile).run().outcome == "error"


# --- algorithms of one's own ------------------------------------------------------------------------------------------


def test_a_score_out_of_range_is_an_error(with_plugin):
    class Wild(Plugin):
        name = "Wild"

        def score(self, cycle, nodes):
            return np.full(len(nodes), 101)

    decision = a_cycle(a_pod(), a_node(), a_node("n2"), profile=with_plugin(Wild, "score")).run()
    assert decision.outcome == "error"
    assert decision.message == (
        'applying score defaultWeights on Score plugins: plugin "Wild" returns an invalid score 101, '
        "it should in the range of [0, 100] after normalizing"
    )


def test_an_error_of_a_filter_ends_the_attempt(with_plugin):
    class Broken(Plugin):
        name = "Broken"

        def filter(self, cycle, nodes):
            return Verdict.where(nodes.take(cycle.snapshot.columns.all_rows) == 1, error("out of order"))

    decision = a_cycle(a_pod(), a_node(), a_node("n2"), profile=with_plugin(Broken, "filter")).run()
    assert (decision.outcome, decision.message) == ("error", 'running "Broken" filter plugin: out of order')


def test_an_error_of_pre_filter_ends_the_attempt(with_plugin):
    class Broken(Plugin):
        name = "Broken"

        def pre_filter(self, cycle):
            return PreFilterResult(error("out of order"))

    decision = a_cycle(a_pod(), a_node(), profile=with_plugin(Broken, "preFilter")).run()
    assert (decision.outcome, decision.message) == ("error", 'running PreFilter plugin "Broken": out of order')


class Helper(Plugin):
    name = "Helper"
    result = PostFilterResult()

    def post_filter(self, cycle):
        return self.result


@pytest.mark.parametrize(
    ("result", "end"),
    [
        pytest.param(PostFilterResult(nominated_node="n1"), "", id="success says nothing"),
        pytest.param(PostFilterResult(unschedulable("no luck")), " no new claims to deallocate, no luck", id="refusal"),
        pytest.param(PostFilterResult(unresolvable("hopeless")), " hopeless", id="hopeless ends it"),
        pytest.param(PostFilterResult(error("broke")), " broke", id="error ends it"),
    ],
)
def test_post_filter_has_the_last_word(with_plugin, monkeypatch, result, end):
    monkeypatch.setattr(Helper, "result", result)
    profile = with_plugin(Helper, "postFilter", "NodeResourcesFit", "DynamicResources")
    decision = a_cycle(a_pod(requests={"cpu": "9"}), a_node(), profile=profile).run()
    assert decision.message == f"0/1 nodes are available: 1 Insufficient cpu.{end}"
    assert decision.nominated_node == result.nominated_node


def test_an_extra_score_is_a_column_of_its_own_and_joins_the_sum():
    extra = ExtraScore("Rack", 3, lambda scoring, nodes: np.array([7, 50])[nodes.rows])
    cycle = a_cycle(a_pod(), a_node("n1"), a_node("n2"), extra_scores=[extra])
    decision, plain = cycle.run(), a_cycle(a_pod(), a_node("n1"), a_node("n2")).run()
    assert decision.node == "n2"
    assert decision.total == plain.total + 150
    assert cycle.trace.layers["raw"]["Rack"].tolist() == [7, 50]
    assert cycle.trace.layers["weighted"]["Rack"].tolist() == [21, 150]
    assert cycle.trace.algorithms[-1].name == "Rack"


def test_extra_scores_score_where_no_algorithm_does():
    extra = ExtraScore("Rack", 1, lambda scoring, nodes: nodes.rows * 10)
    decision = a_cycle(a_pod(), a_node("n1"), a_node("n2"), profile=only(), extra_scores=[extra]).run()
    assert (decision.node, decision.total) == ("n2", 10)


def test_without_score_algorithms_the_first_node_that_fits_is_taken():
    nodes = [a_node("n1", taints=TAINTED), a_node("n2"), a_node("n3")]
    decision = a_cycle(a_pod(), *nodes, profile=ONLY_TAINTS).run()
    assert (decision.node, decision.total, decision.feasible, decision.evaluated) == ("n2", 1, 1, 2)


ONLY_TAINTS = only("TaintToleration")
ONLY_TAINTS.plugins["score"] = ()


# --- steps and screens ------------------------------------------------------------------------------------------------


def test_the_steps_one_by_one_decide_as_the_whole_does():
    nodes = [a_node(f"n{number}", cpu=str(number + 1)) for number in range(9)]
    cycle, whole = (a_cycle(a_pod(requests={"cpu": "1"}), *nodes, seed=3, number=5) for _ in range(2))
    cycle.pre_filter()
    cycle.filter()
    cycle.pre_score()
    parts = [cycle.map(first, first + 3) for first in (0, 3, 6)]
    raw = {name: np.concatenate([part[name] for part in parts]) for name in cycle.algorithms}
    normalized = {name: cycle.reduce(name, row) for name, row in raw.items()}
    assert cycle.finish(raw, normalized) == whole.run()


def test_a_trace_tells_the_phases_in_order():
    cycle = a_cycle(a_pod(), a_node(), a_node("n2"), a_node("n3", taints=TAINTED))
    cycle.run()
    notes = {one.name: (one.state, one.note) for one in cycle.trace.phases}
    assert list(notes) == [name for name in PHASES if name in notes]
    assert notes["Filter"] == ("done", "2 of 3 nodes")
    assert notes["Select"] == ("done", "2 tied")


def test_a_trace_ends_with_the_phase_that_failed(with_plugin):
    class Broken(Plugin):
        name = "Broken"

        def pre_score(self, cycle):
            return error("out of order")

    cycle = a_cycle(a_pod(), a_node(), a_node("n2"), profile=with_plugin(Broken, "preScore", "ImageLocality"))
    cycle.run()
    assert [(one.name, one.state) for one in cycle.trace.phases] == [
        ("PreFilter", "done"),
        ("Filter", "done"),
        ("PreScore", "fail"),
    ]
    assert cycle.trace.phases[-1].note == 'running PreScore plugin "Broken": out of order'
    assert cycle.trace.scores is None


def test_a_trace_of_a_refusal_ends_with_post_filter():
    cycle = a_cycle(a_pod(requests={"cpu": "9"}), a_node())
    cycle.run()
    assert [one.name for one in cycle.trace.phases] == ["PreFilter", "Filter", "PostFilter"]


def test_the_funnel_loses_nodes_filter_by_filter():
    nodes = [a_node("n1", taints=TAINTED), a_node("n2", cpu="1"), a_node("n3", unschedulable=True), a_node("n4")]
    cycle = a_cycle(a_pod(requests={"cpu": "2"}), *nodes)
    cycle.run()
    lost = {one.plugin: (one.left, one.lost) for one in cycle.trace.funnel if one.lost}
    assert lost == {"NodeUnschedulable": (3, 1), "TaintToleration": (2, 1), "NodeResourcesFit": (1, 1)}
    assert {one.plugin for one in cycle.trace.funnel if one.skipped} >= {"NodeAffinity", "NodePorts"}


def test_all_failures_of_a_node_are_there_and_the_first_one_counts():
    cycle = a_cycle(a_pod(requests={"cpu": "9"}), a_node(taints=TAINTED))
    cycle.run()
    assert [one.plugin for one in cycle.trace.all_failures(0)] == ["TaintToleration", "NodeResourcesFit"]
    assert cycle.trace.first_failures[0].plugin == "TaintToleration"


def test_map_and_reduce_cannot_be_prepared_before_pre_score():
    with pytest.raises(ValueError, match="nothing to score"):
        a_cycle(a_pod(), a_node()).prepared()


def test_a_cycle_takes_a_pod_or_its_info():
    cluster = a_cluster(a_node(), a_pod())
    pod = cluster.get("Pod", "default", "p")
    assert Cycle(cluster.snapshot(), PROFILE, pod).run() == Cycle(cluster.snapshot(), PROFILE, PodInfo(pod)).run()


def test_a_fork_has_a_trace_of_its_own():
    cycle = a_cycle(a_pod(), a_node())
    cycle.run()
    assert cycle.trace.cycle is cycle
    fork = cycle.fork({}, {})
    assert fork.trace.cycle is fork
