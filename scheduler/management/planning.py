"""What a UnitedDeployment would do: its files read, defaulted and checked, one pass of the controller planned."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.claims import Candidate
from scheduler.engine.uniteddeployment.defaulting import defaulted
from scheduler.engine.uniteddeployment.finding import find
from scheduler.engine.uniteddeployment.read_back import claims_in, read_in
from scheduler.engine.uniteddeployment.reconcile import Pass, reconcile
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, decode
from scheduler.engine.uniteddeployment.status import to_manifest
from scheduler.engine.uniteddeployment.validation import validate
from scheduler.manifests.order import newest_us

Manifest = dict[str, Any]
KIND = "UnitedDeployment"


@dataclass(frozen=True)
class Planned:
    """`faults`: what the webhook would refuse; the pass is what the controller does all the same."""

    ud: UnitedDeployment
    faults: list[Invalid]
    done: Pass

    def as_json(self) -> Manifest:
        done, allocation = self.done, self.done.allocation
        steps = allocation.steps if allocation else ()
        return {
            "name": self.ud.name,
            "namespace": self.ud.namespace or "default",
            "invalid": [{"field": one.path, "message": one.message} for one in self.faults],
            "allocator": allocation.allocator if allocation else None,
            "error": done.error or None,
            "next_replicas": allocation.replicas if allocation else None,
            "next_partitions": dict(done.partitions),
            "steps": [{"subset": s.subset, "rule": s.rule, "given": s.given, "left": s.left} for s in steps],
            "adopts": [_claimed(one) for one in done.adopted],
            "releases": [_claimed(one) for one in done.released],
            "creates": [_action(one, ("subset", "replicas", "partition", "batch", "manifest")) for one in done.creates],
            "updates": [
                _action(one, ("subset", "workload", "replicas", "partition", "batch", "reason", "manifest"))
                for one in done.updates
            ],
            "deletes": [_action(one, ("subset", "workload", "reason")) for one in done.deletes],
            "events": [_action(one, ("type", "reason", "message")) for one in done.events],
            "status": to_manifest(done.status),
            "requeue_after_us": done.requeue_us,
        }


def _action(one: object, fields: tuple[str, ...]) -> Manifest:
    return {field: getattr(one, field) for field in fields}


def _claimed(one: Candidate) -> Manifest:
    return {"kind": one.kind.label, "workload": one.name}


def plan(manifests: list[Manifest], replicas: int | None = None) -> Iterator[Planned]:
    """For each UnitedDeployment among the objects, which may hold workloads and pods that it has already."""
    now = newest_us(manifests) or 0
    for given in manifests:
        if given.get("kind") == KIND:
            manifest = {**defaulted(given), "status": given.get("status") or {}}
            if replicas is not None:
                manifest["spec"]["replicas"] = replicas
            faults = validate(manifest)
            ud = decode(manifest)
            claims = claims_in(ud, given, manifests)
            found = find(ud, claims, lambda one: read_in(one, manifests), (), now)
            yield Planned(ud, faults, reconcile(ud, found))
