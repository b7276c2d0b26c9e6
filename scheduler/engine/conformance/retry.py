"""The whole loop until nothing can be popped: attempts, PostFilter, failure handler, queue and hints."""

from __future__ import annotations

from itertools import islice
from typing import Any

from scheduler.engine.commands import AddObject, AdvanceClock
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.conformance.until_idle import SETTINGS, START_US, left, step_report, until_idle
from scheduler.engine.objects import key_of
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation

MOST_STEPS = 100_000

Manifest = dict[str, Any]


def run_retry_vector(vector: Manifest) -> Manifest:
    """What this engine says to a `sequence` vector with retries, in the shape of its `expected`."""
    simulation, steps, evicted = _started(vector), list[Manifest](), list[str]()
    for attempt in islice(until_idle(simulation, step_report, smallest_name=True), MOST_STEPS):
        steps.append(attempt.told | {"now_ms": (simulation.now_us - START_US) // 1000})
        evicted += attempt.decision.victims
    pods = [simulation.pod(key) for key in vector["pods"]]
    return {
        "steps": steps,
        "bindings": {pod.key: pod.node_name for pod in pods if pod is not None and pod.node_name},
        "evicted": evicted,
        "left": left(simulation),
    }


def _started(vector: Manifest) -> Simulation:
    """Everything is there; the pending pods came one second apart."""
    simulation, _ = Simulation.create("vector", 1, START_US, vector["config"], SETTINGS)
    waiting: dict[str, Manifest] = {}
    for kind, manifest in admitted(vector["objects"]):
        key = "/".join(key_of(kind, manifest)[1:])
        if kind == "Pod" and key in vector["pods"]:
            waiting[key] = manifest
        else:
            simulation.handle(AddObject(kind, manifest))
    for seconds, key in enumerate(vector["pods"], 1):
        simulation.handle(AdvanceClock(START_US + seconds * SECOND_US))
        simulation.handle(AddObject("Pod", waiting[key]))
    simulation.handle(AdvanceClock(simulation.now_us + SECOND_US))
    return simulation
