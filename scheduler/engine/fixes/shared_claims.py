"""What could be done about a claim for one pod alone that another pod uses."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from scheduler.engine.fixes.change import Edit, Effort, Fix, Patch, Put
from scheduler.engine.fixes.storage_edits import VOLUME, claim_key
from scheduler.engine.volumes.claims import claims_of
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

MANY = "ReadWriteMany"
_MODES = ("spec", "accessModes")


def shared(cycle: Cycle, names: Collection[str]) -> list[Fix]:
    """`names`: of its ReadWriteOncePod claims. Claim and volume are to say ReadWriteMany."""
    edits, told = list[Edit](), list[str]()
    for claim in claims_of(cycle.pod.pod, cycle.snapshot):
        if claim.found is None or claim.name not in names:
            continue
        told.append(f"`{claim.name}`")
        edits.append(Patch(claim_key(claim.found), (Put(_MODES, [MANY]),)))
        volume = claim.found.spec.volume_name or ""
        if volume in cycle.snapshot.kind(VOLUME):
            edits.append(Patch((VOLUME, "", volume), (Put(_MODES, [MANY]),)))
    if not edits:
        return []
    noun = "claim" if len(told) == 1 else "claims"
    title = f"Let several pods share its {noun} {listed(told)} ({MANY} instead of ReadWriteOncePod)"
    note = "If its storage can do that. A claim keeps its access modes: make it anew."
    return [Fix("claim-modes", title, tuple(edits), Effort.SETTING, 3, note=note)]
