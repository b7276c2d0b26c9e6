"""Zones and regions in the labels of persistent volumes.

Source: v1.34.1 plugins/volumezone and cloud-provider volume helpers.
"""

from __future__ import annotations

from scheduler.engine.objects import PersistentVolume

ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
OLD_ZONE, OLD_REGION = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"
LABELS = (OLD_ZONE, OLD_REGION, ZONE, REGION)
RENAMED = {OLD_ZONE: ZONE, OLD_REGION: REGION}
DELIMITER = "__"


def zones(volume: PersistentVolume, label: str) -> frozenset[str] | None:
    """The values of one of the labels; None where there is none, or where one value is empty."""
    value = volume.labels.get(label)
    if value is None:
        return None
    found = frozenset(zone.strip() for zone in value.split(DELIMITER))
    return None if "" in found else found


def topology(volume: PersistentVolume) -> list[tuple[str, frozenset[str]]]:
    """(label, values) of every zone and region label that can be read."""
    return [(label, found) for label in LABELS if (found := zones(volume, label)) is not None]
