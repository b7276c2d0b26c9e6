"""The PersistentVolume that a provisioner makes for a claim whose pod has found its node.

No provisioner runs here: the volume is there at once. Source: sig-storage-lib-external-provisioner and
external-provisioner, as far as scheduling reads what they write.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.objects import CSINode, Node, PersistentVolumeClaim, StorageClass, TopologySelectorTerm
from scheduler.engine.volumes.claims import class_name, namespace_of
from scheduler.engine.volumes.csi import BY_PLUGIN
from scheduler.engine.volumes.matching import STORAGE

PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"

_Manifest = dict[str, Any]


def volume_name(claim: PersistentVolumeClaim) -> str:
    """`pvc-<uid>`; a claim that no API server saw is known by its key."""
    return f"pvc-{claim.uid or f'{namespace_of(claim)}-{claim.name}'}"


def volume_for(
    claim: PersistentVolumeClaim, storage_class: StorageClass, node: Node, csi_node: CSINode | None
) -> _Manifest:
    """A CSI volume of just the size asked for, bound to the claim and reachable where the node's topology says."""
    name, spec = volume_name(claim), claim.spec
    size = ((spec.resources.requests if spec.resources else None) or {}).get(STORAGE)
    in_tree = BY_PLUGIN.get(storage_class.provisioner)
    driver = in_tree.driver if in_tree is not None else storage_class.provisioner
    affinity = _node_affinity(_topology_keys(driver, storage_class, node, csi_node), node)
    optional = {"nodeAffinity": affinity, "volumeAttributesClassName": spec.volume_attributes_class_name}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {PROVISIONED_BY: storage_class.provisioner}},
        "spec": {
            "capacity": {} if size is None else {STORAGE: size},
            "accessModes": list(spec.access_modes or ()),
            "claimRef": claim_reference(claim),
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": class_name(claim),
            "volumeMode": spec.volume_mode or "Filesystem",
            "csi": {"driver": driver, "volumeHandle": name},
            **{field: value for field, value in optional.items() if value is not None},
        },
        "status": {"phase": "Bound"},
    }


def claim_reference(claim: PersistentVolumeClaim) -> _Manifest:
    reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": namespace_of(claim)}
    return {**reference, "name": claim.name, **({"uid": claim.uid} if claim.uid else {})}


def _topology_keys(driver: str, storage_class: StorageClass, node: Node, csi_node: CSINode | None) -> list[str]:
    """The labels that the driver says it goes by on this node, else those that the class's topology names."""
    for one in (csi_node.spec.drivers or ()) if csi_node is not None else ():
        if one.name == driver and one.topology_keys:
            return one.topology_keys
    terms = storage_class.allowed_topologies or ()
    return next((_keys(term) for term in terms if _holds(term, node)), [])


def _keys(term: TopologySelectorTerm) -> list[str]:
    return [one.key for one in term.match_label_expressions or ()]


def _holds(term: TopologySelectorTerm, node: Node) -> bool:
    return all(node.labels.get(one.key) in (one.values or ()) for one in term.match_label_expressions or ())


def _node_affinity(keys: list[str], node: Node) -> _Manifest | None:
    expressions = [
        {"key": key, "operator": "In", "values": [node.labels[key]]}
        for key in dict.fromkeys(keys)
        if key in node.labels
    ]
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}} if expressions else None
