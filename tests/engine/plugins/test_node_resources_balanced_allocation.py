"""NodeResourcesBalancedAllocation by examples."""

import pytest

from tests.engine.builders import a_cycle, a_node, a_pod, only, raw_scores

NAME = "NodeResourcesBalancedAllocation"
NODES = [a_node("n1", cpu="4", memory="4Gi"), a_node("n2", cpu="2", memory="8Gi")]


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        # n1: 1/4 and 1/4: even, 100; n2: 1/2 and 1/8: |0.375| / 2 = 0.1875, int(81.25) = 81
        pytest.param({"cpu": "1", "memory": "1Gi"}, {"n1": 100, "n2": 81}, id="two resources"),
        # n1: 1/4 and 0; n2: 1/2 and 0
        pytest.param({"cpu": "1"}, {"n1": 87, "n2": 75}, id="one of them"),
    ],
)
def test_evenly_used_nodes_score_higher(requests, expected):
    assert raw_scores(a_cycle(a_pod(requests=requests), *NODES), NAME) == expected


def test_more_than_two_resources_take_the_standard_deviation():
    resources = [{"name": name} for name in ("cpu", "memory", "ephemeral-storage")]
    nodes = [a_node(name, cpu="2", memory="4Gi", ephemeral_storage="10Gi") for name in ("n1", "n2")]
    profile = only(NAME, **{NAME: {"resources": resources}})
    pod = a_pod(requests={"cpu": "1", "memory": "1Gi", "ephemeral-storage": "5Gi"})
    # 1/2, 1/4, 1/2: mean 5/12, deviation sqrt(((1/12)^2 * 2 + (1/6)^2) / 3) = 0.1178..., int(88.21...) = 88
    assert raw_scores(a_cycle(pod, *nodes, profile=profile), NAME) == {"n1": 88, "n2": 88}


def test_an_overcommitted_resource_counts_as_full():
    pod, used = a_pod(requests={"cpu": "1"}), a_pod("used", node="n1", requests={"memory": "9Gi"})
    profile = only(NAME)
    # memory min(1, 9/4) = 1, cpu 1/4: 0.75 / 2 = 0.375, int(62.5) = 62
    assert raw_scores(a_cycle(pod, *NODES, used, profile=profile), NAME)["n1"] == 62


@pytest.mark.parametrize("requests", [{}, {"cpu": "0"}, {"ephemeral-storage": "1"}])
def test_a_pod_that_asks_for_nothing_of_it_is_not_scored(requests):
    assert raw_scores(a_cycle(a_pod(requests=requests), *NODES, profile=only(NAME)), NAME) is None
