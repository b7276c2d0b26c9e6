"""A runner in the test's own hands, turn by turn, or in a thread."""

import threading

import pytest

from scheduler.models import Cluster, Event
from scheduler.runner import Runner


@pytest.fixture
def runner():
    made = Runner()
    yield made
    made._let_all_go()


def turns(runner: Runner, cluster: Cluster, limit: int = 100) -> Cluster:
    """Turn after turn, without sleeping, until the run is over."""
    for _ in range(limit):
        runner.turn()
        for one in runner._runs.values():
            one._sleep_until = 0.0
        cluster.refresh_from_db()
        if cluster.wanted == Cluster.Wanted.PAUSED:
            return cluster
    raise AssertionError("the run did not end")


def seqs(cluster: Cluster) -> list[int]:
    return list(Event.objects.filter(cluster=cluster).order_by("seq").values_list("seq", flat=True))


def at_speed(runner: Runner, cluster: Cluster, seconds: float) -> None:
    """Pretend that this much real time has passed since the run began."""
    (one,) = runner._runs.values()
    one._pace.began -= seconds
    one._sleep_until = 0.0
    runner.turn()
    cluster.refresh_from_db()


class Started:
    """A runner in a thread of its own."""

    def __init__(self):
        self.runner = Runner()
        self.thread = threading.Thread(target=self.runner.run)
        self.thread.start()

    def end(self):
        self.runner.stop.set()
        self.thread.join(10)
        assert not self.thread.is_alive()
