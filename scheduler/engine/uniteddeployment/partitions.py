"""How many pods of each subset stay on the old version."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler.engine.uniteddeployment.spec import UnitedDeployment


def next_partitions(ud: UnitedDeployment, next_replicas: Mapping[str, int]) -> dict[str, int]:
    """By subset of the topology: what manualUpdate asks for, at most all replicas."""
    asked = asked_partitions(ud)
    return {one.name: min(asked.get(one.name, 0), next_replicas[one.name]) for one in ud.subsets}


def asked_partitions(ud: UnitedDeployment) -> Mapping[str, int]:
    """By subset that is named. Only type "Manual" counts."""
    strategy = ud.spec.update_strategy
    manual = strategy.manual_update if strategy is not None and strategy.type == "Manual" else None
    return (manual.partitions if manual else None) or {}
