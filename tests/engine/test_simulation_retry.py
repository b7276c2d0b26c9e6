"""The whole loop against the real one: queue, failure handler, preemption's effects, hints.

The outcome of each attempt is taken from the vector, so what is tested is everything around the algorithms.
"""

from typing import Any

import pytest

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import AddObject, AdvanceClock, FinishCycle, PopPod
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, GATED, UNSCHEDULABLE
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.vectors import Vector, load

START_US = 1_735_689_600_000_000
SETTINGS = Settings(backoff_flush_us=0, leftover_flush_us=0, fulfilled_nominations_wake=False)
RETRIES = [pytest.param(one, id=one.name) for one in load("sequence") if one.name.startswith("retry")]


def start(vector: Vector) -> Simulation:
    simulation, _ = Simulation.create("retry", 1, START_US, vector.config, SETTINGS)
    context = Context.of(vector.objects)
    pods = {f"{one['metadata'].get('namespace', 'default')}/{one['metadata']['name']}": one for one in vector.objects}
    waiting = {key: pods[key] for key in vector.data["pods"]}
    for manifest in vector.objects:
        if manifest not in waiting.values():
            simulation.handle(AddObject(manifest["kind"], admit(manifest["kind"], manifest, context)))
    for seconds, manifest in enumerate(waiting.values(), start=1):
        simulation.handle(AdvanceClock(START_US + seconds * 1_000_000))
        simulation.handle(AddObject("Pod", admit("Pod", manifest, context)))
    simulation.handle(AdvanceClock(simulation.now_us + 1_000_000))
    return simulation


def decision_of(step: dict[str, Any]) -> Decision:
    if step["bound_to"] is not None:
        return Decision("bound", node=step["bound_to"])
    refused = tuple(step.get("unschedulable_plugins", ()))
    return Decision(
        "unschedulable" if refused else "error",
        message=step["fit_error"],
        unschedulable_plugins=refused,
        nominated_node="" if step.get("nomination_cleared") else step.get("nominated_node"),
        victims=tuple(step.get("victims", ())),
    )


@pytest.mark.parametrize("vector", RETRIES)
def test_pods_are_retried_when_the_real_scheduler_retries_them(vector: Vector):
    simulation = start(vector)
    for number, step in enumerate(vector.expected["steps"]):
        simulation.handle(PopPod())
        opened = simulation.open_cycle
        assert opened is not None, f"nothing to pop in step {number}"
        assert (opened.pod.key, opened.attempt) == (step["pod"], step["attempts"]), f"step {number}"
        simulation.handle(FinishCycle(decision_of(step).to_data()))
        assert simulation.now_us == START_US + step["now_ms"] * 1000
        simulation.validate()
    assert simulation.handle(PopPod()) == []
    assert left(simulation) == vector.expected["left"]
    assert bindings(simulation, vector.data["pods"]) == vector.expected["bindings"]


def left(simulation: Simulation) -> dict[str, list[str]]:
    places = {"active": (ACTIVE,), "backoff": (BACKOFF,), "error_backoff": (ERROR_BACKOFF,)}
    places["unschedulable"] = (UNSCHEDULABLE, GATED)
    lanes = {name: [one for place in some for one in simulation.queue.lane(place)] for name, some in places.items()}
    return {name: sorted(one.key for one in lane) for name, lane in lanes.items()}


def bindings(simulation: Simulation, keys: list[str]) -> dict[str, str]:
    pods = [simulation.pod(key) for key in keys]
    return {pod.key: pod.node_name for pod in pods if pod is not None and pod.node_name}
