"""What people do to workloads and to the controllers that make their pods."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from scheduler.engine.commands import AdvanceClock, ChangeProfile
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.commit import Committed, write
from scheduler.services.objects import objects_change

OFF = "Controllers are off in this cluster: turn them on first."
NOTHING_DUE = "No controller has anything to do: every workload is as it should be."


def controllers_switch(cluster_id: int, actor: str = "", *, on: bool) -> Committed:
    """Let workloads make, keep and delete their pods, or not. No event where it is so already."""

    def decide(simulation: Simulation) -> Sequence[Event]:
        if simulation.settings.controllers == on:
            return ()
        settings = msgspec.structs.replace(simulation.settings, controllers=on)
        return simulation.handle(ChangeProfile(simulation.configuration, msgspec.to_builtins(settings)))

    return write(cluster_id, decide, actor=actor)


def controllers_step(cluster_id: int, actor: str = "") -> Committed:
    """Move the clock to the next moment at which a controller looks at something. Raises `Refused` if none will."""

    def decide(simulation: Simulation) -> Sequence[Event]:
        if not simulation.settings.controllers:
            raise Refused(OFF)
        due_us = simulation.work.next_us()
        if due_us is None:
            raise Refused(NOTHING_DUE)
        return simulation.handle(AdvanceClock(due_us))

    return write(cluster_id, decide, actor=actor)


def workloads_scale(cluster_id: int, keys: Iterable[ObjectKey], replicas: int, actor: str = "") -> Committed:
    """Set `spec.replicas` of several workloads, together or not at all. Raises `Invalid`, `Refused`."""

    def edit(manifest: dict[str, Any]) -> dict[str, Any]:
        return {**manifest, "spec": {**(manifest.get("spec") or {}), "replicas": replicas}}

    return objects_change(cluster_id, keys, edit, actor)
