"""NodeVolumeLimits for one node."""

from scheduler.engine.objects import Node, Pod
from tests.engine.oracle.world import Refusal, World


def volumes(world: World, pod: Pod, is_csi_node: bool) -> set[tuple[str, str]]:
    """(driver, handle)"""
    found = set()
    for volume in pod.spec.volumes or []:
        if volume.aws_elastic_block_store is not None and is_csi_node:
            found.add(("ebs.csi.aws.com", volume.aws_elastic_block_store["volumeID"]))
        if volume.persistent_volume_claim is None:
            continue
        key = f"{pod.namespace}/{volume.persistent_volume_claim.claim_name}"
        claim = world.get("PersistentVolumeClaim", key)
        if claim.spec.volume_name:
            source = world.get("PersistentVolume", claim.spec.volume_name).spec.csi
            found.add((source["driver"], source["volumeHandle"]))
        else:
            driver = world.get("StorageClass", claim.spec.storage_class_name).provisioner
            found.add((driver, f"not made yet: {key}"))
    return found


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    csi_node = world.get("CSINode", node.name)
    if csi_node is None:
        return None
    limits = {driver.name: driver.allocatable.count for driver in csi_node.spec.drivers}
    used = set().union(*(volumes(world, other, True) for other in world.pods_on(node)))
    idle = set()
    for attachment in world.all("VolumeAttachment"):
        if attachment.spec.node_name == node.name:
            source = world.get("PersistentVolume", attachment.spec.source.persistent_volume_name).spec.csi
            idle.add((attachment.spec.attacher, source["volumeHandle"]))
    new = volumes(world, pod, True) - used
    for driver in {driver for driver, _ in new}:
        held = sum(one == driver for one, _ in used | idle)
        brought = sum(one == driver for one, _ in new)
        if driver in limits and held + brought > limits[driver]:
            return Refusal(("node(s) exceed max volume count",), hopeless=False)
    return None
