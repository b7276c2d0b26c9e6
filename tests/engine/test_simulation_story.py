"""A pod's story: what happened to it, in words, from the log alone."""

import pytest

from scheduler.engine.codec import codec
from scheduler.engine.simulation.settings import CLASSIC, Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.story import story
from scheduler.engine.simulation.story_hints import Answer, answers
from tests.engine.scenario import Scenario, a_node, a_pod, with_metadata


def sentences(scenario: Scenario, pod: str) -> list[str]:
    return [chapter.sentence for chapter in story(scenario.log, f"default/{pod}")]


def test_from_its_creation_to_its_node():
    scenario = Scenario()
    scenario.add(a_node("n1", cpu="1"), a_pod("web", cpu="2"))
    scenario.schedule()
    scenario.add(a_node("n2", cpu="4"))
    scenario.to(2)
    scenario.schedule()
    scenario.delete("Pod", "web")
    assert sentences(scenario, "web") == [
        "Created.",
        "Moved to activeQ (UnschedulablePodAdd).",
        "Popped from activeQ for attempt 1.",
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: "
        "0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
        "Moved to unschedulablePods (ScheduleAttemptFailure).",
        "Moved to backoffQ (NodeAdd, on the hint of NodeResourcesFit).",
        "Moved to activeQ (BackoffComplete).",
        "Popped from activeQ for attempt 2.",
        "Placed on node n2.",
        "Deleted.",
    ]


def test_gates_preemption_and_other_ends():
    scenario = Scenario(Settings(cycle_us=0))
    scenario.add(a_node("n1"), a_pod("small", nodeName="n1"), a_pod("vip", schedulingGates=[{"name": "g"}]))
    scenario.update(a_pod("vip", priority=9))
    scenario.pop()
    scenario.finish(unschedulable_plugins=("Fit",), message="no", nominated_node="n1", victims=("default/small",))
    assert sentences(scenario, "small")[-1] == "Evicted to make room for default/vip."
    told = sentences(scenario, "vip")
    assert told[1] == "Moved to unschedulablePods, gated by SchedulingGates (UnschedulablePodAdd)."
    assert "Updated." in told
    assert "Nominated to node n1." in told


def test_each_chapter_names_its_event_and_cycle():
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("web"))
    scenario.schedule()
    last = story(scenario.log, "default/web")[-1]
    assert (last.kind, last.seq, last.cycle) == ("CycleFinished", scenario.simulation.seq, 1)


def test_of_other_pods_it_says_nothing():
    scenario = Scenario()
    scenario.add(a_pod("web"))
    assert sentences(scenario, "other") == []


# --- why it was, or was not, retried ----------------------------------------------------------------------------------


def answers_to_last(scenario: Scenario, kind: str, pod: str) -> list[Answer]:
    """Asked anew of the log: fold up to the newest event of this kind, and ask what it means for the pod."""
    last = max(number for number, event in enumerate(scenario.log) if event.kind == kind)
    before = Simulation()
    for event in scenario.log[:last]:
        before.apply(event)
    unchanged = codec.encode_checkpoint(before)
    found = answers(before, scenario.log[last].happening, f"default/{pod}")
    assert codec.encode_checkpoint(before) == unchanged
    return found


@pytest.fixture
def waiting() -> Scenario:
    scenario = Scenario(Settings(cycle_us=0))
    scenario.add(a_node("n1", cpu="1"), a_pod("small", nodeName="n1"), a_pod("big", cpu="3"))
    scenario.fail("NodeResourcesFit", "TaintToleration")
    return scenario


@pytest.mark.parametrize(
    ("change", "kind", "expected"),
    [
        pytest.param(
            lambda s: s.add(a_node("n2", cpu="2", taints=[{"key": "k", "effect": "NoSchedule"}])),
            "ObjectAdded",
            [Answer("NodeAdd", "NodeResourcesFit", False), Answer("NodeAdd", "TaintToleration", False)],
            id="a node that is too small and tainted",
        ),
        pytest.param(
            lambda s: s.add(a_node("n2", cpu="4")),
            "ObjectAdded",
            [Answer("NodeAdd", "NodeResourcesFit", True), Answer("NodeAdd", "TaintToleration", True)],
            id="a node with room",
        ),
        pytest.param(
            lambda s: s.update(a_node("n1", cpu="2")),
            "ObjectUpdated",
            [
                Answer("NodeUpdateNodeAllocatable", "NodeResourcesFit", False),
                Answer("NodeUpdateNodeAllocatable", "TaintToleration", None),
            ],
            id="a node that grew too little",
        ),
        pytest.param(
            lambda s: s.delete("Pod", "small"),
            "ObjectDeleted",
            [
                Answer("AssignedPodDelete", "NodeResourcesFit", True),
                Answer("AssignedPodDelete", "TaintToleration", None),
            ],
            id="a pod that went",
        ),
        pytest.param(
            lambda s: s.update(with_metadata(a_pod("big", cpu="3"), labels={"a": "b"})),
            "ObjectUpdated",
            [
                Answer("UnschedulablePodUpdatePodLabel", "NodeResourcesFit", None),
                Answer("UnschedulablePodUpdatePodLabel", "TaintToleration", None),
            ],
            id="a label of its own",
        ),
        pytest.param(lambda s: s.add(a_pod("another")), "ObjectAdded", [], id="another waiting pod"),
    ],
)
def test_the_answers_of_its_plugins_to_any_event_can_be_asked_anew(waiting, change, kind, expected):
    change(waiting)
    assert answers_to_last(waiting, kind, "big") == expected
    retried = waiting.place("big") != "unschedulable"
    assert retried is any(answer.helps for answer in expected)


def test_a_bound_pod_is_an_event_too(waiting):
    waiting.add(a_pod("tiny", cpu="100m"))
    waiting.pop()
    waiting.finish("bound", node="n1")
    assert {answer.event for answer in answers_to_last(waiting, "CycleFinished", "big")} == {"AssignedPodAdd"}


def test_in_words(waiting):
    assert Answer("NodeAdd", "Fit", True).sentence == "Fit says that NodeAdd may help the pod."
    assert Answer("NodeAdd", "Fit", False).sentence == "Fit says that NodeAdd does not help the pod."
    assert Answer("NodeAdd", "Fit", None).sentence == "Fit does not listen to NodeAdd."


def test_a_pod_that_does_not_wait_for_events_has_no_answers(waiting):
    waiting.add(a_pod("fresh"), a_node("n2", cpu="1"))
    assert answers_to_last(waiting, "ObjectAdded", "fresh") == []
    assert answers_to_last(waiting, "ObjectAdded", "nobody") == []


def test_the_classic_scheduler_asks_nobody():
    scenario = Scenario(CLASSIC)
    scenario.add(a_node("n1", cpu="1"), a_pod("big", cpu="3"))
    scenario.fail("NodeResourcesFit")
    scenario.add(a_node("tiny", cpu="1"))
    assert answers_to_last(scenario, "ObjectAdded", "big") == [Answer("NodeAdd", "NodeResourcesFit", True)]
