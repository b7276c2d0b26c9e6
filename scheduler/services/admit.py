"""What the API server does with a manifest on its way in: check, fill in, keep what may not change."""

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler.engine import objects
from scheduler.engine.admission.admission import LOOKED_UP, Context, admit, fill_in
from scheduler.engine.errors import Invalid, aggregate
from scheduler.engine.objects import KubernetesObject, Pod, UnitedDeployment
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment.validation import validate_update
from scheduler.manifests.check import complaints

Manifest = dict[str, Any]
KIND_LENGTH = 63


class InvalidObject(Invalid):
    """A manifest with one or several `faults`."""

    def __init__(self, faults: Sequence[Invalid]) -> None:
        self.faults = tuple(faults)
        if len(faults) == 1:
            super().__init__(faults[0].message, faults[0].path)
        else:
            super().__init__(aggregate(faults))


class Admission:
    """Admits manifests one after the other; a class counts for the pods and claims that follow it."""

    def __init__(self, simulation: Simulation, prepared: bool = False) -> None:
        """`prepared` manifests hold no fault and no null, and may be changed in place."""
        self._simulation, self._prepared = simulation, prepared
        self._context = Context.made_of(one for kind in LOOKED_UP for one in simulation.objects(kind))
        self._stamp = to_rfc3339(simulation.now_us // 1_000_000 * 1_000_000)

    def create(self, manifest: Manifest) -> tuple[str, Manifest]:
        """Kind and complete manifest of a new object. Raises `Invalid`."""
        kind, admitted = self._admit(manifest)
        if self._existing(kind, admitted):
            raise Invalid(f"{kind} {admitted['metadata']['name']} exists already", "metadata.name")
        return kind, self._stamped(kind, admitted)

    def apply(self, manifest: Manifest) -> tuple[str, Manifest, bool]:
        """Kind, complete manifest, and whether the object exists and is to be replaced. Raises `Invalid`."""
        kind, admitted = self._admit(manifest)
        existing = self._existing(kind, admitted)
        if existing is not None:
            _check_update(admitted, existing)
            _keep_identity(admitted, existing)
        return kind, self._stamped(kind, admitted), existing is not None

    def admitted(self, manifest: Manifest, at_us: int) -> tuple[str, Manifest]:
        """Kind and complete manifest of what is to come at virtual `at_us`, whatever is there now. Raises `Invalid`."""
        kind, admitted = self._admit(manifest)
        self._stamp = to_rfc3339(at_us // 1_000_000 * 1_000_000)
        return kind, self._stamped(kind, admitted)

    def _admit(self, manifest: Manifest) -> tuple[str, Manifest]:
        kind = kind_of(manifest)
        admitted = self._filled_in(kind, manifest)
        if kind in LOOKED_UP:
            self._context.note(objects.decode(kind, admitted))
        return kind, admitted

    def _filled_in(self, kind: str, manifest: Manifest) -> Manifest:
        if self._prepared:
            fill_in(kind, manifest, self._context)
            return manifest
        if faults := complaints(kind, manifest):
            raise InvalidObject(faults)
        return admit(kind, manifest, self._context)

    def _existing(self, kind: str, admitted: Manifest) -> KubernetesObject | None:
        return self._simulation.cluster.get(*objects.key_of(kind, admitted))

    def _stamped(self, kind: str, admitted: Manifest) -> Manifest:
        metadata = admitted["metadata"]
        if not metadata.get("creationTimestamp"):
            metadata["creationTimestamp"] = self._stamp
        if not metadata.get("uid"):
            metadata["uid"] = "-".join(filter(None, ("uid", kind.lower(), metadata.get("namespace"), metadata["name"])))
        return admitted


def kind_of(manifest: Manifest) -> str:
    """The kind that the cluster keeps it as. Raises `Invalid`."""
    if not isinstance(manifest, dict):
        raise Invalid("must be an object with apiVersion, kind and metadata")
    kind = manifest.get("kind")
    if not kind or not isinstance(kind, str):
        raise Invalid("Required value", "kind")
    version = manifest.get("apiVersion") or ""
    if not isinstance(version, str):
        raise Invalid("must be text, such as v1 or apps/v1", "apiVersion")
    kind = objects.kind_of(version, kind)
    if len(kind) > KIND_LENGTH:
        raise Invalid(f"must be no more than {KIND_LENGTH} characters", "kind")
    return kind


def _check_update(admitted: Manifest, existing: KubernetesObject) -> None:
    """What kruise's webhook refuses to change. It says some things twice; once is enough for people."""
    if isinstance(existing, UnitedDeployment):
        faults = validate_update(msgspec.to_builtins(existing), admitted)
        if faults:
            raise InvalidObject(list({str(one): one for one in faults}.values()))


def _keep_identity(admitted: Manifest, existing: KubernetesObject) -> None:
    """An update cannot change who an object is, nor where a pod runs."""
    metadata = admitted["metadata"]
    for field, value in (("uid", existing.uid), ("creationTimestamp", existing.metadata.creation_timestamp)):
        if value:
            metadata[field] = value
    if isinstance(existing, Pod) and existing.node_name:
        node = admitted["spec"].setdefault("nodeName", existing.node_name)
        if node != existing.node_name:
            raise Invalid(f"this pod runs on {existing.node_name}; a pod cannot be moved", "spec.nodeName")
