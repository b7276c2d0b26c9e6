"""Scenarios: a file of steps becomes part of a cluster's log, from where the virtual clock plays it."""

from collections.abc import Callable, Sequence
from typing import Any

from scheduler.engine.commands import CancelScenario, LoadScenario
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import Event
from scheduler.engine.objects import ObjectKey, key_of, kind_of, merge_patch
from scheduler.engine.scenario import ScenarioStep
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.scenario import ScenarioError, ScenarioFile, Step
from scheduler.services.admit import Admission, InvalidObject
from scheduler.services.commit import Committed, execute, write
from scheduler.services.objects import manifest_of

Manifest = dict[str, Any]
Stored = Callable[[ObjectKey], Manifest | None]
"""The manifest of an object that the cluster has now, None if there is none."""

PATCHES: dict[str, Manifest] = {
    "cordon": {"spec": {"unschedulable": True}},
    "uncordon": {"spec": {"unschedulable": None}},
}


def scenario_load(cluster_id: int, file: ScenarioFile, actor: str = "") -> Committed:
    """Plan all steps from now on, or none. Raises `ScenarioError` by file and line, `Refused` for steps in the past."""

    def stored(key: ObjectKey) -> Manifest | None:
        try:
            return manifest_of(cluster_id, key)
        except Refused:
            return None

    def decide(simulation: Simulation) -> Sequence[Event]:
        return simulation.handle(LoadScenario(file.name, planned(file, simulation, stored)))

    return write(cluster_id, decide, actor=actor)


def scenario_cancel(cluster_id: int, actor: str = "") -> Committed:
    """Forget the steps to come. Raises `Refused` if there are none."""
    return execute(cluster_id, CancelScenario(), actor=actor)


def planned(file: ScenarioFile, simulation: Simulation, stored: Stored) -> tuple[ScenarioStep, ...]:
    """The steps as the engine takes them: admitted manifests, absolute moments, pods of one moment 1 µs apart."""
    now_us = simulation.now_us
    moments = [(now_us + step.after_us if step.after_us is not None else step.at_us, step) for step in file.steps]
    moments.sort(key=lambda moment: moment[0])
    plan = _Plan(file, simulation, stored)
    for at_us, step in moments:
        if step.after_us is None and at_us <= now_us:
            file.fault(f"{step.path}.at", "lies in the past of this cluster")
        plan.add(at_us, step)
    if file.faults:
        faults, file.faults = file.faults, []
        raise ScenarioError(faults)
    return tuple(plan.steps)


class _Plan:
    """Grows step by step; what earlier steps make of an object counts for later patches of it."""

    def __init__(self, file: ScenarioFile, simulation: Simulation, stored: Stored) -> None:
        self.steps: list[ScenarioStep] = []
        self._file, self._stored = file, stored
        self._admission = Admission(simulation)
        self._made: dict[ObjectKey, Manifest | None] = {}
        self._last_us = simulation.now_us

    def add(self, at_us: int, step: Step) -> None:
        kind = _kind_of(step.manifest)
        arrives = kind == "Pod" and step.action == "add"
        at_us = max(at_us, self._last_us + (arrives or not self.steps))
        if step.action == "delete":
            key = key_of(kind, step.manifest)
            self._made[key] = None
            self._plan(at_us, "delete", key, None)
        elif (whole := self._whole(step)) is not None:
            self._admit(at_us, step, whole)

    def _whole(self, step: Step) -> Manifest | None:
        """The complete manifest that the step is to leave behind."""
        if step.action in ("add", "update"):
            return step.manifest
        key = key_of(_kind_of(step.manifest), step.manifest)
        before = self._made[key] if key in self._made else self._stored(key)
        if before is None:
            self._file.fault(f"{step.path}.object", f"there is no {' '.join(filter(None, key))} to {step.action}")
            return None
        merged: Manifest = merge_patch(before, PATCHES.get(step.action, step.manifest))
        return merged

    def _admit(self, at_us: int, step: Step, whole: Manifest) -> None:
        try:
            kind, admitted = self._admission.admitted(whole, at_us)
        except InvalidObject as fault:
            for one in fault.faults:
                self._fault(step, one)
        except Invalid as fault:
            self._fault(step, fault)
        else:
            key = key_of(kind, admitted)
            self._made[key] = admitted
            self._plan(at_us, "add" if step.action == "add" else "update", key, admitted)

    def _fault(self, step: Step, fault: Invalid) -> None:
        self._file.fault(".".join(filter(None, (step.path, "object", fault.path))), fault.message)

    def _plan(self, at_us: int, action: str, key: ObjectKey, manifest: Manifest | None) -> None:
        self._last_us = at_us
        self.steps.append(ScenarioStep(at_us, action, *key, manifest))


def _kind_of(manifest: Manifest) -> str:
    return kind_of(str(manifest.get("apiVersion") or ""), manifest["kind"])
