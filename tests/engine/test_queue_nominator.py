"""Nominations: at most one node a pod, oldest first on each node, and kept over updates that do not speak of them."""

from scheduler.engine.objects import decode
from scheduler.engine.queue.nominator import Nominator
from tests.engine.scenario import a_pod


def pod(name: str, nominated: str = "", **spec):
    return decode("Pod", {**a_pod(name, **spec), "status": {"nominatedNodeName": nominated}})


def test_pods_are_listed_in_the_order_of_their_nomination():
    nominator = Nominator()
    for name in ("b", "a", "c"):
        nominator.add(pod(name), "n1")
    nominator.add(pod("b"), "n1")
    assert nominator.pods_on("n1") == ["default/a", "default/c", "default/b"]


def test_a_second_nomination_replaces_the_first():
    nominator = Nominator()
    nominator.add(pod("a"), "n1")
    nominator.add(pod("a"), "n2")
    assert (nominator.nodes(), nominator.node_of(pod("a"))) == (["n2"], "n2")
    nominator.validate()


def test_without_a_node_the_pods_own_status_counts():
    nominator = Nominator()
    nominator.add(pod("a", nominated="n3"))
    nominator.add(pod("b"))
    assert nominator.dump() == [("n3", "uid-a", "default/a")]


def test_a_bound_pod_is_not_nominated():
    nominator = Nominator()
    nominator.add(pod("a", nodeName="n1"), "n1")
    assert nominator.nodes() == []


def test_an_update_that_never_spoke_of_it_keeps_the_nomination():
    nominator = Nominator()
    nominator.add(pod("a"), "n1")
    nominator.update(pod("a"), pod("a"))
    assert nominator.node_of(pod("a")) == "n1"


def test_an_update_that_takes_it_away_or_elsewhere_is_followed():
    nominator = Nominator()
    nominator.add(pod("a", nominated="n1"))
    nominator.update(pod("a", nominated="n1"), pod("a", nominated="n2"))
    assert nominator.node_of(pod("a")) == "n2"
    nominator.update(pod("a", nominated="n2"), pod("a"))
    assert nominator.nodes() == []
