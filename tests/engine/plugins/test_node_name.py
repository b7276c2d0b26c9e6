"""NodeName by examples."""

from scheduler.engine.conformance import cluster_of
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import Pod, PodSpec
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cycle, a_node, a_pod, verdicts


def test_a_pod_that_names_its_node_goes_nowhere_else():
    snapshot = cluster_of([a_node("n1"), a_node("n2")]).snapshot()
    cycle = Cycle(snapshot, Profiles.default().first, Pod(spec=PodSpec(node_name="n2")))
    assert verdicts(cycle, "NodeName") == {"n1": "node(s) didn't match the requested node name", "n2": ""}


def test_a_pod_without_a_name_goes_anywhere():
    assert verdicts(a_cycle(a_pod(), a_node("n1"), a_node("n2")), "NodeName") == {"n1": "", "n2": ""}
