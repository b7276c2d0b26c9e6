"""Edits as commands of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from scheduler.engine.commands import AddObject, ChangeProfile, Command, DeleteObject, UpdateObject
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.change import Arguments, Clone, Create, Edit, Patch, Restart
from scheduler.engine.fixes.manifests import Manifest, anew, cloned, put, with_arguments
from scheduler.engine.objects import ObjectKey, Pod, key_of
from scheduler.engine.simulation.simulation import Simulation

Lookup: TypeAlias = Callable[[ObjectKey], Manifest]


def commands(simulation: Simulation, edits: Iterable[Edit], look_up: Lookup) -> tuple[list[Command], list[Command]]:
    """What is to be done before the pod is tried, and what after it was called to activeQ: pods that start anew.

    Manifests are those that `look_up` gives, changed; they are not admitted. A pod whose controller is at work is not
    made anew here: its controller does so. An edit finds what those before it have made.
    """
    first, then, made = list[Command](), list[Command](), dict[ObjectKey, Manifest]()

    def written(manifest: Manifest) -> Manifest:
        made[key_of(kind, manifest)] = manifest
        return manifest

    def present(key: ObjectKey) -> Manifest:
        return made[key] if key in made else look_up(key)

    for edit in edits:
        kind, namespace, name = edit.key
        if isinstance(edit, Patch):
            first.append(UpdateObject(kind, written(put(present(edit.key), edit.puts))))
        elif isinstance(edit, Clone):
            first.append(AddObject(kind, written(cloned(present(edit.key), edit))))
        elif isinstance(edit, Create):
            first.append(AddObject(kind, written(edit.manifest)))
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
