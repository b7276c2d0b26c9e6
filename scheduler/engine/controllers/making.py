"""New pods and revisions from the templates of workloads, with names that only the cluster's seed decides."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler.engine.admission.admission import LOOKED_UP, Context, admit
from scheduler.engine.commands import AddObject
from scheduler.engine.cycle.draw import draw
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import EventRecorded
from scheduler.engine.objects import KubernetesObject, ObjectKey, api_kind
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.engine.simulation.objects import add
from scheduler.engine.validation import validate
from scheduler.engine.workloads.actions import NewPod

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

MOST_PODS = 150_000
"""As many as Kubernetes says a cluster may hold; controllers make no more. Source: docs, cluster-large."""

MESSAGE_LENGTH = 1024
"""Of what is said about an object, as the API server has it."""

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX = 5
_LONGEST = 58
_API = {
    "UnitedDeployment": "apps.kruise.io/v1beta1",
    "AdvancedStatefulSet": "apps.kruise.io/v1beta1",
    "CloneSet": "apps.kruise.io/v1beta1",
    "Job": "batch/v1",
}
Map = dict[str, Any]


class PassFailed(Invalid):
    """A pass ended with an error, which its events have told; it is tried again later."""


def spec_of(workload: KubernetesObject) -> Map:
    """Its spec as it is written."""
    plain: Map = msgspec.to_builtins(workload)
    return plain.get("spec") or {}


def digest(*parts: Any) -> str:
    """A short name for a template: equal for equal ones."""
    text = msgspec.json.encode(parts, order="sorted")
    value = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
    return _spelled(value, 10)


def drawn_name(state: Simulation, prefix: str, kind: str, namespace: str) -> str:
    """`prefix` and five signs that are not in use. The event that is to come decides them."""
    for number in range(100):
        suffix = _spelled(draw(state.seed, state.seq + 1, number, len(_LETTERS) ** _SUFFIX), _SUFFIX)
        name = f"{prefix[:_LONGEST]}{suffix}"
        if state.cluster.get(kind, namespace, name) is None:
            return name
    raise Invalid(f"no free name begins with {prefix}", "metadata.name")


def _spelled(value: int, length: int) -> str:
    signs = []
    for _ in range(length):
        value, sign = divmod(value, len(_LETTERS))
        signs.append(_LETTERS[sign])
    return "".join(signs)


def owner_reference(kind: str, owner: KubernetesObject) -> Map:
    """As a child says who controls it."""
    return {
        "apiVersion": _API.get(kind, "apps/v1"),
        "kind": api_kind(kind),
        "name": owner.name,
        "uid": owner.uid or f"uid-{owner.namespace or 'default'}-{owner.name}",
        "controller": True,
        "blockOwnerDeletion": True,
    }


def make_pod(state: Simulation, owner: ObjectKey, template: Map, name: str, labels: dict[str, str]) -> None:
    """Add a pod of the owner's. Raises PassFailed for one that cannot be, which is told as an event of its owner."""
    manifest = _pod(state, owner, template, name, labels)
    try:
        if len(state.pods) >= MOST_PODS:
            raise Invalid(f"there are {MOST_PODS:,} pods already, and no more are made")
        if faults := validate("Pod", manifest):
            raise faults[0]
        admitted = admit("Pod", manifest, context_of(state))
        admitted["metadata"]["creationTimestamp"] = to_rfc3339(state.now_us)
        add(state, AddObject("Pod", admitted))
    except (Invalid, Refused) as fault:
        told = f"pods {name!r} already exists" if isinstance(fault, Refused) else f"Pod {name!r} is invalid: {fault}"
        say(state, owner, "Warning", "FailedCreate", f"Error creating: {told}")
        raise PassFailed(str(fault)) from fault


def _pod(state: Simulation, owner: ObjectKey, template: Map, name: str, labels: dict[str, str]) -> Map:
    """The manifest of a new pod, not admitted yet. `labels`: beside those of the template."""
    kind, namespace, _ = owner
    controller = state.cluster.get(*owner)
    assert controller is not None
    metadata = template.get("metadata") or {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {**(metadata.get("labels") or {}), **labels},
            **({"annotations": metadata["annotations"]} if metadata.get("annotations") else {}),
            "ownerReferences": [owner_reference(kind, controller)],
            "uid": f"uid-{namespace}-{name}-{state.seq + 1}",
        },
        "spec": copy.deepcopy(template.get("spec") or {}),
        "status": {"phase": "Pending"},
    }


def made_until_refused(make: Callable[[NewPod], None], wishes: Iterable[NewPod]) -> PassFailed | None:
    """One pod after the other. The first that cannot be ends it: the next would fail alike."""
    try:
        for new in wishes:
            make(new)
    except PassFailed as failure:
        return failure
    return None


def context_of(state: Simulation) -> Context:
    """What admission looks up."""
    return Context.made_of(one for kind in LOOKED_UP for one in state.cluster.objects.get(kind, {}).values())


def add_checked(state: Simulation, kind: str, manifest: Map) -> None:
    """Add what a controller has made, if the API server would take it. Raises Invalid."""
    if faults := validate(kind, manifest):
        raise faults[0]
    add(state, AddObject(kind, manifest))


def say(state: Simulation, about: ObjectKey, kind: str, reason: str, message: str) -> None:
    """An event in Kubernetes' sense. `kind`: Normal or Warning."""
    text = message if len(message) <= MESSAGE_LENGTH else f"{message[: MESSAGE_LENGTH - 1]}…"
    state.emit(EventRecorded(*about, kind, reason, text))
