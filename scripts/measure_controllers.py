#!/usr/bin/env python
"""How much of the processor controllers take: a workload of many pods, or a UnitedDeployment of many subsets.

    scripts/measure_controllers.py CloneSet 5000
    scripts/measure_controllers.py UnitedDeployment 10000

Prints seconds of the processor by phase, and how much of them was spent in looks of controllers.
"""

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import AddObject, AdvanceClock, AdvanceToNextTimer, Schedule, UpdateObject
from scheduler.engine.controllers import fire
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation

LABELS = {"app": "web"}


class Looks:
    """Counts and times `fire.reconcile`."""

    def __init__(self) -> None:
        self.count, self.seconds = 0, 0.0
        self._reconcile = fire.reconcile
        fire.reconcile = self

    def __call__(self, state: Simulation, key: ObjectKey) -> None:
        began = time.process_time()
        self._reconcile(state, key)
        self.count, self.seconds = self.count + 1, self.seconds + time.process_time() - began


def template(image: str) -> dict[str, Any]:
    container = {"name": "main", "image": image, "resources": {"requests": {"cpu": "100m"}}}
    return {"metadata": {"labels": LABELS}, "spec": {"containers": [container]}}


def a_workload(kind: str, size: int, image: str = "app:1") -> dict[str, Any]:
    spec = {"replicas": size, "selector": {"matchLabels": LABELS}, "template": template(image)}
    if kind == "StatefulSet":
        spec["podManagementPolicy"] = "Parallel"
    if kind == "UnitedDeployment":
        spec["template"] = {"cloneSetTemplate": {"metadata": {"labels": LABELS}, "spec": {"template": template(image)}}}
        spec["topology"] = {"subsets": [{"name": f"s{number:05}"} for number in range(size)]}
    return {"kind": kind, "metadata": {"name": "web", "namespace": "default"}, "spec": spec}


def run(simulation: Simulation, seconds: float) -> None:
    """Every pod is tried as soon as it can be, and every timer fires."""
    end = simulation.now_us + round(seconds * SECOND_US)
    while simulation.now_us < end:
        if not simulation.handle(Schedule()):
            due = simulation.next_timer_us
            simulation.handle(AdvanceToNextTimer() if due is not None and due <= end else AdvanceClock(end))


def main(kind: str, size: int) -> None:
    simulation, _ = Simulation.create("measured", 7, 1_700_000_000 * SECOND_US, {}, {"controllers": True})
    for number in range(max(size // 50, 3)):
        status = {"allocatable": {"cpu": "64", "memory": "64Gi", "pods": "110"}}
        simulation.handle(AddObject("Node", {"metadata": {"name": f"n{number}"}, "status": status}))
    looks = Looks()

    def phase(name: str, seconds: float, command: Any = None) -> None:
        looks.count, looks.seconds, began = 0, 0.0, time.process_time()
        if command is not None:
            simulation.handle(command)
        run(simulation, seconds)
        print(
            f"{name:<24}{time.process_time() - began:8.2f} s, {looks.count:,} looks {looks.seconds:.2f} s", flush=True
        )

    manifest = admit(kind, a_workload(kind, size), Context())
    if kind == "UnitedDeployment":
        phase("3 s: all subsets made", 3, AddObject(kind, manifest))
        phase("5 s: pods placed", 5)
        return
    phase("70 s: made and ready", 70, AddObject(kind, manifest))
    phase("60 s of an update", 60, UpdateObject(kind, admit(kind, a_workload(kind, size, "app:2"), Context())))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
