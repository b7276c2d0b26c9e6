"""More nodes like one, and other labels, taints and resources for one."""

import re
from typing import Any

from scheduler.engine.commands import AddObject
from scheduler.engine.errors import Invalid
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.quantity import compare
from scheduler.services.admit import Admission
from scheduler.services.commit import Committed, write
from scheduler.services.nodes import with_cordon
from scheduler.services.objects import manifest_of, objects_change

MOST_CLONES = 500
OVER_MEANS = (
    "The scheduler looks at allocatable alone and places pods up to it; a real kubelet never offers more than its "
    "capacity, so on a real node this would not last."
)
HOSTNAME = "kubernetes.io/hostname"
_OWN_METADATA = ("name", "uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink")
_OWN_SPEC = ("providerID", "podCIDR", "podCIDRs", "externalID")
_OWN_STATUS = ("addresses", "volumesAttached", "volumesInUse")
_NUMBERED = re.compile(r"(.*?)(\d*)")


def node_clone(cluster_id: int, name: str, copies: int, actor: str = "") -> Committed:
    """Create `copies` nodes like this one, uncordoned, with new names. Raises `Refused`, `Invalid`."""
    if not 0 < copies <= MOST_CLONES:
        raise Invalid(f"must be a number from 1 to {MOST_CLONES}", "copies")
    manifest = manifest_of(cluster_id, ("Node", "", name))

    def decide(simulation: Simulation) -> list[Happened]:
        admission, events = Admission(simulation), []
        taken = {info.name for info in simulation.cluster}
        for one in new_names(name, copies, taken):
            kind, admitted = admission.create(clone(manifest, one))
            events += simulation.handle(AddObject(kind, admitted))
        return events

    return write(cluster_id, decide, actor=actor)


def new_names(name: str, copies: int, taken: set[str]) -> list[str]:
    """`node-007` → `node-008`, `node-009`, … as far as they are free; a name without a number gets one."""
    match = _NUMBERED.fullmatch(name)
    assert match is not None
    stem, digits = match.groups()
    stem = stem if digits else f"{name}-"
    found: list[str] = []
    number = int(digits or 1)
    while len(found) < copies:
        number += 1
        one = f"{stem}{number:0{len(digits)}d}"
        if one not in taken:
            found.append(one)
    return found


def clone(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    """The manifest of a node like this one: what belongs to one machine alone is left out."""
    metadata = _without(manifest["metadata"], _OWN_METADATA)
    labels = metadata.get("labels") or {}
    if labels.get(HOSTNAME) == manifest["metadata"]["name"]:
        metadata["labels"] = {**labels, HOSTNAME: name}
    opened = with_cordon(manifest, False)
    spec, status = _without(opened.get("spec") or {}, _OWN_SPEC), _without(manifest.get("status") or {}, _OWN_STATUS)
    return {**opened, "metadata": {"name": name, **metadata}, "spec": spec, "status": status}


def _without(part: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in names}


def node_edit(
    cluster_id: int,
    name: str,
    labels: dict[str, str],
    taints: list[dict[str, str]],
    actor: str = "",
    *,
    allocatable: dict[str, str] | None = None,
) -> Committed:
    """Give a node these labels, taints and, unless None, allocatable resources, and no others.

    A quantity that still reads the same stays as it was written. Raises `Refused`, `Invalid`.
    """

    def edit(manifest: dict[str, Any]) -> dict[str, Any]:
        metadata = {**manifest["metadata"], "labels": labels}
        spec = _without(manifest.get("spec") or {}, ("taints",))
        made = {**manifest, "metadata": metadata, "spec": {**spec, "taints": taints} if taints else spec}
        return made if allocatable is None else _offering(made, allocatable)

    return objects_change(cluster_id, [("Node", "", name)], edit, actor)


def _offering(manifest: dict[str, Any], allocatable: dict[str, str]) -> dict[str, Any]:
    status = manifest.get("status") or {}
    before = status.get("allocatable") or {}
    kept = {name: before[name] if str(before.get(name)) == text else text for name, text in allocatable.items()}
    return {**manifest, "status": {**status, "allocatable": kept}} if kept != before else manifest


def over_capacity(manifest: dict[str, Any]) -> str:
    """A warning where a node offers more of a resource than it has; "" where it does not."""
    status = manifest.get("status") or {}
    capacity, over = status.get("capacity") or {}, []
    for name, amount in (status.get("allocatable") or {}).items():
        if name in capacity and compare(amount, capacity[name]) > 0:
            over.append(f"{name} {amount} (capacity {capacity[name]})")
    if not over:
        return ""
    return f"Allocatable is more than the node has: {', '.join(over)}. {OVER_MEANS}"
