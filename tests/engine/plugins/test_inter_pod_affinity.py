"""InterPodAffinity by examples. Zones a and b; what happens in one zone does not touch the other."""

import pytest

from scheduler.engine.framework import Code
from tests.engine.builders import a_cycle, a_node, a_pod, normalized_scores, only, raw_scores, verdicts

NAME = "InterPodAffinity"
NEAR = "node(s) didn't match pod affinity rules"
AWAY = "node(s) didn't match pod anti-affinity rules"
EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules"
NODES = [a_node("a1", labels={"zone": "a"}), a_node("b1", labels={"zone": "b"}), a_node("x")]
REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)


def term(app="db", key="zone", **more):
    return {"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}, **more}


def near(*terms):
    return {"podAffinity": {REQUIRED: list(terms)}}


def away(*terms):
    return {"podAntiAffinity": {REQUIRED: list(terms)}}


def prefers(weight, one=None, kind="podAffinity"):
    return {kind: {PREFERRED: [{"weight": weight, "podAffinityTerm": one or term()}]}}


def pod(name="p", app="web", **more):
    return a_pod(name, labels={"app": app}, **more)


def said(incoming, *others):
    return verdicts(a_cycle(incoming, *NODES, *others), NAME)


DB = pod("db", "db", node="a1")


def test_required_affinity_wants_such_a_pod_in_the_domain():
    assert said(pod(affinity=near(term())), DB) == {"a1": "", "b1": NEAR, "x": NEAR}


def test_one_pod_must_match_all_terms():
    other = {"labelSelector": {"matchLabels": {"app": "cache"}}}
    both = pod(affinity=near(term(), term() | other))
    assert said(both, DB, pod("cache", "cache", node="a1"))["a1"] == NEAR


def test_the_first_pod_of_its_kind_may_go_where_the_label_is():
    assert said(pod(affinity=near(term("web")))) == {"a1": "", "b1": "", "x": NEAR}
    assert said(pod(affinity=near(term("web"))), pod("web", node="b1")) == {"a1": NEAR, "b1": "", "x": NEAR}


def test_own_anti_affinity_keeps_away():
    assert said(pod(affinity=away(term())), DB) == {"a1": AWAY, "b1": "", "x": ""}


def test_anti_affinity_of_placed_pods_keeps_others_away():
    assert said(pod(), pod("db", "db", node="a1", affinity=away(term("web")))) == {"a1": EXISTING, "b1": "", "x": ""}


def test_affinity_is_beyond_help_and_anti_affinity_is_not():
    cycle = a_cycle(pod(affinity=near(term()) | away(term("cache"))), *NODES, DB, pod("cache", "cache", node="a1"))
    cycle.run()
    codes = {cycle.snapshot.names[row]: status.code for row, status in cycle.trace.first_failures.items()}
    hopeless = Code.UNSCHEDULABLE_AND_UNRESOLVABLE
    assert codes == {"a1": Code.UNSCHEDULABLE, "b1": hopeless, "x": hopeless}


def test_without_rules_on_either_side_the_filter_is_skipped():
    cycle = a_cycle(pod(), *NODES, DB)
    cycle.pre_filter()
    assert NAME in cycle.skipped_filters


@pytest.mark.parametrize(
    ("more", "reaches"),
    [
        pytest.param({}, False, id="own namespace only"),
        pytest.param({"namespaces": ["team"]}, True, id="listed"),
        pytest.param({"namespaceSelector": {}}, True, id="all"),
        pytest.param({"namespaceSelector": {"matchLabels": {"env": "prod"}}}, True, id="selected"),
        pytest.param({"namespaceSelector": {"matchLabels": {"env": "dev"}}}, False, id="not selected"),
        pytest.param(
            {"namespaces": [], "namespaceSelector": {"matchLabels": {"env": "dev"}}}, False, id="own not implied"
        ),
        pytest.param(
            {"namespaceSelector": {"matchExpressions": [{"key": "env", "operator": "DoesNotExist"}]}},
            True,
            id="as in 1.34, an absence selects every namespace",
        ),
    ],
)
def test_which_namespaces_a_term_reaches(more, reaches):
    team = {"kind": "Namespace", "metadata": {"name": "team", "labels": {"env": "prod"}}}
    other = a_pod("db", labels={"app": "db"}, namespace="team", node="a1")
    assert (said(pod(affinity=away(term(**more))), team, other)["a1"] == AWAY) is reaches


def test_preferences_of_both_sides_add_up():
    wish = pod("wish", "db", node="a1", affinity=prefers(30, term("web")))
    dislike = pod("dislike", "cache", node="b1", affinity=prefers(7, term("web"), "podAntiAffinity"))
    need = pod("need", "cache", node="b1", affinity=near(term("web")))
    cycle = a_cycle(pod(affinity=prefers(10)), *NODES, wish, dislike, need)
    # a1: 10 for its own wish, 30 for the other's; b1: -7, and 1 for the required affinity
    assert raw_scores(cycle, NAME) == {"a1": 40, "b1": -6, "x": 0}
    # b1 is lowest; x: int(100 * (6 / 46)) = 13
    assert normalized_scores(a_cycle(pod(affinity=prefers(10)), *NODES, wish, dislike, need), NAME) == {
        "a1": 100,
        "b1": 0,
        "x": 13,
    }


def test_a_preference_that_meets_nobody_gives_no_row():
    assert raw_scores(a_cycle(pod(affinity=prefers(10)), *NODES), NAME) is None


def test_wishes_that_cancel_out_give_a_row_of_zeros():
    both = prefers(10) | prefers(10, kind="podAntiAffinity")
    assert raw_scores(a_cycle(pod(affinity=both), *NODES, DB), NAME) == {"a1": 0, "b1": 0, "x": 0}


def test_arguments_change_what_placed_pods_contribute():
    wish = pod("wish", "db", node="a1", affinity=prefers(30, term("web")))
    need = pod("need", "db", node="b1", affinity=near(term("web")))
    ignoring = only(NAME, InterPodAffinity={"ignorePreferredTermsOfExistingPods": True})
    assert raw_scores(a_cycle(pod(), *NODES, wish, profile=ignoring), NAME) is None
    heavy = only(NAME, InterPodAffinity={"hardPodAffinityWeight": 50})
    assert raw_scores(a_cycle(pod(), *NODES, need, profile=heavy), NAME) == {"a1": 0, "b1": 50, "x": 0}
    without = only(NAME, InterPodAffinity={"hardPodAffinityWeight": 0})
    assert raw_scores(a_cycle(pod(), *NODES, need, profile=without), NAME) is None
