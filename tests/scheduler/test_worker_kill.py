"""A worker, or the broker, lost in the middle of a cycle: it ends in time, with the right numbers, counted once."""

import signal
import subprocess
import threading
import time

import numpy as np
import pytest

from scheduler.execution import decide, report_of
from scheduler.execution.redis import client
from scheduler.management.embedded import server_command, wait_for_redis
from tests.scheduler.fake_cycle import FakeCycle
from tests.services import Worker, using_redis, wait_until

pytestmark = pytest.mark.services
ROWS = 20
EXPECTED = FakeCycle(ROWS)
EXPECTED_DECISION = EXPECTED.run()


@pytest.fixture
def hang(tmp_path):
    """While this file exists, the maps of the upper half of the rows do not return."""
    file = tmp_path / "hang"
    file.touch()
    return file


class Step(threading.Thread):
    """A cycle under way in another thread, in four ranges."""

    def __init__(self, hang):
        super().__init__()
        self.cycle = FakeCycle(ROWS, hang=hang, hang_from=ROWS // 2)
        self.hang, self.mapped = hang, 0
        self.start()

    def run(self):
        self.decision, self.tasks = decide(self.cycle, cluster_id=1, observe=self.observe, range_size=ROWS // 4)

    def observe(self, progress):
        self.mapped += any("rows" in cell for cell in progress["cells"])

    def hangs(self):
        """The lower half has returned, and workers are busy with both ranges of the upper one."""
        return self.mapped == 2 and len(list(self.hang.parent.glob("hangs-*"))) == 2

    def check(self):
        self.join(20)
        assert not self.is_alive()
        assert self.decision == EXPECTED_DECISION
        for name in self.cycle.algorithms:
            assert np.array_equal(self.cycle.raw[name], EXPECTED.raw[name])
            assert np.array_equal(self.cycle.normalized[name], EXPECTED.normalized[name])
        assert sum(task["kind"] == "map" for task in self.tasks) == 4
        assert client().keys("podium:{cycle*") == []

    def maps(self, **where):
        return [
            task
            for task in self.tasks
            if task["kind"] == "map" and all(task[key] == value for key, value in where.items())
        ]


def test_a_worker_killed_for_good_is_replaced_by_this_process(start_worker, hang, settings):
    settings.PODIUM_STEP_DEADLINE_MS = 500
    worker = start_worker()
    step = Step(hang)
    wait_until(step.hangs)
    worker.send(signal.SIGKILL)
    step.check()
    assert len(step.maps(worker="core", resent=True)) == 2
    assert report_of(1, 7)["note"] == (
        "2 of 4 map tasks were lost, so they were computed in place. "
        "1 of 1 reduce task was lost, so it was computed in place."
    )


def test_what_a_killed_worker_held_is_sent_again_to_another(start_worker, hang, settings):
    settings.PODIUM_STEP_DEADLINE_MS = 6000
    worker = start_worker()
    step = Step(hang)
    wait_until(step.hangs)
    worker.send(signal.SIGKILL)
    hang.unlink()
    start_worker()
    step.check()
    assert len(step.maps(resent=True)) == 2
    assert step.maps(worker="core") == []
    assert report_of(1, 7)["note"] == ""


def test_the_task_of_a_killed_worker_process_is_done_by_its_successor(start_worker, hang, settings):
    settings.PODIUM_STEP_DEADLINE_MS = 15_000
    worker = start_worker()
    step = Step(hang)
    wait_until(step.hangs)
    for child in worker.children():
        subprocess.run(["kill", "-9", str(child)], check=True)
    hang.unlink()
    step.check()
    assert step.maps(resent=True) == []


def test_results_of_a_worker_that_wakes_too_late_change_nothing(start_worker, hang, settings):
    settings.PODIUM_STEP_DEADLINE_MS = 300
    worker = start_worker()
    step = Step(hang)
    wait_until(step.hangs)
    worker.send(signal.SIGSTOP)
    step.check()
    hang.unlink()
    worker.send(signal.SIGCONT)
    wait_until(lambda: client().hlen("unacked") == 0 and client().llen("podium") == 0)
    assert client().keys("podium:{cycle*") == []
    again = Step(hang)
    again.check()
    assert again.maps(worker="core") == []


def test_a_broker_killed_mid_cycle_is_replaced_by_this_process(tmp_path, hang, settings):
    socket = tmp_path / "own.sock"
    with subprocess.Popen(server_command(socket)) as server, using_redis(f"unix://{socket}", settings):
        assert not wait_for_redis(f"unix://{socket}", 10)
        worker = Worker(f"unix://{socket}", tmp_path).wait_until_ready()
        try:
            step = Step(hang)
            wait_until(step.hangs)
            server.kill()
            step.join(20)
            assert step.decision == EXPECTED_DECISION
            assert len(step.maps(worker="core")) == 2
        finally:
            worker.end()


def test_a_broker_that_stands_still_holds_a_step_for_seconds_only(tmp_path, hang, settings):
    socket = tmp_path / "own.sock"
    with subprocess.Popen(server_command(socket)) as server, using_redis(f"unix://{socket}", settings):
        assert not wait_for_redis(f"unix://{socket}", 10)
        worker = Worker(f"unix://{socket}", tmp_path).wait_until_ready()
        try:
            step = Step(hang)
            wait_until(step.hangs)
            server.send_signal(signal.SIGSTOP)
            began = time.monotonic()
            step.join(40)
            assert step.decision == EXPECTED_DECISION
            assert time.monotonic() - began < 30
        finally:
            server.send_signal(signal.SIGCONT)
            server.kill()
            worker.end()
