"""Where a placed pod would go now: the attempt on a copy without it, and the sentence that tells of it."""

import pytest

from scheduler.engine.codec import codec
from scheduler.engine.errors import Refused
from scheduler.engine.explain.anew import told_anew
from scheduler.engine.simulation.anew import anew
from scheduler.engine.simulation.fork import fork
from tests.engine.scenario import Scenario, a_node, a_pod, with_metadata


def world(*more, nodes=("1", "4", "8")):
    """Nodes n0, n1, …, with so much cpu."""
    scenario = Scenario()
    scenario.add(*(a_node(f"n{at}", cpu=cpu) for at, cpu in enumerate(nodes)), *more)
    return scenario


def told(scenario, name="mine"):
    simulation = scenario.simulation
    here = simulation.pod(f"default/{name}").node_name
    return told_anew(anew(simulation, f"default/{name}"), here)


@pytest.mark.parametrize(
    ("nodes", "pod", "sentence"),
    [
        pytest.param(
            ("4", "8"), a_pod("mine", nodeName="n0"), "It would go to **`n1`**, not to `n0`, which is", id="away"
        ),
        pytest.param(("4", "8"), a_pod("mine", nodeName="n1"), "It would go to **`n1`** again with", id="again"),
        pytest.param(
            ("4",), a_pod("mine", nodeName="n0"), "again, the only node that passes the filters.", id="only one"
        ),
        pytest.param(
            ("4", "8"), a_pod("mine", cpu="6", nodeName="n0"), "which would refuse it: Insufficient cpu; ", id="too big"
        ),
        pytest.param(
            ("4", "8"), a_pod("mine", nodeName="gone"), "not to `gone`, which the cluster does not have now.", id="gone"
        ),
        pytest.param(("4", "4"), a_pod("mine", cpu="9", nodeName="n0"), "It would find no node. ", id="nowhere"),
    ],
)
def test_the_sentence_says_where_it_would_go_and_what_became_of_its_node(nodes, pod, sentence):
    assert sentence in told(world(pod, nodes=nodes))


def test_of_equal_nodes_the_next_draw_decides():
    sentences = [told(world(a_pod("mine", nodeName=f"n{at}"), nodes=("4", "4", "4"))) for at in range(3)]
    assert sum("by a draw: 2 other nodes have the same total" in one for one in sentences) == 1
    assert sum("and the draw decides." in one for one in sentences) == 2


def test_its_own_room_counts_as_free_and_nothing_is_changed():
    scenario = world(a_pod("mine", cpu="4", nodeName="n1"), nodes=("1", "4"))
    before = codec.encode_checkpoint(scenario.simulation)
    cycle = anew(scenario.simulation, "default/mine")
    assert (cycle.decision.node, len(cycle.feasible)) == ("n1", 1)
    del cycle
    assert codec.encode_checkpoint(scenario.simulation) == before
    scenario.add(a_node("n2"))
    scenario.simulation.validate()


def test_deleting_it_and_adding_it_again_comes_to_the_same():
    held = [a_pod(f"held-{at}", cpu="1", nodeName=f"n{at % 5}") for at in range(7)]
    scenario = world(*held, a_pod("mine", nodeName="n0"), nodes=("4", "8", "8", "6", "8"))
    foretold = anew(scenario.simulation, "default/mine").decision
    copy = fork(scenario.simulation)
    scenario.simulation = copy
    scenario.delete("Pod", "mine")
    scenario.add(a_pod("mine", uid="uid-again"))
    assert scenario.schedule() == foretold.node


def test_preemption_is_told():
    low = a_pod("low", cpu="4", nodeName="n0")
    scenario = world(low, a_pod("mine", cpu="3", priority=9, nodeName="gone"), nodes=("4",))
    assert told(scenario).endswith(" 1 pod of lower priority leaves `n0` for it.")


@pytest.mark.parametrize(
    ("pod", "why"),
    [
        pytest.param(a_pod("mine"), "It has no node", id="pending"),
        pytest.param(a_pod("mine", nodeName="n0") | {"status": {"phase": "Succeeded"}}, "It has ended", id="ended"),
        pytest.param(
            with_metadata(a_pod("mine", nodeName="n0"), deletionTimestamp="2025-01-01T00:00:00Z"),
            "deleted",
            id="leaving",
        ),
        pytest.param(
            a_pod("mine", nodeName="n0", schedulerName="other"),
            "the scheduler other, and no profile",
            id="other scheduler",
        ),
    ],
)
def test_where_nobody_would_schedule_it_that_is_said(pod, why):
    with pytest.raises(Refused, match=why):
        anew(world(pod).simulation, "default/mine")
