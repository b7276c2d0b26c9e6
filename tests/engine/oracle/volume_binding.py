"""VolumeBinding for one node."""

from scheduler.engine.labels import node_selector
from scheduler.engine.objects import Node, PersistentVolume, PersistentVolumeClaim, Pod
from scheduler.engine.values import quantity
from tests.engine.oracle.volume_restrictions import names
from tests.engine.oracle.world import Refusal, World

SELECTED = "volume.kubernetes.io/selected-node"


def reaches(volume: PersistentVolume, node: Node) -> bool:
    affinity = volume.spec.node_affinity
    return affinity is None or node_selector(affinity.required).matches("", node.labels)


def size(one: PersistentVolumeClaim) -> int:
    return quantity.value(one.spec.resources.requests["storage"])


def best(world: World, claim: PersistentVolumeClaim, node: Node, taken: list[str]) -> PersistentVolume | None:
    """The volume that was made for the claim, else the smallest."""
    found = []
    for volume in world.all("PersistentVolume"):
        reference, capacity = volume.spec.claim_ref, quantity.value(volume.spec.capacity["storage"])
        if volume.spec.storage_class_name != claim.spec.storage_class_name or capacity < size(claim):
            continue
        if volume.name in taken:
            continue
        if reference is not None:
            if (reference.namespace, reference.name) == (claim.namespace, claim.name):
                return volume if reaches(volume, node) else None
            continue
        modes_fit = all(mode in volume.spec.access_modes for mode in claim.spec.access_modes)
        if volume.status.phase == "Available" and modes_fit and reaches(volume, node):
            found.append((capacity, len(found), volume))
    return min(found)[2] if found else None


def provision(world: World, claim: PersistentVolumeClaim, node: Node) -> str:
    """What is in the way of a new volume."""
    found = world.get("StorageClass", claim.spec.storage_class_name)
    allowed = [
        all(node.labels.get(one.key) in one.values for one in term.match_label_expressions)
        for term in found.allowed_topologies or []
    ]
    if found.provisioner == "kubernetes.io/no-provisioner" or (allowed and not any(allowed)):
        return "node(s) didn't find available persistent volumes to bind"
    driver = world.get("CSIDriver", found.provisioner)
    if driver is None or not driver.spec.storage_capacity:
        return ""
    for capacity in world.all("CSIStorageCapacity"):
        is_near = all(node.labels.get(key) == value for key, value in capacity.node_topology.match_labels.items())
        if capacity.storage_class_name == found.name and is_near and quantity.value(capacity.capacity) >= size(claim):
            return ""
    return "node(s) did not have enough free storage"


def waiting(world: World, claims: list[PersistentVolumeClaim], node: Node) -> str:
    selected = [claim for claim in claims if SELECTED in claim.annotations]
    if any(claim.annotations[SELECTED] != node.name for claim in selected):
        return "node(s) didn't find available persistent volumes to bind"
    taken: list[str] = []
    to_provision = selected
    for claim in sorted([claim for claim in claims if SELECTED not in claim.annotations], key=size):
        volume = best(world, claim, node, taken)
        if volume is None:
            to_provision = [*to_provision, claim]
        else:
            taken.append(volume.name)
    return next((why for claim in to_provision if (why := provision(world, claim, node))), "")


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    claims = [world.get("PersistentVolumeClaim", f"{pod.namespace}/{name}") for name in names(pod)]
    bound = [world.get("PersistentVolume", claim.spec.volume_name) for claim in claims if claim.spec.volume_name]
    reasons = []
    if not all(reaches(volume, node) for volume in bound):
        reasons.append("node(s) didn't match PersistentVolume's node affinity")
    reasons.append(waiting(world, [claim for claim in claims if not claim.spec.volume_name], node))
    found = tuple(filter(None, reasons))
    return Refusal(found) if found else None
