"""The fields that a pod template has: merge keys of its lists, and names outside of which a decoder sees nothing.

Source: kubernetes v1.34.1 staging/src/k8s.io/api/core/v1/types.go (patchStrategy, patchMergeKey, json names).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_CONTAINER_LISTS = ("containers", "initContainers", "ephemeralContainers")
_IN_CONTAINER = {
    "env": "name",
    "ports": "containerPort",
    "volumeDevices": "devicePath",
    "volumeMounts": "mountPath",
}
MERGE_KEYS: dict[str, str] = {
    "metadata.ownerReferences": "uid",
    "spec.hostAliases": "ip",
    "spec.imagePullSecrets": "name",
    "spec.resourceClaims": "name",
    "spec.schedulingGates": "name",
    "spec.topologySpreadConstraints": "topologyKey",
    "spec.volumes": "name",
    "spec.volumes.ephemeral.volumeClaimTemplate.metadata.ownerReferences": "uid",
    **{f"spec.{kind}": "name" for kind in _CONTAINER_LISTS},
    **{f"spec.{kind}.{field}": key for kind in _CONTAINER_LISTS for field, key in _IN_CONTAINER.items()},
}
"""Lists of objects that a strategic merge joins item by item, by path (items add nothing to it); others it replaces."""

MERGED_VALUES = frozenset({"metadata.finalizers", "spec.volumes.ephemeral.volumeClaimTemplate.metadata.finalizers"})
"""Lists of plain values that are joined rather than replaced."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEMPLATE = frozenset({"metadata", "spec"})
_METADATA = _names(
    """
    annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation
    labels managedFields name namespace ownerReferences resourceVersion selfLink uid
    """
)
_SPEC = _names(
    """
    activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy enableServiceLinks
    ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets
    initContainers nodeName nodeSelector os overhead preemptionPolicy priority priorityClassName readinessGates
    resourceClaims resources restartPolicy runtimeClassName schedulerName schedulingGates securityContext
    serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain
    terminationGracePeriodSeconds tolerations topologySpreadConstraints volumes
    """
)
_CONTAINER = _names(
    """
    args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe resizePolicy
    resources restartPolicy restartPolicyRules securityContext startupProbe stdin stdinOnce terminationMessagePath
    terminationMessagePolicy tty volumeDevices volumeMounts workingDir
    """
)
_VOLUME = _names(
    """
    awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir ephemeral fc
    flexVolume flocker gcePersistentDisk gitRepo glusterfs hostPath image iscsi name nfs persistentVolumeClaim
    photonPersistentDisk portworxVolume projected quobyte rbd scaleIO secret storageos vsphereVolume
    """
)


def known_fields(template: dict[str, Any]) -> dict[str, Any]:
    """The pod template without what a decoder would not know: of itself, its metadata, spec, containers and volumes."""
    known = _only(template, _TEMPLATE)
    if isinstance(known.get("metadata"), dict):
        known["metadata"] = _only(known["metadata"], _METADATA)
    if isinstance(known.get("spec"), dict):
        spec = known["spec"] = _only(known["spec"], _SPEC)
        for field, names in (*((kind, _CONTAINER) for kind in _CONTAINER_LISTS), ("volumes", _VOLUME)):
            if isinstance(spec.get(field), list):
                spec[field] = [_only(one, names) if isinstance(one, dict) else one for one in spec[field]]
    return known


def _only(given: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key in names}
