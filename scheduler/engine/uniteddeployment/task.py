"""What all steps of one pass agree on once numbers and partitions are known."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scheduler.engine.uniteddeployment.actions import Faults
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability


class Task(msgspec.Struct, frozen=True):
    """`revision`: the expected one. `subsets` of the topology, `existing`, `found`, `next_…`: by name of subset."""

    ud: UnitedDeployment
    kind: WorkloadKind
    revision: str
    subsets: Mapping[str, Subset]
    existing: Mapping[str, ExistingSubset]
    found: Mapping[str, Schedulability]
    next_replicas: Mapping[str, int]
    next_partitions: Mapping[str, int]
    faults: Faults
