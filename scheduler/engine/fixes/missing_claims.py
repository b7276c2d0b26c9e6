"""What could be done about a claim that does not exist: another name, the claim created, or none at all."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.fixes.change import Edit, Effort, Fix, Put, pod_patch
from scheduler.engine.fixes.combining import merged
from scheduler.engine.fixes.near_volumes import near
from scheduler.engine.fixes.storage_edits import (
    CLAIM,
    GUESS,
    bound_volume,
    classes,
    fresh_volume,
    late_class,
    new_claim,
    new_volume,
    plain_spec,
)
from scheduler.engine.objects import ObjectKey, PersistentVolumeClaim, Pod
from scheduler.engine.volumes.claims import Claim, claim_name, class_name, namespace_of

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

ALIKE = 0.75
_IN_DOUBT = f"How much it needs is not known here: {GUESS} is a guess."


def missing(cycle: Cycle, claim: Claim) -> Iterator[Fix]:
    """The pod names a claim that is not there."""
    pod = cycle.pod.pod
    namespace, mine = namespace_of(pod), {claim_name(pod, one) for one in pod.spec.volumes or ()}
    others = (one for one in cycle.snapshot.kind(CLAIM).values() if namespace_of(one) == namespace)
    meant = get_close_matches(claim.name, [one.name for one in others if one.name not in mine], 1, ALIKE)
    if meant:
        title = f"Use the claim `{meant[0]}` instead of `{claim.name}`"
        edits = pod_patch(pod, *(_volume_put(pod, claim.name, {"claimName": meant[0]})))
        yield Fix("claim-slip", title, edits, Effort.SLIP, note="No claim has that name: it may be misspelled.")
    yield from _created(cycle, (CLAIM, namespace, claim.name))
    title, note = f"Use an emptyDir instead of the claim `{claim.name}`", "What the pod writes there goes with it."
    edits = pod_patch(pod, *(_volume_put(pod, claim.name, None)))
    yield Fix("no-claim", title, edits, Effort.GIVE_UP, 2, note=note)


def _volume_put(pod: Pod, name: str, source: dict[str, str] | None) -> Iterator[Put]:
    """`source`: of the claim; None for an emptyDir in its place."""
    for at, one in enumerate(pod.spec.volumes or ()):
        if claim_name(pod, one) == name:
            value = {"emptyDir": {}} if source is None else {"persistentVolumeClaim": source}
            yield Put(("spec", "volumes", at), {"name": one.name, **value})


def _created(cycle: Cycle, key: ObjectKey) -> Iterator[Fix]:
    """The claim with a class that makes its volume, or for a volume that nobody has, or with a volume of its own."""
    late, name = late_class(cycle.snapshot), key[2]
    if late is not None:
        title = f"Create its claim `{name}`, **{GUESS}** of class `{late.name}`"
        yield Fix("claim", title, (new_claim(key, plain_spec(late.name)),), Effort.SETTING, note=_IN_DOUBT)
    plain = new_claim(key, {**plain_spec(""), "resources": {}})
    spare = [one for one in near(cycle, _as_claim(key), cycle.snapshot.columns.all_rows) if set(one.gaps) <= {"class"}]
    for one in spare[:1]:
        volume, wanted = one.volume.name, class_name(one.volume)
        spec = {
            **plain.manifest["spec"],
            "storageClassName": wanted,
            "resources": {"requests": one.volume.spec.capacity},
        }
        title = f"Create its claim `{name}` for the volume `{volume}`, which nobody uses"
        edits = merged([new_claim(key, spec, volume), bound_volume(volume, key)])
        yield Fix("claim", title, edits, Effort.SETTING, 1)
    if late is None and not spare:
        spec, driver = _spec_of_default(cycle)
        volume = fresh_volume(cycle.snapshot, name)
        title = f"Create its claim `{name}` with a volume of **{GUESS}**"
        edits = (new_claim(key, spec, volume), new_volume(volume, spec, driver=driver, claim=key))
        yield Fix("claim", title, edits, Effort.SETTING, 2, note=_IN_DOUBT)


def _as_claim(key: ObjectKey) -> PersistentVolumeClaim:
    """To ask which volumes it could have."""
    return msgspec.convert(
        {"metadata": {"namespace": key[1], "name": key[2]}, "spec": {"accessModes": ["ReadWriteOnce"]}},
        PersistentVolumeClaim,
    )


def _spec_of_default(cycle: Cycle) -> tuple[dict[str, object], str]:
    """What a claim without more asks for, and the driver of its class, "" if there is none."""
    default = next(classes(cycle.snapshot), None)
    return plain_spec(default.name if default else ""), default.provisioner if default else ""


def ephemeral(cycle: Cycle, claim: Claim) -> Iterator[Fix]:
    """What the ephemeral volume controller would create; a template that says nothing gets what any claim gets."""
    pod, late = cycle.pod.pod, late_class(cycle.snapshot)
    owner = {"apiVersion": "v1", "kind": "Pod", "name": pod.name, "uid": pod.uid, "controller": True}
    key, note = (
        (CLAIM, namespace_of(pod), claim.name),
        "The ephemeral volume controller makes it from the pod's template.",
    )
    title = f"Create its claim `{claim.name}`"
    if late is not None:
        edits: tuple[Edit, ...] = (new_claim(key, plain_spec(late.name), ownerReferences=[owner]),)
    else:
        spec, driver = _spec_of_default(cycle)
        volume = fresh_volume(cycle.snapshot, claim.name)
        created = new_claim(key, spec, volume, ownerReferences=[owner])
        edits = (created, new_volume(volume, spec, driver=driver, claim=key))
    yield Fix("claim", title, edits, Effort.SETTING, note=note)
