"""Playing a scenario: each step when the clock reaches it, as if somebody had given the command at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler.engine.commands import AddObject, CancelScenario, LoadScenario, UpdateObject
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import ScenarioCancelled, ScenarioLoaded, ScenarioStepPlayed
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.scenario import ACTIONS, ScenarioStep
from scheduler.engine.simulation import objects as simulation_objects
from scheduler.engine.simulation.clock import LATEST_US

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def load(state: Simulation, command: LoadScenario) -> None:
    """Plan the steps. Raises Invalid for one that cannot be read, Refused for one that would lie in the past."""
    for number, step in enumerate(command.steps):
        if step.action not in ACTIONS:
            raise Invalid(f"must be one of {', '.join(ACTIONS)}", f"steps[{number}].action")
        if not state.now_us < step.at_us <= LATEST_US:
            raise Refused(f"Step {number + 1} ({step.action} {step.object}) is not in the future of this cluster.")
        if step.action != "delete":
            simulation_objects.read(step.kind, step.manifest or {})
    if command.steps:
        state.emit(ScenarioLoaded(command.name, list(command.steps)))


def cancel(state: Simulation, command: CancelScenario) -> None:
    if not len(state.agenda):
        raise Refused("No scenario is being played: there is no step to come.")
    state.emit(ScenarioCancelled(len(state.agenda)))


def play_due(state: Simulation) -> None:
    """Steps whose moment has come. One that cannot be done leaves a word why, and no other trace."""
    while (first := state.agenda.first()) is not None and first[1].at_us <= state.now_us:
        number, step = first
        manifest, refused = _resolved(state, step)
        state.emit(ScenarioStepPlayed(number, step.action, step.kind, step.namespace, step.name, refused))
        if refused:
            continue
        if step.action == "add":
            simulation_objects.add(state, AddObject(step.kind, manifest))
        elif step.action == "update":
            simulation_objects.update(state, UpdateObject(step.kind, manifest))
        else:
            simulation_objects.remove(state, step.kind, step.namespace, step.name)


def _resolved(state: Simulation, step: ScenarioStep) -> tuple[dict[str, Any], str]:
    """The manifest as of now, and why the step cannot be done, "" if it can."""
    old = state.cluster.get(step.kind, step.namespace, step.name)
    manifest = step.manifest or {}
    if step.action == "add":
        return manifest, f"{step.object} exists already" if old is not None else ""
    if old is None:
        return manifest, f"{step.object} does not exist"
    if step.action == "delete":
        return manifest, ""
    return _same_object(manifest, old)


def _same_object(manifest: dict[str, Any], old: KubernetesObject) -> tuple[dict[str, Any], str]:
    """An update changes neither who an object is nor where a pod runs."""
    metadata = dict(manifest["metadata"])
    for field, value in (("uid", old.uid), ("creationTimestamp", old.metadata.creation_timestamp)):
        if value:
            metadata[field] = value
    manifest = {**manifest, "metadata": metadata}
    if not isinstance(old, Pod) or not old.node_name:
        return manifest, ""
    spec = {"nodeName": old.node_name, **manifest["spec"]}
    status = dict(manifest.get("status") or {})
    if old.status is not None and old.status.phase:
        status.setdefault("phase", old.status.phase)
    moved = spec["nodeName"] != old.node_name
    return {**manifest, "spec": spec, "status": status}, f"Pod {old.key} is on node {old.node_name}" if moved else ""
