"""TaintToleration by examples."""

import pytest

from tests.engine.builders import a_cycle, a_node, a_pod, normalized_scores, raw_scores, verdicts


def taint(value, effect="NoSchedule", key="k"):
    return {"key": key, "value": value, "effect": effect}


@pytest.mark.parametrize(
    ("taints", "tolerations", "said"),
    [
        pytest.param([taint("v")], [], "node(s) had untolerated taint {k: v}", id="untolerated"),
        pytest.param([taint(None)], [], "node(s) had untolerated taint {k: }", id="without a value"),
        pytest.param([taint("v")], [{"key": "k", "value": "v"}], "", id="tolerated"),
        pytest.param([taint("v", "PreferNoSchedule")], [], "", id="only a wish"),
        pytest.param(
            [taint("a"), taint("b", "NoExecute")],
            [{"key": "k", "value": "a"}],
            "node(s) had untolerated taint {k: b}",
            id="the first untolerated one is named",
        ),
    ],
)
def test_hard_taints_keep_pods_away(taints, tolerations, said):
    cycle = a_cycle(a_pod(tolerations=tolerations), a_node(taints=taints))
    assert verdicts(cycle, "TaintToleration") == {"n1": said}


NODES = [
    a_node("none"),
    a_node("one", taints=[taint("a", "PreferNoSchedule")]),
    a_node("three", taints=[taint(value, "PreferNoSchedule") for value in "abc"]),
]


def test_soft_taints_are_counted_and_turned_round():
    assert raw_scores(a_cycle(a_pod(), *NODES), "TaintToleration") == {"none": 0, "one": 1, "three": 3}
    # 100 - 100 * 1 // 3 = 67
    assert normalized_scores(a_cycle(a_pod(), *NODES), "TaintToleration") == {"none": 100, "one": 67, "three": 0}


def test_only_tolerations_of_soft_or_any_effect_spare_a_soft_taint():
    hard, any_effect = {"key": "k", "value": "a", "effect": "NoSchedule"}, {"key": "k", "value": "b"}
    cycle = a_cycle(a_pod(tolerations=[hard, any_effect]), *NODES)
    assert raw_scores(cycle, "TaintToleration") == {"none": 0, "one": 1, "three": 2}


def test_without_soft_taints_every_node_is_best():
    cycle = a_cycle(a_pod(), a_node("n1"), a_node("n2"))
    assert normalized_scores(cycle, "TaintToleration") == {"n1": 100, "n2": 100}
