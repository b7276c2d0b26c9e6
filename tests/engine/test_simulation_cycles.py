"""Cycles: opening, the snapshot they read, what happens meanwhile, and what follows from their decision."""

import pytest

from scheduler.engine.commands import ActivatePods, PopPod, ReachPhase, Schedule
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.simulation.settings import Settings
from tests.engine.scenario import START_US, Scenario, a_node, a_pod, kinds, with_metadata


@pytest.fixture
def scenario() -> Scenario:
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("web"))
    return scenario


def test_a_pod_that_fits_costs_two_events_and_ten_milliseconds(scenario):
    events = scenario.do(Schedule())
    assert kinds(events) == ["CycleStarted", "CycleFinished"]
    assert scenario.now == 0.01
    assert scenario.node_of("web") == "n1"
    assert scenario.place("web") == ""


def test_a_bound_pod_runs_and_started_when_it_was_bound(scenario):
    scenario.schedule()
    status = scenario.simulation.pod("default/web").status
    assert (status.phase, status.start_time) == ("Running", "2025-01-01T00:00:00.010000Z")


def test_pods_are_taken_by_priority_then_by_arrival():
    scenario = Scenario()
    scenario.add(a_node("n1", cpu="32"))
    for second, (name, priority) in enumerate([("a", 0), ("b", 5), ("c", 5), ("d", 9)]):
        scenario.to(second)
        scenario.add(a_pod(name, priority=priority))
    popped = []
    while name := scenario.pop():
        popped.append(name)
        scenario.finish("bound", node="n1")
    assert popped == ["d", "b", "c", "a"]


def test_nothing_to_pop_is_no_event():
    assert Scenario().do(PopPod()) == []
    assert Scenario().do(Schedule()) == []


def test_one_cycle_at_a_time(scenario):
    scenario.add(a_pod("other"))
    scenario.pop()
    assert scenario.do(PopPod()) == []
    assert scenario.simulation.open_cycle.number == 1


def test_schedule_finishes_the_cycle_that_is_open(scenario):
    scenario.pop()
    assert kinds(scenario.do(Schedule())) == ["CycleFinished"]


def test_an_open_cycle_reads_the_cluster_of_its_pop(scenario):
    scenario.add(a_pod("big", cpu="9", priority=1))
    assert scenario.pop() == "big"
    scenario.add(a_node("giant", cpu="64"))
    assert scenario.simulation.cycle_for_open().run().message.startswith("0/1 nodes are available")


def test_what_happens_meanwhile_lets_a_failed_pod_try_again_after_its_backoff(scenario):
    scenario.add(a_pod("big", cpu="9", priority=1))
    scenario.pop()
    scenario.add(a_node("giant", cpu="64"))
    recorded = scenario.log[-1].happening
    assert (recorded.label, recorded.in_flight) == ("NodeAdd", True)
    scenario.do(Schedule())
    assert scenario.place("big") == "backoff"
    assert scenario.schedule() == "giant"


def test_an_event_that_does_not_help_leaves_the_pod_unschedulable(scenario):
    scenario.add(a_pod("big", cpu="9", priority=1))
    scenario.pop()
    scenario.add(a_node("tiny", cpu="1"))
    scenario.do(Schedule())
    assert scenario.place("big") == "unschedulable"


def test_a_pod_without_any_node_failed_with_an_error():
    scenario = Scenario()
    scenario.add(a_pod("web"))
    scenario.do(Schedule())
    assert scenario.place("web") == "error_backoff"
    assert scenario.simulation.last_message("default/web") == "no nodes available to schedule pods"


def test_the_last_message_is_kept_until_the_pod_is_bound(scenario):
    scenario.add(a_pod("big", cpu="9"))
    while scenario.schedule() != "nothing to do":
        pass
    assert "Insufficient cpu" in scenario.simulation.last_message("default/big")
    scenario.add(a_node("giant", cpu="64"))
    assert scenario.schedule() == "giant"
    assert scenario.simulation.last_message("default/big") == ""


def test_a_cycle_held_open_ends_when_it_ends(scenario):
    scenario.pop()
    scenario.to(7)
    scenario.finish("bound", node="n1")
    assert scenario.now == 7


@pytest.mark.parametrize(
    ("meanwhile", "message"),
    [
        pytest.param(lambda s: s.delete("Node", "n1"), 'node "n1" is gone', id="node deleted"),
        pytest.param(lambda s: s.delete("Pod", "web"), "pod default/web is gone", id="pod deleted"),
        pytest.param(lambda s: s.update(a_pod("web", nodeName="n1")), "has been bound meanwhile", id="bound outside"),
        pytest.param(
            lambda s: (s.delete("Pod", "web"), s.add(a_pod("web", uid="another"))),
            "pod default/web is gone",
            id="pod created anew",
        ),
    ],
)
def test_a_decision_that_cannot_be_carried_out_is_an_error(scenario, meanwhile, message):
    scenario.pop()
    meanwhile(scenario)
    events = scenario.finish("bound", node="n1")
    decision = events[0].happening.decision
    assert decision["outcome"] == "error"
    assert message in decision["message"]


def test_a_pod_created_anew_while_in_flight_waits_on_its_own(scenario):
    scenario.pop()
    scenario.delete("Pod", "web")
    scenario.add(a_pod("web"))
    assert scenario.place("web") == "active"
    scenario.finish("bound", node="n1")
    assert scenario.node_of("web") == "n1"
    assert scenario.place("web") == ""


def test_the_failure_of_a_pod_that_waits_again_already_changes_nothing(scenario):
    scenario.pop()
    scenario.delete("Pod", "web")
    scenario.add(a_pod("web"))
    before = scenario.entry("web")
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",))
    assert scenario.place("web") == "active"
    assert scenario.entry("web") == before


def test_a_pod_on_its_way_out_is_passed_over(scenario):
    scenario.update(with_metadata(a_pod("web"), deletionTimestamp="2025-01-01T00:00:00Z"))
    scenario.add(a_pod("next"))
    assert scenario.pop() == "next"
    skipped = next(event.happening for event in scenario.log if event.kind == "CycleFinished")
    assert skipped.decision["message"] == "skip schedule deleting pod: default/web"


def test_phases_are_recorded_once(scenario):
    scenario.pop()
    assert kinds(scenario.do(ReachPhase("Filter"))) == ["PhaseReached"]
    assert scenario.do(ReachPhase("Filter")) == []
    assert scenario.simulation.open_cycle.phase == "Filter"
    with pytest.raises(Refused, match="no phase"):
        scenario.do(ReachPhase("Lunch"))


def test_finishing_without_an_open_cycle_is_refused(scenario):
    with pytest.raises(Refused, match="No cycle is open"):
        scenario.finish("bound", node="n1")


def test_a_decision_of_another_shape_is_invalid(scenario):
    scenario.pop()
    with pytest.raises(Invalid):
        scenario.finish("bound", node=5)


def test_activating_a_waiting_pod_ignores_its_backoff(scenario):
    scenario.fail()
    scenario.do(ActivatePods(("default/web",)))
    assert scenario.place("web") == "active"


def test_activating_a_pod_in_flight_is_remembered(scenario):
    scenario.pop()
    scenario.do(ActivatePods(("default/web",)))
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",))
    assert scenario.place("web") == "backoff"


def test_activating_a_gated_pod_leaves_it_gated():
    scenario = Scenario()
    scenario.add(a_pod("web", schedulingGates=[{"name": "quota"}]))
    scenario.do(ActivatePods(("default/web",)))
    assert scenario.place("web") == "gated"


# --- preemption's effects ---------------------------------------------------------------------------------------------


def preempting(settings: Settings | None = None) -> Scenario:
    scenario = Scenario(settings)
    scenario.add(a_node("n1"), a_pod("small-1", nodeName="n1"), a_pod("small-2", nodeName="n1"))
    scenario.add(a_pod("vip", cpu="4", priority=100))
    scenario.pop()
    return scenario


VICTIMS = {"nominated_node": "n1", "victims": ("default/small-1", "default/small-2")}


@pytest.mark.parametrize("asynchronous", [True, False])
def test_victims_go_and_the_preemptor_gets_their_node(asynchronous):
    scenario = preempting(Settings(async_preemption=asynchronous))
    events = scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    gone = [event.happening for event in events if event.kind == "ObjectDeleted"]
    assert [(one.name, one.cause, one.by) for one in gone] == [
        ("small-1", "preempted", "default/vip"),
        ("small-2", "preempted", "default/vip"),
    ]
    assert scenario.simulation.pod("default/vip").nominated_node_name == "n1"
    assert [pod.name for pod in scenario.simulation.nominated_pods()["n1"]] == ["vip"]
    assert scenario.place("vip") == "backoff"
    assert scenario.schedule() == "n1"
    assert scenario.simulation.nominated_pods() == {}


def test_while_victims_are_deleted_the_preemptor_is_held_by_a_gate():
    scenario = preempting()
    events = scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    moves = [event.happening for event in events if event.kind == "PodMoved"]
    assert [(move.target, move.entry.gating_plugin) for move in moves] == [
        ("unschedulable", ""),
        ("gated", "DefaultPreemption"),
        ("backoff", ""),
    ]


@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_victim_that_is_terminating_already_is_left_to_its_own_end(asynchronous):
    scenario = preempting(Settings(async_preemption=asynchronous))
    leaving = a_pod("small-1", nodeName="n1")
    scenario.update(with_metadata(leaving, deletionTimestamp="2025-01-01T00:00:30Z"))
    events = scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    assert [one.happening.name for one in events if one.kind == "ObjectDeleted"] == ["small-2"]
    assert scenario.simulation.pod("default/vip").nominated_node_name == "n1"


def test_where_all_victims_are_terminating_the_preemptor_waits():
    scenario = preempting()
    for name in ("small-1", "small-2"):
        scenario.update(with_metadata(a_pod(name, nodeName="n1"), deletionTimestamp="2025-01-01T00:00:30Z"))
    events = scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    assert "ObjectDeleted" not in kinds(events)
    assert scenario.place("vip") == "unschedulable"
    assert [pod.name for pod in scenario.simulation.nominated_pods()["n1"]] == ["vip"]


@pytest.mark.parametrize(("names", "place"), [(("small-1",), "backoff"), (("small-1", "small-2"), "active")])
def test_where_all_victims_have_gone_meanwhile_the_preemptor_is_activated(names, place):
    scenario = preempting()
    for name in names:
        scenario.delete("Pod", name)
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    assert scenario.place("vip") == place
    assert scenario.simulation.pod("default/vip").nominated_node_name == "n1"


def test_before_v1_33_lower_nominations_were_taken_away_after_the_victims():
    scenario = Scenario(Settings(async_preemption=False))
    scenario.add(a_node("n1"), a_pod("small-1", nodeName="n1"), a_pod("small-2", nodeName="n1"))
    scenario.add({**a_pod("low", priority=1), "status": {"nominatedNodeName": "n1"}})
    scenario.add(a_pod("vip", cpu="4", priority=100))
    assert scenario.pop() == "vip"
    events = scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    told = [event.kind for event in events if event.kind in ("ObjectDeleted", "PodNominated")]
    assert told == ["ObjectDeleted", "ObjectDeleted", "PodNominated", "PodNominated"]


def test_the_algorithm_itself_finds_the_victims_and_the_pod_its_place():
    scenario = Scenario()
    scenario.add(a_node("n1"), a_node("n2", cpu="2"), a_pod("kept", cpu="3", nodeName="n1", priority=100))
    scenario.add(a_pod("small", nodeName="n1"), a_pod("other", nodeName="n2"), a_pod("vip", cpu="2", priority=100))
    assert scenario.schedule() == ""
    assert scenario.simulation.pod("default/small") is not None
    assert scenario.simulation.pod("default/other") is None
    assert scenario.simulation.pod("default/vip").nominated_node_name == "n2"
    assert scenario.schedule() == "n2"


def test_a_lower_nominee_of_the_node_loses_its_nomination():
    scenario = preempting()
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    scenario.add(a_pod("small-3", nodeName="n1"), a_pod("king", cpu="4", priority=1000))
    assert scenario.pop() == "king"
    scenario.finish(unschedulable_plugins=("Fit",), nominated_node="n1", victims=("default/small-3",))
    assert scenario.simulation.pod("default/vip").nominated_node_name == ""
    assert [pod.name for pod in scenario.simulation.nominated_pods()["n1"]] == ["king"]


def test_a_failure_may_take_the_pods_own_nomination_away():
    scenario = preempting()
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    assert scenario.pop() == "vip"
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), nominated_node="")
    assert scenario.simulation.pod("default/vip").nominated_node_name == ""
    assert scenario.simulation.nominated_pods() == {}


@pytest.mark.parametrize(("live", "place"), [(True, "backoff"), (False, "unschedulable")])
def test_a_live_scheduler_sees_a_bound_nominee_leave_and_wakes_lower_pods(live, place):
    scenario = preempting(Settings(fulfilled_nominations_wake=live))
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    scenario.add(a_pod("low"), a_pod("high", priority=200))
    for _ in range(2):
        scenario.pop()
        scenario.finish(unschedulable_plugins=("NodeResourcesFit",))
    assert scenario.schedule() == "n1"
    assert scenario.place("low") == place
    assert scenario.place("high") == "unschedulable"


def test_a_deleted_nominee_gives_its_node_back():
    scenario = preempting()
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), **VICTIMS)
    scenario.delete("Pod", "vip")
    assert scenario.simulation.nominated_pods() == {}


# --- pods that end by themselves --------------------------------------------------------------------------------------


def test_a_pod_with_a_lifetime_leaves_when_it_is_over(scenario):
    scenario.add(with_metadata(a_pod("job", priority=1), annotations={"podium.dev/duration": "90s"}))
    assert scenario.schedule() == "n1"
    assert scenario.next_timer == 90.01
    events = scenario.to(100)
    assert [(event.happening.name, event.happening.cause) for event in events if event.kind == "ObjectDeleted"] == [
        ("job", "completed")
    ]
    assert events[0].at_us == START_US + 90_010_000


def test_a_pod_deleted_before_its_time_is_not_missed(scenario):
    for name, lifetime in (("job", "90s"), ("late", "2m")):
        scenario.add(with_metadata(a_pod(name, priority=1), annotations={"podium.dev/duration": lifetime}))
        assert scenario.schedule() == "n1"
    scenario.delete("Pod", "job")
    assert scenario.next_timer == 120.02
    assert kinds(scenario.to(100)) == ["ClockAdvanced"]


def test_its_end_wakes_pods_that_had_no_room():
    scenario = Scenario()
    job = with_metadata(a_pod("job", cpu="4", priority=1), annotations={"podium.dev/duration": "1m"})
    scenario.add(a_node("n1"), job, a_pod("web"))
    assert [scenario.schedule(), scenario.schedule()] == ["n1", ""]
    scenario.to(61)
    assert scenario.schedule() == "n1"


def test_decisions_go_through_the_log_unchanged(scenario):
    scenario.pop()
    decision = scenario.simulation.cycle_for_open().run()
    events = scenario.finish(**decision.to_data())
    assert Decision.from_data(events[0].happening.decision) == decision
