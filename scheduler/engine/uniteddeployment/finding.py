"""What a pass finds: the workloads that it takes for its own, read back as subsets, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.claims import Candidate, Claims
from scheduler.engine.uniteddeployment.reconcile import Found
from scheduler.engine.uniteddeployment.revisions import Revision
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset


class SubsetsUnreadable(Invalid):
    """Workloads of the template's kind that cannot be adopted, or do not say which subset they are of: no pass."""


def find(
    ud: UnitedDeployment,
    claims: Mapping[WorkloadKind, Claims],
    read: Callable[[Candidate], ExistingSubset],
    stored: tuple[Revision, ...],
    now_us: int,
) -> Found:
    """`read` raises Invalid where a workload cannot be read. Raises SubsetsUnreadable.

    Of other kinds than the template's such a fault is one of provisioning, which lists them.
    """
    workloads, unlisted = list[ExistingSubset](), dict[WorkloadKind, str]()
    for kind, claimed in claims.items():
        try:
            if claimed.error:
                raise Invalid(claimed.error)
            workloads += [read(one) for one in claimed.kept]
        except Invalid as fault:
            if kind is ud.workload_kind:
                raise SubsetsUnreadable(fault.message) from fault
            unlisted[kind] = fault.message
    return Found(tuple(workloads), stored, now_us, claims, unlisted)
