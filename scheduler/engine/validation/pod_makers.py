"""Workloads: that what only their controllers look into has the shape that the API gives it.

Source: kubernetes v1.34.1 staging/src/k8s.io/api/apps/v1/types.go; kruise apis/apps/v1beta1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import ObjectMeta, PersistentVolumeClaim, PodSpec, Workload
from scheduler.engine.objects.base import Value
from scheduler.engine.validation.affinity import label_selector
from scheduler.engine.validation.rules import in_range, wrong_type

Amount: TypeAlias = int | str | None
"""A number, or a percentage of the replicas."""


class Rolling(Value, frozen=True):
    partition: Amount = None
    max_unavailable: Amount = None
    max_surge: Amount = None
    paused: bool | None = None
    min_ready_seconds: int | None = None


class Strategy(Rolling, frozen=True):
    """kruise's first version has its numbers beside `type`."""

    type: str | None = None
    rolling_update: Rolling | None = None


class Ordinals(Value, frozen=True):
    start: int | None = None


class ScaleStrategy(Value, frozen=True):
    max_unavailable: Amount = None


class PodTemplate(Value, frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


class Shape(Value, frozen=True):
    """The mappings of a `WorkloadSpec`, read to the ground."""

    strategy: Strategy | None = None
    update_strategy: Strategy | None = None
    ordinals: Ordinals | None = None
    scale_strategy: ScaleStrategy | None = None
    reserve_ordinals: list[int | str] | None = None
    template: PodTemplate | None = None
    volume_claim_templates: list[PersistentVolumeClaim] | None = None


def workload(given: Workload) -> Iterator[Invalid]:
    spec = given.spec
    yield from label_selector("spec.selector", spec.selector)
    yield from in_range("spec.replicas", spec.replicas, 0)
    yield from in_range("spec.minReadySeconds", spec.min_ready_seconds, 0)
    yield from in_range("spec.revisionHistoryLimit", spec.revision_history_limit, 0)
    yield from in_range("spec.parallelism", spec.parallelism, 0)
    yield from in_range("spec.completions", spec.completions, 0)
    try:
        shape = msgspec.convert(msgspec.to_builtins(spec), Shape)
    except msgspec.ValidationError as error:
        yield wrong_type(error).under("spec")
        return
    yield from in_range("spec.ordinals.start", shape.ordinals.start if shape.ordinals else None, 0)
    for strategy in filter(None, (shape.strategy, shape.update_strategy)):
        for rolling in (strategy, strategy.rolling_update or Rolling()):
            yield from _rolling(rolling)


def _rolling(given: Rolling) -> Iterator[Invalid]:
    for name, value in (
        ("partition", given.partition),
        ("maxSurge", given.max_surge),
        ("maxUnavailable", given.max_unavailable),
    ):
        if isinstance(value, int):
            yield from in_range(f"spec.updateStrategy.rollingUpdate.{name}", value, 0)
    yield from in_range("spec.updateStrategy.rollingUpdate.minReadySeconds", given.min_ready_seconds, 0)
