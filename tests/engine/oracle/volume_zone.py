"""VolumeZone for one node."""

from scheduler.engine.objects import Node, Pod
from tests.engine.oracle.volume_restrictions import names
from tests.engine.oracle.world import Refusal, World

OLD, NEW = "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"
"""Drawn clusters use no regions."""


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    if OLD not in node.labels and NEW not in node.labels:
        return None
    for name in names(pod):
        claim = world.get("PersistentVolumeClaim", f"{pod.namespace}/{name}")
        if not claim.spec.volume_name:
            continue
        labels = world.get("PersistentVolume", claim.spec.volume_name).labels
        for key in (OLD, NEW):
            if key in labels:
                value = node.labels[key] if key in node.labels else node.labels.get(NEW)
                if value not in labels[key].split("__"):
                    return Refusal(("node(s) had no available volume zone",))
    return None
