"""The same commands give the same log, byte for byte: in two runs, and in another process with another hash seed."""

import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.codec import codec
from scheduler.engine.commands import LoadScenario
from scheduler.engine.queue.entry import QueuedPod
from scheduler.engine.scenario import ScenarioStep
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.random_commands import lived, scripts
from tests.engine.scenario import START_US, Scenario, a_node, a_pod, with_metadata


def a_busy_week(seed: int = 1) -> Scenario:
    """Ties, failures, backoff, lifetimes, flushes, events in flight, a scenario."""
    scenario = Scenario(seed=seed)
    for number in range(12):
        scenario.add(with_metadata(a_node(f"n{number}"), labels={"topology.kubernetes.io/zone": f"z{number % 3}"}))
    late = admit("Pod", a_pod("late", cpu="2"), Context())
    steps = [ScenarioStep(START_US + at, "add", "Pod", "default", "late", late) for at in (7_000_000, 8_000_000)]
    scenario.do(LoadScenario("late", (*steps, ScenarioStep(START_US + 9_000_000, "delete", "Node", "", "n3"))))
    for number in range(40):
        pod = a_pod(f"p{number}", cpu=f"{300 + number * 50}m", priority=number % 4)
        scenario.add(with_metadata(pod, annotations={"podium.dev/duration": f"{60 + number}s"}))
        if number % 3 == 0:
            scenario.schedule()
        scenario.to(scenario.now + 1.37)
    for _ in range(60):
        scenario.schedule()
    scenario.add(a_pod("huge", cpu="64"))
    scenario.pop()
    scenario.add(a_node("giant", cpu="96"))
    scenario.schedule()
    scenario.to(scenario.now + 900)
    return scenario


def digest(scenario: Scenario) -> str:
    return hashlib.sha256(codec.encode_log(scenario.log)).hexdigest()


def test_two_runs_give_one_log():
    assert digest(a_busy_week()) == digest(a_busy_week())


def test_another_seed_gives_another_log():
    assert digest(a_busy_week(seed=1)) != digest(a_busy_week(seed=2))


def test_another_process_with_another_hash_seed_gives_the_same_log():
    program = "from tests.engine.test_determinism import a_busy_week, digest; print(digest(a_busy_week()))"
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    found = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout.strip() == digest(a_busy_week())


@settings(max_examples=60, deadline=None)
@given(scripts())
def test_every_invariant_holds_after_every_command_and_the_fold_is_the_life(script):
    log = lived(script)
    folded = Simulation()
    for event in log:
        folded.apply(event)
    folded.validate()
    assert codec.encode_log(lived(script)) == codec.encode_log(log)


@settings(max_examples=60, deadline=None)
@given(scripts())
def test_asking_hints_once_for_pods_that_are_alike_changes_nothing(script):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QueuedPod, "likeness", property(lambda queued: queued.key.encode()))
        asked_each = lived(script)
    assert codec.encode_log(lived(script)) == codec.encode_log(asked_each)
