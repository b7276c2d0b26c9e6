"""A scenario is played by the clock: each step at its moment, once, as if somebody had given the command then."""

import pytest

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.codec import codec
from scheduler.engine.commands import CancelScenario, LoadScenario
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.scenario import ScenarioStep
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import START_US, Scenario, a_node, a_pod


def step(at: float, action: str, manifest: dict) -> ScenarioStep:
    kind, name = manifest["kind"], manifest["metadata"]["name"]
    whole = None if action == "delete" else admit(kind, manifest, Context())
    return ScenarioStep(START_US + round(at * 1e6), action, kind, "" if kind == "Node" else "default", name, whole)


def play(*steps: ScenarioStep) -> Scenario:
    scenario = Scenario()
    scenario.do(LoadScenario("test", steps))
    return scenario


def test_a_step_happens_at_its_moment_and_not_before():
    scenario = play(step(5, "add", a_node("n")))
    scenario.to(4.999999)
    assert scenario.simulation.cluster.get("Node", "", "n") is None
    events = scenario.to(60)
    assert [(event.kind, (event.at_us - START_US) / 1e6) for event in events[:2]] == [
        ("ScenarioStepPlayed", 5.0),
        ("ObjectAdded", 5.0),
    ]


def test_the_next_step_is_a_timer():
    assert play(step(7, "add", a_node("n")), step(3, "add", a_node("m"))).next_timer == 3.0


def test_steps_of_one_moment_happen_in_the_order_of_the_file():
    scenario = play(step(1, "add", a_pod("b")), step(1, "add", a_pod("a")))
    played = [event.happening.name for event in scenario.to(1) if event.kind == "ScenarioStepPlayed"]
    assert played == ["b", "a"]


def test_time_that_passes_in_a_cycle_plays_what_falls_due_in_it():
    scenario = play(step(0.005, "delete", a_node("n")))
    scenario.add(a_node("n"), a_pod("p"))
    scenario.schedule()
    assert scenario.place("p") == "error_backoff"


def test_an_update_keeps_a_running_pod_on_its_node():
    scenario = play(step(5, "update", a_pod("p", uid="other", labels={})))
    scenario.add(a_node("n"), a_pod("p"))
    scenario.schedule()
    scenario.to(6)
    pod = scenario.simulation.pod("default/p")
    assert (pod.node_name, pod.uid, pod.status.phase) == ("n", "uid-p", "Running")


@pytest.mark.parametrize(
    ("action", "manifest", "why"),
    [
        ("add", a_pod("p"), "Pod default/p exists already"),
        ("update", a_pod("q"), "Pod default/q does not exist"),
        ("delete", a_node("m"), "Node m does not exist"),
        ("update", a_pod("p", nodeName="m"), "Pod default/p is on node n"),
    ],
)
def test_a_step_that_cannot_be_done_says_why_and_does_nothing(action, manifest, why):
    scenario = play(step(5, action, manifest))
    scenario.add(a_node("n"), a_pod("p"))
    scenario.schedule()
    events = scenario.to(5)
    assert [(event.kind, event.happening.refused) for event in events] == [("ScenarioStepPlayed", why)]


def test_a_cancelled_scenario_plays_no_more():
    scenario = play(step(1, "add", a_node("a")), step(2, "add", a_node("b")))
    scenario.to(1)
    scenario.do(CancelScenario())
    assert scenario.next_timer is None
    with pytest.raises(Refused):
        scenario.do(CancelScenario())


@pytest.mark.parametrize("at", [-1, 0])
def test_a_step_in_the_past_is_refused(at):
    with pytest.raises(Refused, match="not in the future"):
        play(step(at, "add", a_node("n")))


def test_a_step_that_cannot_be_read_is_refused_whole():
    scenario = Scenario()
    with pytest.raises(Invalid):
        scenario.do(LoadScenario("test", (ScenarioStep(START_US + 1, "add", "Node", "", "n", {"metadata": 1}),)))
    assert len(scenario.simulation.agenda) == 0


def test_a_checkpoint_in_the_middle_plays_the_rest_alike():
    scenario = play(step(1, "add", a_node("a")), step(2, "add", a_pod("p")), step(3, "delete", a_node("a")))
    scenario.to(1.5)
    restored = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    rest = scenario.to(10)
    again = Scenario()
    again.simulation, again.log = restored, []
    assert codec.encode_log(again.to(10)) == codec.encode_log(rest)


def test_the_fold_of_the_log_has_the_same_steps_to_come():
    scenario = play(step(1, "add", a_node("a")), step(2, "add", a_node("b")))
    scenario.to(1)
    folded = Simulation()
    for event in scenario.log:
        folded.apply(event)
    assert folded.agenda.steps() == scenario.simulation.agenda.steps()
