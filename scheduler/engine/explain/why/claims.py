"""A pod's claims in words: which of them cannot be used at all and why, and what a node has no volume for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scheduler.engine.objects import PersistentVolumeClaim
from scheduler.engine.values.quantity import format_amount
from scheduler.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    Claim,
    claims_of,
    class_name,
    is_bound,
    persistent_volume,
    storage_class,
)
from scheduler.engine.volumes.matching import requested
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

PLUGINS = ("VolumeRestrictions", "VolumeBinding", "VolumeZone")


def unusable(cycle: Cycle) -> str:
    """Why claims keep the pod from being tried on any node, as a clause; "" if it is something else."""
    if cycle.pre_filter_status.plugin not in PLUGINS:
        return ""
    claims = _claims(cycle)
    missing = [claim.name for claim in claims if claim.found is None]
    if missing:
        verb = "does not exist" if len(missing) == 1 else "do not exist"
        return f"{_its(missing)} **{verb}**"
    return next((text for claim in claims if claim.found is not None and (text := _fault(cycle, claim.found))), "")


def _claims(cycle: Cycle) -> list[Claim]:
    return list(claims_of(cycle.pod.pod, cycle.snapshot))


def _its(names: Iterable[str]) -> str:
    texts = [f"`{name}`" for name in names]
    return f"its {'claim' if len(texts) == 1 else 'claims'} {listed(texts)}"


def _fault(cycle: Cycle, claim: PersistentVolumeClaim) -> str:
    who, volume, wanted = _its([claim.name]), claim.spec.volume_name or "", class_name(claim)
    is_lost = claim.status is not None and claim.status.phase == "Lost"
    if claim.metadata.deletion_timestamp is not None:
        return f"{who} **is being deleted**"
    if volume and (is_lost or persistent_volume(cycle.snapshot, volume) is None):
        return f"the volume `{volume}` of {who} **does not exist**"
    if is_bound(claim):
        return ""
    found = storage_class(cycle.snapshot, claim)
    if wanted and found is None:
        return f"{who} **is not bound**, and its storage class `{wanted}` does not exist"
    if found is not None and found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER and not volume:
        return ""
    return f"{who} ({asked(claim)}) **is not bound to a volume**"


def asked(claim: PersistentVolumeClaim) -> str:
    """`20Gi of class `fast``."""
    size = format_amount("memory", int(requested(claim)))
    return f"{size} of class `{class_name(claim)}`" if class_name(claim) else size


def waiting(cycle: Cycle) -> str:
    """The claims that still need a volume, with what they ask for: `its claim `data` (20Gi of class `fast`)`."""
    found = [one.found for one in _claims(cycle) if one.found is not None and not is_bound(one.found)]
    if len(found) != 1:
        return _its(one.name for one in found) if found else "its claim"
    return f"{_its([found[0].name])} ({asked(found[0])})"


def volumes(cycle: Cycle, *, gone: bool = False) -> str:
    """The volumes of its bound claims: `its volume `pv-1``. `gone`: only those that do not exist."""
    bound = [one.found.spec.volume_name or "" for one in _claims(cycle) if one.found and is_bound(one.found)]
    names = [f"`{name}`" for name in bound if not gone or persistent_volume(cycle.snapshot, name) is None]
    return f"its {'volume' if len(names) == 1 else 'volumes'} {listed(names)}" if names else "its volume"
