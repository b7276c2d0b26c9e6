"""People and other processes write while a runner drives the cluster: nothing is lost, and people go first."""

import json
import threading
import time
from contextlib import nullcontext

import pytest

from scheduler import store
from scheduler.engine.commands import PopPod, Schedule
from scheduler.execution import precedence
from scheduler.manifests.scenario import read_scenario
from scheduler.models import Event, Pod
from scheduler.runner import run, slices
from scheduler.services import (
    commit,
    cycle_step,
    cycles,
    execute,
    object_create,
    run_pause,
    run_start,
    scenario_load,
)
from tests.scheduler.builders import a_cluster, a_pod
from tests.scheduler.running import Started, at_speed, runner, seqs, turns
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SECOND_US = 1_000_000
__all__ = ["runner"]


@pytest.mark.services
def test_what_others_write_during_a_run_at_a_speed_happens_at_the_present(runner, redis_url):
    cluster = a_cluster(pods=0)
    start_us = cluster.now_us
    run_start(cluster.pk, speed=100)
    runner.turn()
    time.sleep(0.3)
    object_create(cluster.pk, a_pod("new-0"))
    cluster.refresh_from_db()
    assert 30 * SECOND_US <= cluster.now_us - start_us < 3000 * SECOND_US
    assert store.state_at(cluster.pk).queued("default/new-0").entry.timestamp_us == cluster.now_us
    run_pause(cluster.pk)
    at_speed(runner, cluster, 0)
    paused_us = cluster.now_us
    object_create(cluster.pk, a_pod("new-1"))
    cluster.refresh_from_db()
    assert cluster.now_us - paused_us < SECOND_US


def test_two_writers_and_a_runner_lose_nothing(runner):
    cluster = a_cluster(pods=0)
    run_start(cluster.pk, speed=1)
    runner.turn()
    object_create(cluster.pk, a_pod("one-0"))
    execute(cluster.pk, PopPod())
    object_create(cluster.pk, a_pod("two-0"))
    at_speed(runner, cluster, 1)
    at_speed(runner, cluster, 1)
    assert Pod.objects.filter(cluster=cluster, node_name="").count() == 0
    assert seqs(cluster) == list(range(1, cluster.seq + 1))


def test_while_others_write_often_a_run_finds_its_way_in_shorter_slices(runner, monkeypatch):
    cluster, lengths = a_cluster(pods=2, bound=0), []

    def work(simulation, pace, failures, seconds, stop):
        lengths.append(seconds)
        if seconds > 0.02:
            store.forget()
            execute(cluster.pk, Schedule())
        return simulation.handle(Schedule())

    monkeypatch.setattr(run, "work", work)
    run_start(cluster.pk, speed=0)
    execute(cluster.pk, PopPod())
    runner.turn()
    assert lengths == [0.2, 0.05, 0.0125]
    assert seqs(cluster)[-1] > cluster.seq


class Slow:
    """A process that takes longer to come to the head of the log than a run takes to move it."""

    def __init__(self, monkeypatch):
        self.thread, self.honest = threading.current_thread(), store.borrow
        monkeypatch.setattr(store, "borrow", self.borrow)
        for module in (commit, cycles):
            monkeypatch.setattr(module, "_turn", lambda cluster_id: nullcontext())  # like several processes

    def borrow(self, *arguments):
        borrowed = self.honest(*arguments)
        if threading.current_thread() is self.thread:
            time.sleep(2 * slices.SLICE_SECONDS)
        return borrowed


@pytest.mark.services
def test_a_step_goes_before_a_run_flat_out(redis_url, monkeypatch):
    cluster = a_cluster(nodes=4, pods=0)
    brief = a_pod("brief", cpu="1")
    brief["metadata"]["annotations"] = {"podium.dev/duration": "2s"}
    steps = [{"at": "1s", "object": brief, "repeat": {"count": 9_000, "every": "5ms"}}]  # more than it can try
    scenario_load(cluster.pk, read_scenario("rush.yaml", json.dumps(steps)))
    run_start(cluster.pk, speed=0)
    Slow(monkeypatch)
    started, finished = Started(), Event.objects.filter(cluster=cluster, kind="CycleFinished")
    try:
        wait_until(finished.exists)
        began = time.monotonic()
        assert cycle_step(cluster.pk, actor="ada") is not None
        assert time.monotonic() - began < commit.PATIENCE_SECONDS
        at_step = finished.filter(actor="").count()
        wait_until(lambda: finished.filter(actor="").count() > at_step)  # and the run goes on
    finally:
        started.end()
    assert finished.filter(actor="ada").count() == 1
    assert not precedence.asked(cluster.pk)


@pytest.mark.services
def test_a_run_waits_for_whoever_asks_but_not_for_ever(runner, redis_url, monkeypatch):
    cluster = a_cluster(pods=3)
    run_start(cluster.pk, speed=0)
    with precedence.Precedence(cluster.pk) as mine:
        mine.ask()
        runner.turn()
        assert runner.seconds_to_sleep() > 0
        cluster.refresh_from_db()
        assert not Event.objects.filter(cluster=cluster, kind="CycleFinished").exists()
        monkeypatch.setattr(run, "LONGEST_WAIT_SECONDS", 0.0)
        turns(runner, cluster)
    assert Pod.objects.filter(cluster=cluster, node_name="").count() == 0


@pytest.mark.services
def test_who_has_written_or_died_asks_no_longer(redis_url, monkeypatch):
    with precedence.Precedence(7) as mine:
        mine.ask()
        assert precedence.asked(7)
    assert not precedence.asked(7)
    monkeypatch.setattr(precedence, "ASK_SECONDS", -1.0)
    precedence.Precedence(8).ask()
    assert not precedence.asked(8)
