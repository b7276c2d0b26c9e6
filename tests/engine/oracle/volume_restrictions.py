"""VolumeRestrictions for one node."""

from scheduler.engine.objects import Node, Pod, Volume
from tests.engine.oracle.world import Refusal, World


def is_same_disk(one: Volume, other: Volume) -> bool:
    if one.gce_persistent_disk is not None and other.gce_persistent_disk is not None:
        a, b = one.gce_persistent_disk, other.gce_persistent_disk
        return a["pdName"] == b["pdName"] and not (a.get("readOnly", False) and b.get("readOnly", False))
    if one.aws_elastic_block_store is not None and other.aws_elastic_block_store is not None:
        return one.aws_elastic_block_store["volumeID"] == other.aws_elastic_block_store["volumeID"]
    return False


def names(pod: Pod) -> list[str]:
    return [one.persistent_volume_claim.claim_name for one in pod.spec.volumes or [] if one.persistent_volume_claim]


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    for volume in pod.spec.volumes or []:
        for other in world.pods_on(node):
            if any(is_same_disk(volume, one) for one in other.spec.volumes or []):
                return Refusal(("node(s) had no available disk",), hopeless=False)
    for name in names(pod):
        claim = world.get("PersistentVolumeClaim", f"{pod.namespace}/{name}")
        if "ReadWriteOncePod" not in claim.spec.access_modes:
            continue
        for other_node in world.nodes:
            for other in world.pods_on(other_node):
                if other.namespace == pod.namespace and name in names(other):
                    reason = (
                        "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
                        "already in-use by another pod"
                    )
                    return Refusal((reason,), hopeless=False)
    return None
