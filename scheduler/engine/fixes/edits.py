"""Edits as commands of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from scheduler.engine.commands import AddObject, ChangeProfile, Command, DeleteObject, UpdateObject
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.change import Arguments, Clone, Create, Edit, Patch, Restart
from scheduler.engine.fixes.manifests import Manifest, anew, cloned, put, with_arguments
from scheduler.engine.objects import ObjectKey, Pod
from scheduler.engine.simulation.simulation import Simulation

Lookup: TypeAlias = Callable[[ObjectKey], Manifest]


def commands(simulation: Simulation, edits: Iterable[Edit], look_up: Lookup) -> tuple[list[Command], list[Command]]:
    """What is to be done before the pod is tried, and what after it was called to activeQ: pods that start anew.

    Manifests are those that `look_up` gives, changed; they are not admitted. A pod whose controller is at work is not
    made anew here: its controller does so.
    """
    first, then = list[Command](), list[Command]()
    for edit in edits:
        kind, namespace, name = edit.key
        if isinstance(edit, Patch):
            first.append(UpdateObject(kind, put(look_up(edit.key), edit.puts)))
        elif isinstance(edit, Clone):
            first.append(AddObject(kind, cloned(look_up(edit.key), edit)))
        elif isinstance(edit, Create):
            first.append(AddObject(kind, edit.manifest))
        elif isinstance(edit, Arguments):
            first.append(ChangeProfile(with_arguments(simulation.configuration, edit)))
        else:
            first.append(DeleteObject(kind, namespace, name))
        if isinstance(edit, Restart) and not is_remade(simulation, simulation.pods[f"{namespace}/{name}"]):
            then.append(AddObject(kind, anew(look_up(edit.key))))
    return first, then


def is_remade(simulation: Simulation, pod: Pod) -> bool:
    """Whether a controller makes a new pod in place of this one."""
    owner = controller_of(pod)
    return simulation.settings.controllers and owner is not None and simulation.cluster.get(*owner) is not None
