"""Edits as commands of a simulation."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler.engine.commands import AddObject, ChangeProfile, Command, DeleteObject, UpdateObject
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.change import Arguments, Clone, Create, Edit, Patch, Restart
from scheduler.engine.fixes.making import Lookup, Making
from scheduler.engine.fixes.manifests import anew, with_arguments
from scheduler.engine.objects import Pod
from scheduler.engine.simulation.simulation import Simulation


def commands(simulation: Simulation, edits: Iterable[Edit], look_up: Lookup) -> tuple[list[Command], list[Command]]:
    """What is to be done before the pod is tried, and what after it was called to activeQ: pods that start anew.

    Manifests are those that `look_up` gives, changed; they are not admitted. A pod whose controller is at work is not
    made anew here: its controller does so.
    """
    first, then, making = list[Command](), list[Command](), Making(look_up)
    for edit in edits:
        kind, namespace, name = edit.key
        if isinstance(edit, Patch):
            first.append(UpdateObject(kind, making.make(edit)))
        elif isinstance(edit, Clone | Create):
            first.append(AddObject(kind, making.make(edit)))
        elif isinstance(edit, Arguments):
            first.append(ChangeProfile(with_arguments(simulation.configuration, edit)))
        else:
            first.append(DeleteObject(kind, namespace, name))
        if isinstance(edit, Restart) and not is_remade(simulation, simulation.pods[f"{namespace}/{name}"]):
            then.append(AddObject(kind, anew(making.present(edit.key))))
    return first, then


def is_remade(simulation: Simulation, pod: Pod) -> bool:
    """Whether a controller makes a new pod in place of this one."""
    owner = controller_of(pod)
    return simulation.settings.controllers and owner is not None and simulation.cluster.get(*owner) is not None
