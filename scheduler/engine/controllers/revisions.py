"""Templates that a workload has had, kept as ControllerRevisions so that old pods can be made again."""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING, Any

from scheduler.engine.controllers.making import add_checked, digest, owner_reference
from scheduler.engine.objects import ControllerRevision, KubernetesObject, ObjectKey
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.engine.simulation.objects import patch, remove

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

KIND = "ControllerRevision"
LIMIT = 10
LONGEST = 223
"""Of a name, what goes into the names of its revisions. Source: v1.34.1 pkg/controller/history."""


def histories(state: Simulation, owner: ObjectKey) -> list[ControllerRevision]:
    """The oldest first."""
    assert state.owners is not None
    found = [state.cluster.get(*key) for key in state.owners.of(owner, KIND)]
    return sorted((one for one in found if isinstance(one, ControllerRevision)), key=lambda one: one.revision)


def updated_revision(state: Simulation, owner: ObjectKey, workload: KubernetesObject, template: dict[str, Any]) -> str:
    """The name of the template's revision, which is made if it is not there, and made the newest if it is."""
    known = histories(state, owner)
    name = _name(state, owner, workload, template, {one.name for one in known})
    newest = known[-1].revision if known else 0
    same = next((one for one in known if one.name == name), None)
    if same is None:
        keep(state, owner, workload, name, newest + 1, {"spec": template}, dict(workload.labels))
    elif same.revision != newest:
        patch(state, KIND, same, {"revision": newest + 1})
    return name


def _name(
    state: Simulation, owner: ObjectKey, workload: KubernetesObject, template: dict[str, Any], own: set[str]
) -> str:
    """What the template decides, and how many workloads of other kinds have one of that name already."""
    digests = chain((digest(template),), (digest(template, number) for number in count(1)))
    names = (f"{workload.name[:LONGEST]}-{one}" for one in digests)
    return next(name for name in names if name in own or state.cluster.get(KIND, owner[1], name) is None)


def template_of(state: Simulation, owner: ObjectKey, revision: str) -> dict[str, Any] | None:
    """The template of a revision that is kept."""
    found = state.cluster.get(KIND, owner[1], revision)
    return (found.data or {}).get("spec") if isinstance(found, ControllerRevision) else None


def clean(state: Simulation, owner: ObjectKey, used: set[str], limit: int | None) -> None:
    """Of those that nobody uses only the newest stay."""
    unused = [one for one in histories(state, owner) if one.name not in used]
    keep = LIMIT if limit is None else limit
    for one in unused[: max(len(unused) - keep, 0)]:
        remove(state, KIND, one.namespace or "default", one.name, cause="history")


def keep(
    state: Simulation,
    owner: ObjectKey,
    workload: KubernetesObject,
    name: str,
    number: int,
    data: dict[str, Any],
    labels: dict[str, str],
) -> None:
    """Add a revision that `workload`, whose key is `owner`, controls. `data`: what its controller reads back."""
    manifest = {
        "apiVersion": "apps/v1",
        "kind": KIND,
        "metadata": {
            "name": name,
            "namespace": owner[1],
            "labels": labels,
            "creationTimestamp": to_rfc3339(state.now_us),
            "ownerReferences": [owner_reference(owner[0], workload)],
        },
        "revision": number,
        "data": data,
    }
    add_checked(state, KIND, manifest)
