"""What could be done about a pod whose claims cannot be used at all: missing, unbound, lost or being deleted."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from scheduler.engine.fixes.change import Create, Effort, Fix
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.missing_claims import ALIKE, ephemeral, missing
from scheduler.engine.fixes.near_volumes import mended, near
from scheduler.engine.fixes.storage_edits import (
    CLASS,
    VOLUME,
    anew,
    bound_claim,
    claim_key,
    claim_spec,
    classes,
    fresh_volume,
    late_class,
    new_volume,
    size_of,
)
from scheduler.engine.objects import PersistentVolumeClaim, StorageClass
from scheduler.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    Claim,
    claims_of,
    class_name,
    is_bound,
    persistent_volume,
    storage_class,
)

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NEAREST = 2
_EMPTY = "The volume is new and empty."


def provide(cycle: Cycle) -> list[Fix]:
    """Every such claim needs its change; where there is one alone, all that comes into question."""
    claims = list(claims_of(cycle.pod.pod, cycle.snapshot))
    found = [sorted(fixes, key=_by_effort) for claim in claims if (fixes := list(_of(cycle, claim)))]
    if len(found) < 2:
        return found[0] if found else []
    return [together([some[0] for some in found])]


def _by_effort(one: Fix) -> tuple[int, float]:
    return one.effort, one.size


def _of(cycle: Cycle, claim: Claim) -> Iterator[Fix]:
    if claim.found is None:
        yield from ephemeral(cycle, claim) if claim.is_ephemeral else missing(cycle, claim)
    elif claim.found.metadata.deletion_timestamp is not None:
        yield _made_anew(cycle, claim.found, "once it is gone")
    elif claim.found.status is not None and claim.found.status.phase == "Lost":
        yield from lost(cycle, claim.found)
    elif not is_bound(claim.found):
        yield from _unbound(cycle, claim.found)
    elif persistent_volume(cycle.snapshot, claim.found.spec.volume_name or "") is None:
        yield from lost(cycle, claim.found)


# --- a claim without its volume ---------------------------------------------------------------------------------------


def lost(cycle: Cycle, claim: PersistentVolumeClaim) -> Iterator[Fix]:
    """Its volume is not there any more."""
    name = claim.spec.volume_name or ""
    title, note = f"Restore the volume `{name}` of its claim `{claim.name}`", "From a backup: the volume is not there."
    volume = new_volume(name, claim_spec(claim), driver=_driver(cycle, claim), claim=claim_key(claim))
    yield Fix("restore-volume", title, (bound_claim(claim, name), volume), Effort.GIVE_UP, 0.5, note=note)
    yield _made_anew(cycle, claim, "with a new volume")


def _driver(cycle: Cycle, claim: PersistentVolumeClaim) -> str:
    found = storage_class(cycle.snapshot, claim)
    return found.provisioner if found is not None else ""


def _made_anew(cycle: Cycle, claim: PersistentVolumeClaim, how: str) -> Fix:
    title, spec = f"Make its claim `{claim.name}` anew {how}", claim_spec(claim)
    if _waits(cycle, claim):
        return Fix("claim-anew", title, anew(claim, spec), Effort.GIVE_UP, 1, note=_EMPTY)
    name = fresh_volume(cycle.snapshot, claim.name)
    volume = new_volume(name, spec, driver=_driver(cycle, claim), claim=claim_key(claim))
    return Fix("claim-anew", title, (*anew(claim, spec, name), volume), Effort.GIVE_UP, 1, note=_EMPTY)


def _waits(cycle: Cycle, claim: PersistentVolumeClaim) -> bool:
    """Whether its class makes the volume once the pod has a node."""
    found = storage_class(cycle.snapshot, claim)
    makes = found is not None and any(one.name == found.name for one in classes(cycle.snapshot))
    return found is not None and makes and found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER


def _unbound(cycle: Cycle, claim: PersistentVolumeClaim) -> Iterator[Fix]:
    """It should have a volume by now: its class does not wait for a pod, or it names its volume itself."""
    wanted, found = claim.spec.volume_name, storage_class(cycle.snapshot, claim)
    if found is not None and found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER and not wanted:
        return
    if wanted and cycle.snapshot.kind(VOLUME).get(wanted) is None:
        yield from lost(cycle, claim)
        return
    volumes = near(cycle, claim, cycle.snapshot.columns.all_rows)
    suitable = [one for one in volumes if not wanted or one.volume.name == wanted]
    for one in suitable[:NEAREST]:
        yield from mended(claim, one, binds=True)
    if found is None and class_name(claim):
        yield from _other_class(cycle, claim)
    late = late_class(cycle.snapshot, class_name(claim))
    if late is not None:
        yield of_class(claim, late.name, Effort.SETTING, 2, "That class makes a volume once the pod has its node.")
    if not suitable or suitable[0].gaps:
        yield _provided(cycle, claim)


def _other_class(cycle: Cycle, claim: PersistentVolumeClaim) -> Iterator[Fix]:
    """There is no such class: it may be a slip."""
    name = class_name(claim)
    late = [one for one in classes(cycle.snapshot) if one.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER]
    for meant in get_close_matches(name, [one.name for one in late], 1, ALIKE):
        note = "No class has the name that it asks for: it may be misspelled."
        yield of_class(claim, meant, Effort.SLIP, 0, note)
    for like in late[:1]:
        title = f"Create the storage class `{name}`, like `{like.name}`"
        yield Fix("class", title, (_class(name, like),), Effort.NODE, 2)


def _class(name: str, like: StorageClass) -> Create:
    manifest = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": CLASS,
        "metadata": {"name": name},
        "provisioner": like.provisioner,
        "volumeBindingMode": like.volume_binding_mode,
    }
    return Create((CLASS, "", name), manifest)


def of_class(claim: PersistentVolumeClaim, name: str, effort: Effort, size: float, note: str) -> Fix:
    """The claim made anew with another class."""
    before = f" instead of `{class_name(claim)}`" if class_name(claim) else ""
    title = f"Make its claim `{claim.name}` anew with class `{name}`{before}"
    return Fix(
        "claim-class", title, anew(claim, {**claim_spec(claim), "storageClassName": name}), effort, size, note=note
    )


def _provided(cycle: Cycle, claim: PersistentVolumeClaim) -> Fix:
    """A new volume that is bound to it, as its provisioner or an administrator would make it."""
    driver, spec = _driver(cycle, claim), claim_spec(claim)
    makes = any(one.name == class_name(claim) for one in classes(cycle.snapshot))
    name = claim.spec.volume_name or fresh_volume(cycle.snapshot, claim.name)
    title = f"Add a volume of **{size_of(claim)}** for its claim `{claim.name}`"
    note = "Its class makes volumes at once: look why its provisioner has not." if makes else ""
    volume = new_volume(name, spec, driver=driver if makes else "", claim=claim_key(claim))
    return Fix("volume", title, (bound_claim(claim, name), volume), Effort.GROW, 0.5, note=note)
