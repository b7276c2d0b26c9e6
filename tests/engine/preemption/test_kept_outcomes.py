"""What is kept of a node is asked anew whenever something changes that it follows from."""

from typing import Any

import msgspec
import pytest

from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import Pod, decode
from scheduler.engine.preemption.record import Preemption
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cluster, a_node, a_pod

PROFILE = Profiles.default().first


def a_full_node() -> ClusterState:
    """Two pods of low priority on it, one of them in an app with a budget, and one of high priority that waits."""
    low = [a_pod(name, node="n1", requests={"cpu": "2"}, labels={"app": name}) for name in ("one", "two")]
    return a_cluster(a_node(), *low, a_pod("high", requests={"cpu": "2"}, priority=100), a_budget(1))


def a_budget(allowed: int) -> dict[str, Any]:
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "budget", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "one"}}},
        "status": {"disruptionsAllowed": allowed},
    }


def tried(cluster: ClusterState, waiting: tuple[Pod, ...] = ()) -> Preemption:
    pod = cluster.get("Pod", "default", "high")
    assert isinstance(pod, Pod)
    cycle = Cycle(cluster.snapshot(), PROFILE, pod, nominated={"n1": waiting} if waiting else {})
    cycle.run()
    assert cycle.post_filter_result is not None
    record = cycle.post_filter_result.details
    assert isinstance(record, Preemption)
    return record


def test_a_node_that_has_not_changed_is_not_tried_again(monkeypatch):
    cluster = a_full_node()
    first = tried(cluster)
    monkeypatch.setattr("scheduler.engine.preemption.dry_run.select_victims", None)
    assert tried(cluster) == first


@pytest.mark.parametrize("gone", ["one", "two"])
def test_a_pod_that_leaves_is_not_a_victim_any_more(gone):
    cluster = a_full_node()
    assert len(tried(cluster).candidates["n1"].pods) == 1
    cluster.delete("Pod", "default", gone)
    cluster.add("Pod", decode("Pod", a_pod("three", node="n1", requests={"cpu": "2"}, priority=1)))
    stays = "one" if gone == "two" else "two"
    assert [pod.pod.name for pod in tried(cluster).victims] == [stays]


def test_a_budget_that_changes_is_minded():
    cluster = a_full_node()
    cluster.delete("Pod", "default", "two")
    cluster.add("Pod", decode("Pod", a_pod("king", node="n1", requests={"cpu": "2"}, priority=100)))
    assert tried(cluster).candidates["n1"].violations == 0
    cluster.update("PodDisruptionBudget", decode("PodDisruptionBudget", a_budget(0)))
    assert tried(cluster).candidates["n1"].violations == 1


def test_pods_that_come_to_wait_for_the_node_or_cease_to_are_minded():
    cluster = a_full_node()
    waiting = decode("Pod", a_pod("waiting", requests={"cpu": "2"}, priority=100))
    assert isinstance(waiting, Pod)
    smaller = msgspec.structs.replace(waiting, spec=msgspec.structs.replace(waiting.spec, containers=[]))
    victims = [len(tried(cluster, pods).victims) for pods in ((), (waiting,), (smaller,), ())]
    assert victims == [1, 2, 1, 1]


def test_pods_of_another_priority_have_other_victims():
    cluster = a_full_node()
    assert len(tried(cluster).victims) == 1
    high = cluster.get("Pod", "default", "high")
    assert isinstance(high, Pod)
    cluster.update("Pod", msgspec.structs.replace(high, spec=msgspec.structs.replace(high.spec, priority=0)))
    assert tried(cluster).candidates == {}
