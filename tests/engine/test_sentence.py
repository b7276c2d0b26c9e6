"""The sentence of an attempt: what made the lead, and how near a refused pod came."""

from dataclasses import replace

import numpy as np
import pytest

from scheduler.engine.cycle.scores import Scores
from scheduler.engine.explain.closest import closest
from scheduler.engine.explain.lead import cause, gains, ranking, rival, runners_up
from scheduler.engine.explain.sentence import ahead, sentence
from tests.engine.builders import a_cycle, a_node, a_pod

GPU = "nvidia.com/gpu"


def scored(weights, **rows) -> Scores:
    """The first node is the winner; rows are normalised scores."""
    normalized = {name: np.array(row, np.int64) for name, row in rows.items()}
    totals = sum(row * weights.get(name, 1) for name, row in normalized.items())
    tied = np.flatnonzero(totals == totals.max())
    return Scores(normalized, normalized, {name: weights.get(name, 1) for name in rows}, totals, tied, 0, int(tied[0]))


def test_the_only_algorithm_that_differs_decides_whatever_its_weight():
    scores = scored({"Fit": 10}, Fit=[96, 93, 93], Taint=[100, 100, 100], Balanced=[50, 50, 50])
    assert gains(scores) == [("Fit", 30)]
    assert cause(scores) == "Fit decided"
    assert runners_up(scores).tolist() == [1, 2]


def test_an_algorithm_in_which_winner_and_runner_up_are_equal_is_not_named():
    scores = scored({"Taint": 3}, Taint=[100, 100, 0], Fit=[70, 68, 90], Balanced=[90, 84, 90])
    assert gains(scores) == [("Balanced", 6), ("Fit", 2)]
    assert cause(scores) == "mostly Balanced decided"


def test_two_equal_shares_are_both_named():
    assert cause(scored({}, A=[9, 5], B=[9, 5])) == "A and B decided"


def test_of_many_small_shares_two_are_named():
    assert cause(scored({}, A=[5, 2], B=[5, 2], C=[6, 2])) == "C, A and 1 more decided"


def test_what_the_runner_up_has_ahead_does_not_count():
    assert cause(scored({}, A=[9, 1], B=[0, 5])) == "A decided"


@pytest.mark.parametrize("third", [3, 9])
def test_of_tied_runners_up_the_first_is_the_rival_whatever_the_others_have(third):
    scores = scored({}, A=[9, 5, third], B=[9, 5, 10 - third])
    assert (rival(scores), ranking(scores).tolist()) == (1, [0, 1, 2])
    assert gains(scores) == [("A", 4), ("B", 4)]
    assert ahead(["won", "next", "last"], scores) == ", 8 ahead of `next` and 1 other with the same total"


def test_runners_up_that_lose_differently_have_the_cause_of_the_first():
    assert cause(scored({}, A=[6, 6, 4], B=[6, 4, 6])) == "B decided"


def test_who_is_tied_with_the_winner_is_its_rival_before_any_runner_up():
    scores = scored({}, A=[9, 9, 8, 9])
    assert (rival(scores), ranking(scores).tolist()) == (1, [0, 1, 3, 2])
    drawn = replace(scores, drawn=2, winner=3)
    assert (rival(drawn), ranking(drawn).tolist()) == (0, [3, 0, 1, 2])


def test_without_a_runner_up_nobody_is_ahead():
    assert gains(scored({}, A=[5, 5])) == []
    assert (rival(scored({}, A=[5])), gains(scored({}, A=[5]))) == (None, [])


# --- a pod that fits nowhere ------------------------------------------------------------------------------------------


def why(pod, *others):
    cycle = a_cycle(pod, *others)
    cycle.run()
    return sentence(cycle)


def edge(name, **more):
    return a_node(name, labels={"pool": "edge"}, **more)


def test_the_nodes_that_got_furthest_lead_however_few_they_are():
    port = [{"hostPort": 443, "containerPort": 443, "protocol": "TCP"}]
    taint = [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]
    proxies = [a_pod(f"proxy-{at}", node=f"e{at}", ports=port) for at in range(2)]
    plain = [a_node(f"n{at}") for at in range(5)]
    others = [a_node("g", taints=taint), a_node("c", unschedulable=True)]
    wanted = a_pod("ingress", ports=port, nodeSelector={"pool": "edge"})
    told = why(wanted, edge("e0"), edge("e1"), *plain, *others, *proxies)
    assert told == (
        "`default/ingress` fits on none of 9 nodes. `e0` and `e1` come closest: host port 443 is taken; "
        "the other 7 are out by node affinity/selector (5), untolerated taint {gpu: yes} (1), unschedulable (1)."
    )


def test_resources_tell_how_much_the_nearest_has_and_what_is_asked():
    nodes = [a_node("a", **{GPU: "1"}), a_node("b", **{GPU: "2"}), a_node("c")]
    told = why(a_pod(requests={GPU: "4"}), *nodes)
    assert told == (
        "`default/p` fits on none of 3 nodes: insufficient nvidia.com/gpu on every one. "
        "`b` comes closest: it has 2 nvidia.com/gpu free, the pod asks for 4."
    )


def test_amounts_that_are_compared_are_in_one_unit_and_several_have_their_names():
    assert why(a_pod(requests={"cpu": "5"}), a_node("a", cpu="3900m")) == (
        "`default/p` does not fit on the only node: it has 3.9 cpu free, the pod asks for 5."
    )
    told = why(a_pod(requests={"cpu": "48", "memory": "96Gi"}), a_node("a", cpu="31900m", memory="16Gi"))
    assert "31.9 cpu and 16Gi memory free, the pod asks for 48 cpu and 96Gi memory." in told


def test_all_nodes_alike_are_told_once():
    assert why(a_pod(requests={"cpu": "5"}), a_node("a"), a_node("b")) == (
        "`default/p` fits on none of 2 nodes: each has 4 cpu free, the pod asks for 5."
    )
    assert why(a_pod(nodeSelector={"x": "y"}), a_node("a"), a_node("b")) == (
        "`default/p` fits on none of 2 nodes: node affinity/selector on every one."
    )


def test_of_two_closed_nodes_the_one_with_less_against_it_is_closer_and_all_of_that_is_told():
    both = a_node("both", cpu="1", unschedulable=True)
    told = why(a_pod(requests={"cpu": "2"}), both, a_node("shut", unschedulable=True))
    assert told.endswith("unschedulable on every one.")
    told = why(a_pod(requests={"cpu": "5"}), both, a_node("shut", unschedulable=True))
    assert told.endswith("unschedulable on every one. `shut` comes closest: it has 4 cpu free, the pod asks for 5.")


def test_a_node_that_the_pod_does_not_want_is_further_than_one_that_is_closed_to_it():
    both = a_node("both", cpu="1", labels={"x": "y"}, unschedulable=True)
    told = why(a_pod(requests={"cpu": "2"}, nodeSelector={"x": "y"}), both, a_node("unlike"))
    assert told.endswith(
        "`both` comes closest: out by unschedulable, and it has 1 cpu free, the pod asks for 2; "
        "the other is out by node affinity/selector (1)."
    )


def test_what_is_missing_of_several_resources_is_added_up():
    wide, tall = a_node("wide", cpu="4020m", memory="22Gi"), a_node("tall", cpu="3120m", memory="42Gi")
    told = why(a_pod(requests={"cpu": "48", "memory": "96Gi"}), wide, tall, a_node("less", cpu="1"))
    assert "`tall` comes closest: it has 3.12 cpu and 42Gi memory free" in told


def test_more_than_four_other_reasons_are_folded():
    tainted = [a_node(f"t{at}", taints=[{"key": f"k{at}", "effect": "NoSchedule"}]) for at in range(6)]
    told = why(a_pod(requests={"cpu": "9"}), a_node("free"), *tainted)
    assert "`free` comes closest: it has 4 cpu free, the pod asks for 9" in told
    assert told.endswith("untolerated taint {k3: } (1) and 2 more reasons.")


def test_an_overcommitted_node_has_nothing_free():
    cycle = a_cycle(a_pod(requests={"cpu": "1"}), a_node(), a_pod("big", node="n1", requests={"cpu": "6"}))
    cycle.run()
    found = closest(cycle)
    assert [(one.resource, one.asked, one.free) for one in found.short] == [("cpu", 1000, 0)]
