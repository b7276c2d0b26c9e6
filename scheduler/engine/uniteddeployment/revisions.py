"""Revisions of the template: which one is current, which one is asked for, and which histories are kept.

Source: kruise pkg/controller/uniteddeployment/revision.go, and apimachinery's safe encoding of hashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from scheduler.engine import labels
from scheduler.engine.objects import LabelSelector
from scheduler.engine.uniteddeployment.crash import ControllerCrash
from scheduler.engine.uniteddeployment.spec import REVISION_LABEL, UnitedDeployment, WorkloadKind

_SAFE = "bcdfghjklmnpqrstvwxz2456789"
_OFFSET, _PRIME = 2166136261, 16777619


class Revision(msgspec.Struct, frozen=True):
    """A ControllerRevision. `data`: the template as text with sorted keys."""

    name: str
    number: int
    data: str
    labels: dict[str, str] = {}


class Revisions(msgspec.Struct, frozen=True):
    """`stored`: all that exist after the pass. `current` may be the same as `updated`."""

    current: Revision
    updated: Revision
    collision_count: int
    stored: tuple[Revision, ...]


def selector_of(ud: UnitedDeployment) -> labels.Selector:
    """Raises Invalid where the selector cannot be read."""
    given = ud.spec.selector
    return labels.label_selector(None if given is None else msgspec.convert(given, LabelSelector))


def data_of(ud: UnitedDeployment) -> str:
    """Only the template: replicas, topology, patches and strategy make no new revision."""
    return msgspec.json.encode(ud.spec.template, order="sorted").decode()


def revisions(ud: UnitedDeployment, stored: Sequence[Revision], current: str, updated: str) -> Revisions:
    """`current`, `updated`: the names in the status before the pass."""
    selector = selector_of(ud)
    found = sorted((one for one in stored if selector.matches(one.labels)), key=lambda one: one.number)
    exceed = max(len(found) - _limit(ud), 0)
    gone = {one.name for one in found[:exceed]} - {current, updated}
    kept = {one.name: one for one in stored if one.name not in gone}
    listed = found[exceed:]
    wanted, collisions = _wanted(ud, listed, kept)
    kept[wanted.name] = wanted
    held = next((one for one in listed if one.name == current), None)
    return Revisions(held or wanted, wanted, collisions, tuple(kept.values()))


def _limit(ud: UnitedDeployment) -> int:
    """The webhook fills in a limit that is absent, and lets one below 0 pass."""
    limit = ud.spec.revision_history_limit
    if limit is None or limit < 0:
        what = "an absent" if limit is None else "a negative"
        raise ControllerCrash(f"the controller crashes on {what} revisionHistoryLimit", "spec.revisionHistoryLimit")
    return limit


def _wanted(ud: UnitedDeployment, listed: Sequence[Revision], kept: Mapping[str, Revision]) -> tuple[Revision, int]:
    """The newest listed revision of the same data, made the newest of all; else a new one."""
    data = data_of(ud)
    number = listed[-1].number + 1 if listed else 1
    equal = [one for one in listed if one.data == data]
    collisions = ud.status.collision_count or 0
    if equal:
        newest = equal[-1] if equal[-1] is listed[-1] else msgspec.structs.replace(equal[-1], number=number)
        return newest, collisions
    while True:
        digest = _digest(data, collisions)
        name = f"{ud.name}-{digest}"
        held = kept.get(name)
        if held is None:
            return Revision(name, number, data, _labels(ud, digest)), collisions
        if held.data == data:
            return held, collisions
        collisions += 1


def _labels(ud: UnitedDeployment, digest: str) -> dict[str, str]:
    """A CloneSet's template labels are not copied, so that its histories are never found again (as in kruise)."""
    own = {} if ud.workload_kind is WorkloadKind.CLONE_SET else (ud.template.get("metadata") or {}).get("labels") or {}
    return {**own, REVISION_LABEL: digest}


def _digest(data: str, collisions: int) -> str:
    """FNV-1 over 32 bits, spelled with letters that make no words."""
    value = _OFFSET
    for byte in data.encode() + (str(collisions).encode() if collisions else b""):
        value = (value * _PRIME % 2**32) ^ byte
    return "".join(_SAFE[ord(sign) % len(_SAFE)] for sign in str(value))
