"""A run stops by itself where its condition comes true: exactly there, and whoever drives it."""

import pytest

from scheduler.engine.errors import Invalid
from scheduler.models import Cluster, Event
from scheduler.runner import Runner
from scheduler.services import object_create, object_delete, run_pause, run_start
from tests.scheduler.builders import START_US, a_cluster, a_pod

pytestmark = pytest.mark.django_db(transaction=True)
HUGE = a_pod("huge-0", cpu="64")


def ran(until: str, cluster: Cluster | None = None, speed: float = 0, turns: int = 60) -> Cluster:
    """A cluster of three nodes and six waiting pods, run until it stops."""
    cluster = cluster or a_cluster(pods=6, more=[HUGE])
    run_start(cluster.pk, speed, until)
    driven(cluster, turns)
    return cluster


def driven(cluster: Cluster, turns: int = 60) -> None:
    runner = Runner()
    for _ in range(turns):
        runner.turn()
        for one in runner._runs.values():
            one._sleep_until = 0.0
        cluster.refresh_from_db()
        if cluster.wanted == Cluster.Wanted.PAUSED:
            runner._let_all_go()
            return
    raise AssertionError("the run did not end")


def last(cluster: Cluster, kind: str) -> Event:
    return Event.objects.filter(cluster=cluster, kind=kind).latest("seq")


@pytest.mark.parametrize(
    ("until", "reason"),
    [
        ("cycle=3", "Stopped: cycle 3 is over."),
        ("cycle=+2", "Stopped: cycle 2 is over."),
        ("bound", "Stopped: a pod was placed."),
        ("bound:web-4", "Stopped: default/web-4 was placed."),
        ("refused:default/huge-0", "Stopped: default/huge-0 was refused."),
        ("unschedulable=1", "Stopped: Unschedulable holds 1 pod."),
        ("active<=2", "Stopped: ActiveQ holds at most 2 pods."),
        ("idle", "Nothing left to do: 1 pod waits for an event."),
        ("idle, cycle=+1", "Stopped: cycle 1 is over."),
        ("scenario", "Stopped: every step of the scenario was played."),
    ],
)
def test_a_run_says_what_stopped_it(until, reason):
    assert ran(until).wanted_reason == reason


def test_a_run_stops_with_the_very_event_that_it_waits_for():
    cluster = ran("bound:web-2")
    finished = last(cluster, "CycleFinished")
    assert finished.payload["pod"] == "default/web-2"
    assert not Event.objects.filter(cluster=cluster, kind="CycleStarted", seq__gt=finished.seq).exists()


@pytest.mark.parametrize("speed", [0, 1000])
def test_a_moment_is_met_to_the_microsecond(speed):
    cluster = ran("time=90s", speed=speed, turns=4000)
    assert cluster.now_us == cluster.start_us + 90_000_000 == START_US + 90_000_000


def test_a_relative_condition_counts_from_its_wish():
    cluster = a_cluster(pods=6)
    ran("cycle=+2", cluster)
    assert run_start(cluster.pk, 0, "cycle=+2,time=+1s").startswith("cycle=4,time=2026-01-01T00:00:01.")


def test_what_happened_while_no_runner_was_there_counts():
    cluster = a_cluster(pods=1, more=[HUGE])
    run_start(cluster.pk, 0, "deleted:web-0")
    object_delete(cluster.pk, "Pod", "default", "web-0")
    driven(cluster)
    assert cluster.wanted_reason == "Stopped: default/web-0 was deleted."
    assert not Event.objects.filter(cluster=cluster, kind="CycleStarted").exists()


def test_a_pause_forgets_the_condition():
    cluster = a_cluster()
    run_start(cluster.pk, 0, "cycle=1")
    run_pause(cluster.pk)
    run_start(cluster.pk, 0)
    driven(cluster)
    assert cluster.wanted_reason.startswith("Nothing left to do")


def test_a_pod_that_comes_later_is_waited_for():
    cluster = a_cluster(pods=0)
    run_start(cluster.pk, 1000, "bound:late")
    runner = Runner()
    runner.turn()
    object_create(cluster.pk, a_pod("late"))
    for one in runner._runs.values():
        one._sleep_until = 0.0
    runner.turn()
    cluster.refresh_from_db()
    assert cluster.wanted_reason == "Stopped: default/late was placed."


@pytest.mark.parametrize(
    "text", ["soon", "bound=x", "active", "active=-1", "time=", "cycle=x", "idle:1", "a,b,c,d,e,f"]
)
def test_a_condition_that_cannot_be_read_starts_nothing(text):
    cluster = a_cluster()
    with pytest.raises(Invalid, match="until"):
        run_start(cluster.pk, 0, text)
    cluster.refresh_from_db()
    assert cluster.wanted == Cluster.Wanted.PAUSED
