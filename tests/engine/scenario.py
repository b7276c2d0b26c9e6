"""A small cluster to play with: builders of manifests, and a simulation that checks itself after every command."""

from typing import Any

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import (
    AddObject,
    AdvanceClock,
    Command,
    DeleteObject,
    FinishCycle,
    PopPod,
    Schedule,
    UpdateObject,
)
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.events import Event
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation

START_US = 1_735_689_600_000_000
"""2025-01-01T00:00:00Z, a whole second."""

Manifest = dict[str, Any]


def a_node(name: str, cpu: str = "4", **spec: Any) -> Manifest:
    resources = {"cpu": cpu, "memory": "16Gi", "pods": "110"}
    return {"kind": "Node", "metadata": {"name": name}, "spec": spec, "status": {"allocatable": resources}}


def a_pod(name: str, cpu: str = "1", priority: int = 0, **spec: Any) -> Manifest:
    container = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": spec.pop("uid", f"uid-{name}")},
        "spec": {"containers": [container], "priority": priority, **spec},
    }


def with_metadata(manifest: Manifest, **metadata: Any) -> Manifest:
    return {**manifest, "metadata": {**manifest["metadata"], **metadata}}


class Scenario:
    """Pods are named without their namespace, `default`. `log` holds every event; times are seconds since the start."""

    def __init__(self, settings: Settings | None = None, configuration: Manifest | None = None, seed: int = 1) -> None:
        self.simulation, self.log = Simulation.create("test", seed, START_US, configuration, settings)

    def do(self, command: Command) -> list[Event]:
        events = self.simulation.handle(command)
        self.log += events
        self.simulation.validate()
        return events

    # --- commands -----------------------------------------------------------------------------------------------------

    def add(self, *manifests: Manifest) -> None:
        for manifest in manifests:
            self.do(AddObject(manifest["kind"], admit(manifest["kind"], manifest, Context())))

    def update(self, manifest: Manifest) -> list[Event]:
        return self.do(UpdateObject(manifest["kind"], admit(manifest["kind"], manifest, Context())))

    def delete(self, kind: str, name: str) -> list[Event]:
        return self.do(DeleteObject(kind, "" if kind == "Node" else "default", name))

    def to(self, seconds: float) -> list[Event]:
        return self.do(AdvanceClock(START_US + round(seconds * 1_000_000)))

    def schedule(self) -> str:
        """One attempt; the node it ended on, "" for none."""
        events = self.do(Schedule())
        ends = [event.happening.decision for event in events if event.kind == "CycleFinished"]
        return ends[-1].get("node", "") if ends else "nothing to do"

    def pop(self) -> str:
        self.do(PopPod())
        opened = self.simulation.open_cycle
        return opened.pod.name if opened else ""

    def finish(self, outcome: str = "unschedulable", **decision: Any) -> list[Event]:
        return self.do(FinishCycle(Decision(outcome, **decision).to_data()))

    def fail(self, *plugins: str) -> None:
        """Pop a pod and let its attempt end now, refused by these plugins; by none is an error."""
        self.pop()
        self.finish("unschedulable" if plugins else "error", unschedulable_plugins=plugins)

    # --- looks --------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        return (self.simulation.now_us - START_US) / 1_000_000

    @property
    def next_timer(self) -> float | None:
        at_us = self.simulation.next_timer_us
        return None if at_us is None else (at_us - START_US) / 1_000_000

    def place(self, name: str) -> str:
        queued = self.simulation.queued(f"default/{name}")
        return queued.place if queued else ""

    def entry(self, name: str):
        return self.simulation.queued(f"default/{name}").entry

    def lane(self, place: str) -> list[str]:
        return [queued.pod.name for queued in self.simulation.queue.lane(place)]

    def node_of(self, name: str) -> str:
        return self.simulation.pod(f"default/{name}").node_name


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]
