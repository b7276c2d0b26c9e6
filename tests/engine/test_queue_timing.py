"""When waiting pods come back by themselves: backoff, its flush at whole seconds, the five-minute flush."""

import pytest

from scheduler.engine.commands import ActivatePods, AdvanceClock, AdvanceToNextTimer
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.simulation.clock import LATEST_US
from scheduler.engine.simulation.settings import CLASSIC, PRESETS, SECOND_US, Settings
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import START_US, Scenario, a_node, a_pod, kinds, with_metadata

INSTANT = Settings(cycle_us=0)


def a_failure_at(seconds: float, *plugins: str, settings: Settings = INSTANT) -> Scenario:
    """A pod `web` whose first attempt fails at that time, woken at once by a new node where a plugin refused it."""
    scenario = Scenario(settings)
    scenario.add(a_pod("web"))
    scenario.to(seconds)
    scenario.pop()
    scenario.add(a_node("new", cpu="8"))
    scenario.finish("unschedulable" if plugins else "error", unschedulable_plugins=plugins)
    return scenario


@pytest.mark.parametrize(
    ("failed", "released"),
    [
        pytest.param(100.3, 102, id="expiry 101, its second still counts"),
        pytest.param(100.0, 102, id="on the second"),
        pytest.param(0.606, 2, id="queue/fixed-boundary-second"),
        pytest.param(99.999, 101, id="just before a second: waits 1.001 s"),
    ],
)
@pytest.mark.parametrize("plugins", [("NodeResourcesFit",), ()], ids=["refused", "error"])
def test_a_failed_pod_is_released_at_the_first_whole_second_after_its_expiry(failed, released, plugins):
    scenario = a_failure_at(failed, *plugins)
    assert scenario.place("web") == ("backoff" if plugins else "error_backoff")
    assert scenario.next_timer == released
    scenario.to(released - 0.000001)
    assert scenario.place("web") != "active"
    scenario.to(released)
    assert scenario.place("web") == "active"


def test_an_idle_scheduler_takes_a_refused_pod_out_of_backoff_early():
    scenario = a_failure_at(100.3, "NodeResourcesFit")
    assert scenario.pop() == "web"
    assert scenario.simulation.open_cycle.source == "backoff"
    assert scenario.entry("web").attempts == 2


def test_a_pod_that_failed_with_an_error_is_never_taken_early():
    scenario = a_failure_at(100.3)
    assert scenario.pop() == ""


def test_without_pop_from_backoff_the_flush_ticks_from_the_start_of_the_run():
    # expiry 0.3 + 1 = 1.3, not aligned; ticks at 1, 2, 3, …: released at 2
    scenario = a_failure_at(0.3, settings=Settings(cycle_us=0, pop_from_backoff=False))
    assert scenario.next_timer == 2
    assert scenario.pop() == ""


def test_refusals_double_the_wait_and_an_error_in_between_does_not_reset_them():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("web"))
    waits = []
    for plugins in ((), ("Fit",), ("Fit",), ("Fit",), (), (), ("Fit",)):
        scenario.fail(*plugins)
        scenario.do(ActivatePods(("default/web",)))
        entry = scenario.entry("web")
        waits.append((entry.backoff_expiry_us - entry.timestamp_us) // SECOND_US)
    assert waits == [1, 1, 2, 4, 1, 2, 8]
    assert scenario.entry("web").unschedulable_count == 4
    assert scenario.entry("web").consecutive_errors == 0


def test_pods_in_backoff_come_out_by_second_then_priority_then_time():
    scenario = Scenario(INSTANT)
    for name, priority, failed in (("low", 0, 0), ("high", 10, 0.4), ("late", 99, 1.4)):
        scenario.to(failed)
        scenario.add(a_pod(name, priority=priority))
        scenario.pop()
        scenario.add(a_node(f"for-{name}"))
        scenario.finish(unschedulable_plugins=("NodeResourcesFit",))
    assert scenario.lane("backoff") == ["high", "low", "late"]


def test_after_more_than_five_minutes_a_forgotten_pod_is_tried_again_at_the_next_half_minute():
    scenario = Scenario(INSTANT)
    scenario.to(10)
    scenario.add(a_pod("web"))
    scenario.fail("NodeResourcesFit")
    assert scenario.place("web") == "unschedulable"
    assert scenario.next_timer == 330  # 10 s + 5 min = 310 s; ticks at …, 300, 330
    scenario.to(329)
    assert scenario.place("web") == "unschedulable"
    events = scenario.to(330)
    assert events[-1].kind != "ClockAdvanced"
    assert [(event.happening.target, event.happening.cause) for event in events if event.kind == "PodMoved"] == [
        ("active", "UnschedulableTimeout")
    ]


def test_exactly_five_minutes_are_not_enough():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("web"))
    scenario.fail("NodeResourcesFit")
    assert scenario.next_timer == 330


def test_gated_pods_are_left_alone_by_the_five_minute_flush():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("web", schedulingGates=[{"name": "quota"}]))
    assert scenario.next_timer is None
    scenario.to(4000)
    assert scenario.place("web") == "gated"


def test_a_pod_in_flight_sees_each_flush_of_old_gated_pods_once():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("old", schedulingGates=[{"name": "quota"}]))
    scenario.to(400)
    scenario.add(a_pod("web"))
    scenario.pop()
    events = scenario.to(480)
    flushes = [event for event in events if event.kind == "ClusterEventRecorded"]
    assert [(event.at_us - START_US) // SECOND_US for event in flushes] == [420, 450, 480]
    assert scenario.next_timer == 510


def test_a_timer_that_changes_nothing_leaves_no_event():
    scenario = Scenario(INSTANT)
    assert kinds(scenario.to(3600)) == ["ClockAdvanced"]
    assert scenario.to(3600) == []
    assert scenario.do(AdvanceToNextTimer()) == []


def test_each_timer_fires_at_its_own_moment():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("one"), a_pod("two"))
    scenario.fail()
    scenario.to(5)
    scenario.fail()
    events = scenario.to(60)
    moves = [(event.happening.pod, event.at_us) for event in events if event.kind == "PodMoved"]
    assert [(pod, (at - scenario.log[0].at_us) / 1e6) for pod, at in moves] == [("default/two", 7.0)]
    assert scenario.now == 60


def test_a_run_can_jump_from_timer_to_timer():
    scenario = Scenario(INSTANT)
    scenario.add(a_pod("web"))
    moments = []
    for _ in range(6):
        scenario.fail()
        scenario.do(AdvanceToNextTimer())
        moments.append(scenario.now)
    assert moments == [2, 5, 10, 19, 30, 41]  # waits 1, 2, 4, 8, 10, 10 s, each released a second late


def test_the_classic_preset_moves_all_and_keeps_one_backoff_queue():
    settings, bounds = PRESETS["classic"]
    assert settings is CLASSIC
    scenario = Scenario(
        settings, {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **bounds}
    )
    scenario.add(a_pod("one"), a_pod("two"))
    scenario.fail("NodeName")
    scenario.fail()
    assert scenario.place("one") == "unschedulable"
    assert scenario.place("two") == "backoff"
    scenario.add(a_node("small", cpu="1"))
    assert scenario.lane("backoff") == ["one", "two"]
    assert scenario.pop() == ""
    assert scenario.simulation.queue.backoff.duration_us(9) == 60 * SECOND_US


def test_the_clock_ends_where_years_have_more_than_four_digits():
    scenario = Scenario()
    scenario.add(with_metadata(a_pod("web"), creationTimestamp="2025-01-01T00:00:00Z"), a_node("n1"))
    scenario.do(AdvanceClock(LATEST_US))
    assert scenario.schedule() == "n1"
    assert scenario.simulation.pod("default/web").status.start_time.startswith("9999-01-01")
    for late in (LATEST_US + 1_000_000, 2**63, 10**30):
        with pytest.raises(Refused, match="The clock ends"):
            scenario.do(AdvanceClock(late))


@pytest.mark.parametrize("start_us", [LATEST_US + 1, -LATEST_US, 10**30])
def test_a_cluster_begins_before_the_clock_ends(start_us):
    with pytest.raises(Invalid, match="start_us"):
        Simulation.create("late", 1, start_us)
