"""A UnitedDeployment with what is wished of it: the pass that would follow, and its rehearsal. Nothing is changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from dashboard.build.united import notes, plan
from dashboard.build.united.rehearsal import Rehearsal, rehearse
from dashboard.build.united.wish import Wish, tell, wish
from scheduler.engine.controllers.united import planned_pass
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import ObjectKey, UnitedDeployment, decode
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.validation import validate_update
from scheduler.models import Cluster

Manifest = dict[str, Any]
KIND = "UnitedDeployment"


@dataclass
class Seen:
    """`planned`: the typed object and the pass of the wish; None where it cannot be planned, which its faults tell.

    `warnings`: what would come of a wish that the webhook refuses, if it reached the controller.
    """

    wish: Wish
    ud: united.UnitedDeployment
    planned: tuple[united.UnitedDeployment, Pass] | None
    rehearsed: Rehearsal
    warnings: list[str] = field(default_factory=list)


def key_of(namespace: str, name: str) -> ObjectKey:
    return KIND, namespace, name


def manifest_of(simulation: Simulation, key: ObjectKey) -> Manifest | None:
    value = simulation.cluster.get(*key)
    if not isinstance(value, UnitedDeployment):
        return None
    manifest: Manifest = msgspec.to_builtins(value)
    return {"kind": KIND, **manifest}


def seen(
    cluster: Cluster,
    simulation: Simulation,
    key: ObjectKey,
    stored: Manifest,
    given: Mapping[str, str],
    *,
    is_past_pass: bool = False,
) -> Seen:
    """`is_past_pass`: what followed is known then, and not rehearsed."""
    wished = wish(stored, given)
    if wished.is_changed and not wished.is_wrong:
        tell(wished, validate_update(stored, wished.manifest))
    manifest = stored if wished.is_wrong else wished.manifest
    try:
        planned = planned_pass(simulation, key, decode(KIND, manifest))  # type: ignore[arg-type]
    except (Invalid, msgspec.ValidationError) as fault:
        wished.faults.append(str(fault))
        planned = None
    rehearsed = Rehearsal()
    if is_past_pass and not wished.is_changed:
        rehearsed.why_not = "What followed is below, under What happened."
    elif planned is not None and not planned[1].error and (wished.is_changed or plan.acts(planned[1])):
        changes = tuple(sorted((one.name, one.value) for one in wished.fields.values() if one.is_changed))
        kept_as = (cluster.pk, cluster.created, simulation.seq, key, changes if not wished.is_wrong else ())
        allocation = planned[1].allocation
        replicas = sum(allocation.replicas.values()) if allocation else 0
        rehearsed = rehearse(simulation, key, manifest, replicas, kept_as)
    return Seen(wished, united.decode(stored), planned, rehearsed, _warnings(simulation, key, wished))


def _warnings(simulation: Simulation, key: ObjectKey, wished: Wish) -> list[str]:
    """The webhook has the first word on a wish; here is the controller's, where it differs from the manual."""
    if not wished.is_changed or not wished.is_wrong:
        return []
    try:
        _, done = planned_pass(simulation, key, decode(KIND, wished.manifest))  # type: ignore[arg-type]
    except (Invalid, msgspec.ValidationError):
        return []
    return [f"The controller: {done.error}", notes.CONTRADICTION] if done.error and done.allocation is None else []
