"""The runner: what wants to run runs, in bounded slices, by one runner at a time, until nothing is left to do."""

import time
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from scheduler import store
from scheduler.engine.commands import Schedule
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.execution import alive
from scheduler.execution.redis import client
from scheduler.models import Cluster, Event, Pod, UnitedDeployment
from scheduler.runner import lease, loop, run, slices
from scheduler.runner.pace import Pace
from scheduler.services import (
    cycle_step_phase,
    execute,
    object_create,
    run_pause,
    run_start,
)
from scheduler.services.imports import rollout_create
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_cluster, a_node, a_pod
from tests.scheduler.running import Started, at_speed, runner, seqs, turns
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SECOND_US = 1_000_000
__all__ = ["runner"]


def test_a_run_places_every_pod_and_pauses_itself(runner):
    cluster = a_cluster(nodes=3, pods=5, more=[a_pod("huge-0", cpu="64")])
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    assert Pod.objects.filter(cluster=cluster, name__startswith="web", node_name="").count() == 0
    assert cluster.wanted_reason == "Nothing left to do: 1 pod waits for an event."
    assert cluster.lease_holder == ""
    assert seqs(cluster) == list(range(1, cluster.seq + 1))


def test_a_run_decides_as_single_steps_do(runner):
    stepped, ran = a_cluster(pods=6, name="stepped"), a_cluster(pods=6, name="ran")
    for _ in range(6):
        execute(stepped.pk, Schedule())
    run_start(ran.pk, speed=0)
    turns(runner, ran)
    nodes = [dict(Pod.objects.filter(cluster=one).values_list("name", "node_name")) for one in (stepped, ran)]
    assert nodes[0] == nodes[1]
    assert set(nodes[0].values()) == {"node-0", "node-1", "node-2"}


def test_flat_out_a_run_lives_through_what_controllers_do(runner):
    cluster = a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True))
    object_create(cluster.pk, a_united_deployment(4))
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    pods = Pod.objects.filter(cluster=cluster)
    assert [pod.status for pod in pods] == ["Running"] * 4
    status = UnitedDeployment.objects.get(cluster=cluster).manifest["status"]
    assert (status["readyReplicas"], status["updatedReadyReplicas"]) == (4, 4)


def test_the_rollout_demo_makes_its_pods_in_three_zones(runner):
    cluster = rollout_create()
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    nodes = Pod.objects.filter(cluster=cluster).values_list("node_name", flat=True)
    assert sorted(name[0] for name in nodes) == ["a", "a", "a", "a", "b", "b", "b", "c"]


def test_flat_out_a_run_waits_until_pods_of_a_full_subset_have_moved(runner):
    strategy = {"scheduleStrategy": {"type": "Adaptive"}}
    cluster = a_cluster(nodes=1, pods=0, bound=0, settings=Settings(controllers=True))
    object_create(cluster.pk, a_united_deployment(3, cpu="3", topology=strategy))
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    assert Pod.objects.filter(cluster=cluster, labels__contains="subset-name=b").count() == 2
    assert 30 * SECOND_US < cluster.now_us - cluster.start_us < 62 * SECOND_US


def test_flat_out_a_run_ends_where_a_controller_fails_for_ever(runner):
    cluster = a_cluster(nodes=1, pods=0, bound=0, settings=Settings(controllers=True))
    object_create(cluster.pk, a_united_deployment(3, annotations={"podium.dev/fail-create": "a"}))
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    assert Event.objects.filter(cluster=cluster, kind="Reconciled").count() > 5
    assert cluster.now_us - cluster.start_us < 62 * SECOND_US
    assert cluster.wanted_reason.startswith("Nothing to do for now: ")
    assert "; a controller is due in " in cluster.wanted_reason


def test_a_cluster_that_is_paused_is_left_alone(runner):
    cluster = a_cluster()
    runner.turn()
    assert seqs(cluster)[-1] == cluster.seq
    assert runner.seconds_to_sleep() == run.LONGEST_SLEEP_SECONDS


def test_a_run_finishes_the_cycle_that_a_person_left_open(runner):
    cluster = a_cluster(pods=2)
    cycle_step_phase(cluster.pk)
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    assert Pod.objects.filter(cluster=cluster, node_name="").count() == 0


def test_one_runner_leaves_alone_what_another_holds(runner):
    cluster = a_cluster()
    run_start(cluster.pk, speed=1)
    assert lease.take(cluster.pk, "another")
    runner.turn()
    assert runner._runs == {}
    Cluster.objects.filter(pk=cluster.pk).update(lease_expires=timezone.now() - timedelta(seconds=1))
    runner.turn()
    cluster.refresh_from_db()
    assert cluster.lease_holder == runner.holder


def test_of_many_runners_that_reach_for_a_lease_one_gets_it():
    cluster = a_cluster()
    assert [lease.take(cluster.pk, f"runner-{number}") for number in range(5)] == [True, False, False, False, False]


def test_a_runner_that_lost_its_lease_stops_driving(runner):
    cluster = a_cluster()
    run_start(cluster.pk, speed=1)
    runner.turn()
    (mine,) = runner._runs.values()
    Cluster.objects.filter(pk=cluster.pk).update(lease_holder="another", lease_expires=timezone.now() + lease.LEASE)
    mine._renewed = mine._sleep_until = 0.0
    runner.turn()
    cluster.refresh_from_db()
    assert runner._runs == {}
    assert cluster.lease_holder == "another"


def test_a_slice_is_bounded(monkeypatch):
    cluster = a_cluster(pods=0)
    simulation = store.state_at(cluster.pk)
    ticks = iter(range(1000))
    monkeypatch.setattr(slices.time, "monotonic", lambda: next(ticks) * 0.05)
    monkeypatch.setattr(Simulation, "handle", lambda self, command: [object()])
    monkeypatch.setattr(slices, "can_schedule", lambda simulation: True)
    made = slices.work(simulation, Pace(0, 0), NoFailures(), seconds=0.2)
    assert len(made) == 3


class NoFailures:
    def observe(self, events): ...


def test_at_a_speed_the_virtual_clock_follows_the_real_one(runner):
    cluster = a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")])
    start_us = cluster.now_us
    run_start(cluster.pk, speed=10)
    runner.turn()
    cluster.refresh_from_db()
    assert Event.objects.filter(cluster=cluster, kind="CycleFinished").count() == 1
    seq = cluster.seq
    at_speed(runner, cluster, 5)
    assert cluster.seq == seq  # nothing was due in these 50 virtual seconds
    at_speed(runner, cluster, 40)
    attempts = Event.objects.filter(cluster=cluster, kind="CycleFinished").values_list("at_us", flat=True)
    assert len(attempts) == 2  # unschedulable pods are tried again after five minutes
    assert 300 * SECOND_US <= attempts[1] - start_us <= 345 * SECOND_US


def test_at_a_hundredth_of_the_speed_a_cycle_takes_a_second(runner):
    cluster = a_cluster(nodes=2, pods=4)
    run_start(cluster.pk, speed=0.01)
    runner.turn()
    done = Event.objects.filter(cluster=cluster, kind="CycleFinished")
    assert done.count() <= 1  # the first may start at once
    before = done.count()
    assert 0.5 < runner.seconds_to_sleep() <= 1
    for more in (1, 2):
        at_speed(runner, cluster, 1)
        assert done.count() == before + more


def test_slow_motion_slows_cycles_and_no_wait(runner):
    slow, real = (a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")], name=name) for name in ("slow", "real"))
    run_start(slow.pk, speed=0.01)
    runner.turn()
    for _ in range(3):  # a cycle, the wait for the flush, the next cycle, which begins at the flush
        at_speed(runner, slow, 1.1)
    attempts = Event.objects.filter(cluster=slow, kind="CycleFinished")
    assert attempts.count() == 2
    at_speed(runner, slow, 0)
    (one,) = runner._runs.values()
    assert (one._pace.rate, one._pace.awaited_us) == (pytest.approx(110, rel=0.01), slow.start_us + 660 * SECOND_US)
    run_pause(slow.pk)
    turns(runner, slow)
    run_start(real.pk, speed=1)
    runner.turn()
    at_speed(runner, real, 340)
    assert len(told(real)) > slow.seq // 2
    assert told(real) == told(slow)[: len(told(real))]


def told(cluster: Cluster) -> list[tuple[int, str, int]]:
    """What the log says, and when, of all that the cluster did by itself."""
    return list(Event.objects.filter(cluster=cluster).order_by("seq").values_list("seq", "kind", "at_us"))


def test_the_clock_of_a_slow_run_stops_at_what_it_waits_for():
    slow = Pace(0.01, 0).going_on(can_schedule=False, due_us=300 * SECOND_US)
    slow.began -= 2
    assert slow.target_us() == pytest.approx(200 * SECOND_US, rel=0.01)
    slow.began -= 60
    assert slow.target_us() == 300 * SECOND_US  # whoever writes late writes at that moment, not after it
    cycles = slow.going_on(can_schedule=True, due_us=300 * SECOND_US)
    assert (cycles.rate, cycles.zero_us) == (0.01, 300 * SECOND_US)
    assert cycles.going_on(can_schedule=False, due_us=None).rate == 1
    for speed in (0, 1, 10):
        as_before = Pace(speed, 0)
        assert as_before.going_on(can_schedule=False, due_us=300 * SECOND_US) is as_before


def test_a_run_at_a_speed_ends_when_every_pod_has_failed_again_and_again(runner):
    cluster = a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")])
    run_start(cluster.pk, speed=1)
    runner.turn()
    while runner._runs:
        at_speed(runner, cluster, 340)
        at_speed(runner, cluster, 1)
    assert cluster.wanted == Cluster.Wanted.PAUSED
    assert cluster.wanted_reason == "Nothing left to do: 1 pod waits for an event."
    assert Event.objects.filter(cluster=cluster, kind="CycleFinished").count() == 3


def test_the_clock_does_not_go_on_after_the_last_deed_of_a_slow_run(runner):
    cluster = a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")])
    run_start(cluster.pk, speed=0.01)
    runner.turn()
    attempts = Event.objects.filter(cluster=cluster, kind="CycleFinished")
    while attempts.count() < 3:
        at_speed(runner, cluster, 1.1)
    (last,) = runner._runs.values()
    assert last._pace.target_us() <= cluster.now_us  # no wait for the next flush has begun
    assert runner.seconds_to_sleep() == 0
    at_speed(runner, cluster, 0)
    assert cluster.wanted_reason == "Nothing left to do: 1 pod waits for an event."


def test_a_run_without_waiting_pods_sleeps_until_one_comes(runner):
    cluster = a_cluster(pods=0)
    run_start(cluster.pk, speed=1)
    runner.turn()
    cluster.refresh_from_db()
    assert cluster.wanted == Cluster.Wanted.RUNNING
    assert runner.seconds_to_sleep() > 0.9
    object_create(cluster.pk, a_pod("new-0"))
    at_speed(runner, cluster, 0)
    assert Pod.objects.get(cluster=cluster, name="new-0").node_name


def test_a_pause_keeps_the_time_that_has_passed(runner):
    cluster = a_cluster(pods=0)
    start_us = cluster.now_us
    run_start(cluster.pk, speed=2)
    runner.turn()
    run_pause(cluster.pk)
    at_speed(runner, cluster, 30)
    assert 60 * SECOND_US <= cluster.now_us - start_us < 75 * SECOND_US
    assert runner._runs == {}


def test_a_new_node_during_a_run_is_used(runner):
    cluster = a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")])
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    object_create(cluster.pk, a_node("giant", cpu="128", memory="64Gi"))
    run_start(cluster.pk)
    turns(runner, cluster)
    assert Pod.objects.get(cluster=cluster, name="huge-0").node_name == "giant"
    assert cluster.wanted_reason == "Nothing left to do: no pod waits."


def test_an_error_of_one_cluster_stops_that_run_alone(runner, monkeypatch):
    broken, sound = a_cluster(name="broken"), a_cluster(name="sound")
    honest = run.work

    def work(simulation, *arguments):
        if simulation.name == "broken":
            raise ZeroDivisionError("integer division")
        return honest(simulation, *arguments)

    monkeypatch.setattr(run, "work", work)
    run_start(broken.pk, speed=0)
    run_start(sound.pk, speed=0)
    turns(runner, sound)
    broken.refresh_from_db()
    assert broken.wanted_reason == "Stopped by an internal error: ZeroDivisionError: integer division"
    assert sound.wanted_reason == "Nothing left to do: no pod waits."


def test_a_busy_database_costs_a_pause_and_nothing_else(runner, monkeypatch):
    cluster = a_cluster()
    run_start(cluster.pk, speed=0)
    monkeypatch.setattr(loop, "DATABASE_PAUSE_SECONDS", 0.0)
    honest, faults = run.write, [OperationalError("database is locked")] * 2

    def write(*arguments, **options):
        if faults:
            raise faults.pop()
        return honest(*arguments, **options)

    monkeypatch.setattr(run, "write", write)
    turns(runner, cluster)
    assert Pod.objects.filter(cluster=cluster, node_name="").count() == 0


def test_a_deleted_cluster_is_let_go(runner):
    cluster = a_cluster()
    run_start(cluster.pk, speed=1)
    runner.turn()
    Cluster.objects.filter(pk=cluster.pk).delete()
    (one,) = runner._runs.values()
    one._sleep_until = 0.0
    runner.turn()
    assert runner._runs == {}


def test_a_run_goes_on_until_the_pods_that_leave_by_themselves_have_left(runner):
    brief = a_pod("brief-0", cpu="3")
    brief["metadata"]["annotations"] = {"podium.dev/duration": "90s"}
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[brief, a_pod("late-0", cpu="3")])
    start_us = cluster.now_us
    run_start(cluster.pk, speed=0)
    turns(runner, cluster)
    assert not Pod.objects.filter(cluster=cluster, name="brief-0").exists()
    assert Pod.objects.get(cluster=cluster, name="late-0").node_name == "node-0"
    assert 90 * SECOND_US <= cluster.now_us - start_us < 120 * SECOND_US


def test_a_new_speed_holds_from_now_on(runner):
    cluster = a_cluster(pods=0)
    start_us = cluster.now_us
    run_start(cluster.pk, speed=1)
    runner.turn()
    (one,) = runner._runs.values()
    one._pace.began -= 10
    run_start(cluster.pk, speed=100)
    at_speed(runner, cluster, 0)
    run_pause(cluster.pk)
    at_speed(runner, cluster, 1)
    assert 110 * SECOND_US <= cluster.now_us - start_us < 400 * SECOND_US


@pytest.mark.services
def test_a_sleeping_runner_is_woken_by_a_wish_and_is_seen_alive(redis_url, monkeypatch):
    monkeypatch.setattr(loop, "LONGEST_SLEEP_SECONDS", 30.0)
    cluster = a_cluster()
    started = Started()
    try:
        wait_until(lambda: alive("runner"))
        wait_until(lambda: client().pubsub_numsub("podium:doorbell")[0][1] == 1)
        began = time.monotonic()
        run_start(cluster.pk, speed=0)
        wait_until(lambda: Cluster.objects.get(pk=cluster.pk).wanted_reason, 10)
        assert time.monotonic() - began < 5
    finally:
        started.runner.stop.set()
        client().publish("podium:doorbell", "0")
        started.end()
    assert alive("runner") is False


def test_without_redis_a_runner_looks_by_itself(no_redis):
    cluster = a_cluster()
    started = Started()
    try:
        run_start(cluster.pk, speed=0)
        wait_until(lambda: Cluster.objects.get(pk=cluster.pk).wanted_reason, 10)
        assert Pod.objects.filter(cluster=cluster, node_name="").count() == 0
        assert alive("runner") is None
    finally:
        started.end()
