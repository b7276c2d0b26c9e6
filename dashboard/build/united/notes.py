"""What surprises people: where the controller's code does something else than the manual says or than one expects."""

from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.words import count

CONTRADICTION = (
    "The manual says that numbers that contradict `replicas` are ignored and shared out anew. The code does not do "
    "that: its webhook refuses them, and the controller, where they reach it, stops with an error. Nothing is "
    "created, updated or deleted then, no status is written, and it tries again with backoff."
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
    if done.allocation is not None:
        left = (ud.spec.replicas or 0) - sum(done.allocation.replicas.values())
        if left > 0:
            verb = "fits" if left == 1 else "fit"
            found.append(f"{count(left, 'replica')} {verb} in no subset. The code drops them without an error.")
    return found
