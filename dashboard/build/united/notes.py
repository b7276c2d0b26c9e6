"""What surprises people: where the controller's code does something else than the manual says or than one expects."""

from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.revisions import selector_of
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.words import count

CONTRADICTION = (
    "The manual says that numbers that contradict `replicas` are ignored and shared out anew. The code does not do "
    "that: its webhook refuses them, and the controller, where they reach it, stops with an error. Nothing is "
    "created, updated or deleted then, no status is written, and it tries again with backoff."
)

ENDLESS = (
    "The workloads to be made do not match the selector themselves, so the next pass will not find them and makes new "
    "ones, without end. Give the template's `metadata.labels` what the selector asks for."
)


def notes(ud: UnitedDeployment, done: Pass) -> list[str]:
    """Those that matter here. Names in backticks."""
    found = []
    if done.error and done.allocation is None:
        found.append(CONTRADICTION)
    kind = ud.workload_kind
    if kind is WorkloadKind.DEPLOYMENT and any(done.partitions.values()):
        found.append(
            "A Deployment knows no partition: all its pods are rolled, and the pass writes it every time anew."
        )
    if kind is WorkloadKind.CLONE_SET and done.revisions is not None and len(done.revisions.stored) > 1:
        found.append("Of a CloneSet template revisions get no labels, so older ones are not found: each has number 1.")
    made = [one.manifest["metadata"].get("labels") or {} for one in done.creates if one.manifest]
    if not all(map(selector_of(ud).matches, made)):
        found.append(ENDLESS)
    if done.allocation is not None:
        left = (ud.spec.replicas or 0) - sum(done.allocation.replicas.values())
        if left > 0:
            verb = "fits" if left == 1 else "fit"
            found.append(f"{count(left, 'replica')} {verb} in no subset. The code drops them without an error.")
    return found
