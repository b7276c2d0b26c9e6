"""Volumes that a claim would take, were it not for one thing: size, class, modes, or who had it before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from scheduler.engine import labels
from scheduler.engine.errors import Invalid
from scheduler.engine.fixes.change import Edit, Effort, Fix, Patch, Path, Put
from scheduler.engine.fixes.combining import merged
from scheduler.engine.fixes.storage_edits import (
    CLAIM,
    VOLUME,
    bound_claim,
    bound_volume,
    claim_key,
    size_of,
    size_text,
    sizes,
)
from scheduler.engine.framework import Int64Array, Nodes
from scheduler.engine.objects import PersistentVolume, PersistentVolumeClaim
from scheduler.engine.values import quantity
from scheduler.engine.volumes.affinity import Reach
from scheduler.engine.volumes.claims import class_name
from scheduler.engine.volumes.matching import STORAGE, is_reserved, requested
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

Gap: TypeAlias = Literal["size", "class", "modes", "kind", "selector", "used"]
_KEPT = "A claim keeps what it was made with: delete it and create it anew."


@dataclass(frozen=True, slots=True)
class Near:
    """`gaps`: all that keeps the claim from taking the volume. `capacity`: in bytes."""

    volume: PersistentVolume
    gaps: tuple[Gap, ...]
    capacity: int


def near(cycle: Cycle, claim: PersistentVolumeClaim, rows: Int64Array | None) -> list[Near]:
    """Volumes that the claim could have after one change at most, nearest first. `rows`: that some of these reach."""
    reach = None if rows is None else Reach(Nodes(cycle.snapshot.columns, rows))
    size = int(requested(claim))
    found = list[Near]()
    for one in cycle.snapshot.kind(VOLUME).values():
        volume = cast(PersistentVolume, one)
        gaps = tuple(_gaps(claim, volume)) if _can_be_had(cycle, claim, volume) else None
        if gaps is not None and len(gaps) < 2 and (reach is None or reach.of(volume).any()):
            found.append(Near(volume, gaps, _capacity(volume)))
    return sorted(found, key=lambda one: (len(one.gaps), abs(one.capacity - size), one.volume.name))


def _can_be_had(cycle: Cycle, claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
    """Not where another claim has it, or is to have it."""
    reserved = volume.spec.claim_ref
    if volume.metadata.deletion_timestamp is not None:
        return False
    if reserved is None or is_reserved(volume, claim):
        return True
    holder = cycle.snapshot.kind(CLAIM).get(f"{reserved.namespace}/{reserved.name}")
    return holder is None or bool(reserved.uid and reserved.uid != holder.uid)


def _gaps(claim: PersistentVolumeClaim, volume: PersistentVolume) -> Iterator[Gap]:
    if _capacity(volume) < int(requested(claim)):
        yield "size"
    if class_name(volume) != class_name(claim):
        yield "class"
    if not set(claim.spec.access_modes or ()) <= set(volume.spec.access_modes or ()):
        yield "modes"
    if (claim.spec.volume_mode or "Filesystem") != (volume.spec.volume_mode or "Filesystem"):
        yield "kind"
    if not is_reserved(volume, claim):
        if volume.spec.claim_ref is not None or (volume.status.phase if volume.status else None) != "Available":
            yield "used"
        if not _is_selected(claim, volume):
            yield "selector"


def _is_selected(claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
    try:
        return not claim.spec.selector or labels.label_selector(claim.spec.selector).matches(volume.labels)
    except Invalid:
        return False


def _capacity(volume: PersistentVolume) -> int:
    return int(quantity.parse((volume.spec.capacity or {}).get(STORAGE)))


def mended(claim: PersistentVolumeClaim, one: Near, *, binds: bool) -> Iterator[Fix]:
    """`binds`: the volume controller is to bind the two then, before a pod can be placed."""
    ends = (bound_claim(claim, one.volume.name), bound_volume(one.volume.name, claim_key(claim))) if binds else ()
    fixes = _of_claim(claim, one), _of_volume(claim, one)
    if not one.gaps and binds:
        note = "They suit each other: the volume controller should have bound them."
        title = f"Bind its claim `{claim.name}` to the volume `{one.volume.name}`"
        yield Fix("bind-claim", title, ends, Effort.SETTING, note=note)
    for fix in (fix for some in fixes for fix in some):
        yield Fix(fix.kind, fix.title, merged([*fix.edits, *ends]), fix.effort, fix.size, note=fix.note)


def _of_claim(claim: PersistentVolumeClaim, one: Near) -> Iterator[Fix]:
    """What the claim may ask for instead."""
    mine, volume = f"its claim `{claim.name}`", f"`{one.volume.name}`"

    def changed(kind: str, title: str, path: Path, value: object, effort: Effort, size: float) -> Fix:
        edits: tuple[Edit, ...] = (Patch(claim_key(claim), (Put(path, value),)),)
        return Fix(kind, f"{title}, as the volume {volume} has it", edits, effort, size, note=_KEPT)

    if "size" in one.gaps and one.capacity:
        share = 1 - one.capacity / int(requested(claim))
        effort = Effort.SETTING if share <= 0.5 else Effort.GIVE_UP
        less, asked = sizes(one.capacity, int(requested(claim)))
        title = f"Ask for **{less}** in {mine} instead of {asked}"
        path: Path = ("spec", "resources", "requests", STORAGE)
        yield changed("claim-size", title, path, size_text(one.capacity), effort, share)
    if "class" in one.gaps:
        title = f"Give {mine} {_classes(claim, one)}"
        path = ("spec", "storageClassName")
        yield changed("claim-class", title, path, class_name(one.volume), Effort.SETTING, 1)
    if "modes" in one.gaps:
        modes = one.volume.spec.access_modes or []
        title = f"Ask for {listed(modes)} in {mine} instead of {listed(claim.spec.access_modes or [])}"
        yield changed("claim-modes", title, ("spec", "accessModes"), list(modes), Effort.SETTING, 2)
    if "kind" in one.gaps:
        kind = one.volume.spec.volume_mode or "Filesystem"
        yield changed(
            "claim-mode", f"Ask for a {kind} volume in {mine}", ("spec", "volumeMode"), kind, Effort.SETTING, 3
        )
    if "selector" in one.gaps:
        yield changed(
            "claim-selector", f"Do without the selector of {mine}", ("spec", "selector"), None, Effort.SETTING, 3
        )


def _classes(claim: PersistentVolumeClaim, one: Near, *, of_claim: bool = False) -> str:
    names = [class_name(one.volume), class_name(claim)][:: -1 if of_claim else 1]
    to, instead = names
    return f"{f'the class `{to}`' if to else 'no class'} instead of {f'`{instead}`' if instead else 'none'}"


def _of_volume(claim: PersistentVolumeClaim, one: Near) -> Iterator[Fix]:
    """What the volume may be instead."""
    name, who = one.volume.name, f"the volume `{one.volume.name}`"

    def changed(kind: str, title: str, puts: tuple[Put, ...], effort: Effort, size: float, note: str = "") -> Fix:
        return Fix(kind, title, (Patch((VOLUME, "", name), puts),), effort, size, note=note)

    if "size" in one.gaps:
        put = Put(("spec", "capacity", STORAGE), size_of(claim))
        before, after = sizes(one.capacity, int(requested(claim)))
        title = f"Enlarge {who} to **{after}** from {before}"
        yield changed("volume-size", title, (put,), Effort.GROW, 1)
    if "class" in one.gaps:
        title = f"Give {who} {_classes(claim, one, of_claim=True)}"
        yield changed("volume-class", title, (Put(("spec", "storageClassName"), class_name(claim)),), Effort.NODE, 1)
    if "used" in one.gaps:
        reserved = one.volume.spec.claim_ref
        note = (
            f"The claim `{reserved.namespace}/{reserved.name}` had it, and what it wrote is there." if reserved else ""
        )
        puts = (Put(("spec", "claimRef")), Put(("status", "phase"), "Available"))
        yield changed("volume-free", f"Make {who} available again", puts, Effort.NODE, 1, note)
