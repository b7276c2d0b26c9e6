"""NodeResourcesFit by examples, with the arithmetic beside the numbers."""

import pytest

from scheduler.engine.framework import Code
from tests.engine.builders import a_cycle, a_node, a_pod, only, raw_scores, verdicts

GPU = "example.com/gpu"


@pytest.mark.parametrize(
    ("used", "wanted", "said"),
    [
        pytest.param({}, {"cpu": "4"}, "", id="exactly all"),
        pytest.param({}, {"cpu": "4001m"}, "Insufficient cpu", id="one over"),
        pytest.param({"cpu": "3"}, {"cpu": "1"}, "", id="exactly what is left"),
        pytest.param({"cpu": "3"}, {"cpu": "1001m"}, "Insufficient cpu", id="one over what is left"),
        pytest.param({"cpu": "9"}, {"cpu": "0"}, "", id="nothing wanted of an overcommitted node"),
        pytest.param(
            {"cpu": "4", "memory": "8Gi"},
            {"cpu": "1", "memory": "1"},
            "Insufficient cpu, Insufficient memory",
            id="two reasons",
        ),
        pytest.param({}, {GPU: "1"}, f"Insufficient {GPU}", id="a resource the node does not have"),
        pytest.param({}, {"ephemeral-storage": "1Gi"}, "Insufficient ephemeral-storage", id="ephemeral storage"),
    ],
)
def test_a_pod_fits_into_what_is_left(used, wanted, said):
    cycle = a_cycle(a_pod(requests=wanted), a_node(), a_pod("used", node="n1", requests=used))
    assert verdicts(cycle, "NodeResourcesFit") == {"n1": said}


@pytest.mark.parametrize(("places", "said"), [("2", ""), ("1", "Too many pods"), ("0", "Too many pods")])
def test_pods_are_counted(places, said):
    cycle = a_cycle(a_pod(), a_node(pods=places), a_pod("used", node="n1"))
    assert verdicts(cycle, "NodeResourcesFit") == {"n1": said}


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        pytest.param({"cpu": "4"}, Code.UNSCHEDULABLE, id="an empty node would do"),
        pytest.param({"cpu": "5"}, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, id="no room even when empty"),
        pytest.param({"cpu": "4", "memory": "9Gi"}, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, id="one resource is enough"),
    ],
)
def test_more_than_the_node_has_is_beyond_help(wanted, code):
    cycle = a_cycle(a_pod(requests=wanted), a_node(), a_pod("used", node="n1", requests={"cpu": "1"}))
    cycle.run()
    assert cycle.trace.first_failures[0].code is code


def test_ignored_extended_resources_are_passed_over():
    wanted = {GPU: "1", "example.org/fpga": "1", "other.io/card": "1"}
    args = {"ignoredResources": [GPU], "ignoredResourceGroups": ["example.org"]}
    cycle = a_cycle(a_pod(requests=wanted), a_node(), profile=only("NodeResourcesFit", NodeResourcesFit=args))
    assert verdicts(cycle, "NodeResourcesFit") == {"n1": "Insufficient other.io/card"}


def scores(strategy, *resources, wanted=None, **more):
    args = {"scoringStrategy": {"type": strategy, "resources": list(resources), **more}}
    nodes = [a_node("small", cpu="2", memory="4Gi", **{GPU: "4"}), a_node("large", cpu="8", memory="16Gi")]
    profile = only("NodeResourcesFit", NodeResourcesFit=args)
    pod = a_pod(requests={"cpu": "1", "memory": "1Gi"} if wanted is None else wanted)
    return raw_scores(a_cycle(pod, *nodes, profile=profile), "NodeResourcesFit")


def test_least_allocated_prefers_the_emptier_node():
    # small: cpu (2000-1000)*100/2000 = 50, memory (4-1)*100/4 = 75, mean 62; large: 87 and 93, mean 90
    assert scores("LeastAllocated") == {"small": 62, "large": 90}


def test_weights_count():
    # small: (50 * 3 + 75) // 4 = 56; large: (87 * 3 + 93) // 4 = 88
    assert scores("LeastAllocated", {"name": "cpu", "weight": 3}, {"name": "memory"}) == {"small": 56, "large": 88}


def test_most_allocated_prefers_the_fuller_node():
    # small: 50 and 25, mean 37; large: 1000*100/8000 = 12 and 6, mean 9
    assert scores("MostAllocated") == {"small": 37, "large": 9}


def test_containers_without_requests_are_taken_for_small_ones():
    # small: 100m of 2 = 95, 200Mi of 4Gi = 95; large: 98 and 98
    assert scores("LeastAllocated", wanted={}) == {"small": 95, "large": 98}


def test_a_resource_that_the_pod_does_not_want_is_left_out():
    assert scores("LeastAllocated", {"name": "cpu"}, {"name": GPU, "weight": 9}) == {"small": 50, "large": 87}


LINE = {"shape": [{"utilization": 0, "score": 0}, {"utilization": 50, "score": 10}, {"utilization": 100, "score": 3}]}


def test_a_broken_line_of_utilization():
    # small: cpu 50 % -> 100, memory 25 % -> 50, mean 75; large: 12 % -> 24, 6 % -> 12, mean 18
    assert scores("RequestedToCapacityRatio", requestedToCapacityRatio=LINE) == {"small": 75, "large": 18}


def test_falling_lines_truncate_towards_zero():
    # 1200m of 2: 60 % -> 100 + trunc(-70 * 10 / 50) = 86; of 8: 15 % -> 30
    wanted = {"cpu": "1200m", "memory": "1Gi"}
    found = scores("RequestedToCapacityRatio", {"name": "cpu"}, wanted=wanted, requestedToCapacityRatio=LINE)
    assert found == {"small": 86, "large": 30}


def test_resources_that_score_nothing_do_not_count_in_the_ratio():
    # memory 4 GiB of 4: 100 % -> 30; cpu 0 % -> 0 and left out: 30, not 15
    wanted = {"cpu": "0", "memory": "4Gi"}
    assert scores("RequestedToCapacityRatio", wanted=wanted, requestedToCapacityRatio=LINE)["small"] == 30
