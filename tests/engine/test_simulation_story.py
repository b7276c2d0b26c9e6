"""A pod's story: what happened to it, in words, from the log alone."""

from scheduler.engine.settings import Settings
from scheduler.engine.story import story
from tests.engine.scenario import Scenario, a_node, a_pod


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
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate",
        "Moved to unschedulablePods (ScheduleAttemptFailure).",
        "Moved to backoffQ (NodeAdd, on the hint of NodeResourcesFit).",
        "Moved to activeQ (BackoffComplete).",
        "Popped from activeQ for attempt 2.",
        "Bound to node n2.",
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
