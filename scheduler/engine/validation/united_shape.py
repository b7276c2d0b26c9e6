"""UnitedDeployments: that every field has the type that the API gives it, whatever kruise's webhook says of its value.

Source: kruise apis/apps/v1beta1/uniteddeployment_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import (
    LabelSelector,
    NodeSelectorTerm,
    ObjectMeta,
    Toleration,
    UnitedDeployment,
    WorkloadSpec,
)
from scheduler.engine.objects.base import Value
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.validation.pod_makers import Shape
from scheduler.engine.validation.rules import wrong_type


class Made(Value, frozen=True):
    """A workload to be made."""

    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()


class Placed(Value, frozen=True):
    node_selector_term: NodeSelectorTerm | None = None
    tolerations: list[Toleration] | None = None


class Topology(Value, frozen=True):
    subsets: list[Placed] | None = None


class Spec(Value, frozen=True):
    """What `united.UnitedDeploymentSpec` leaves as plain mappings."""

    selector: LabelSelector | None = None
    template: dict[str, Made | None] | None = None
    topology: Topology | None = None


def united_deployment(given: UnitedDeployment) -> Iterator[Invalid]:
    plain = msgspec.to_builtins(given)
    try:
        united.decode(plain)
    except msgspec.ValidationError as error:
        yield wrong_type(error)
        return
    try:
        spec = msgspec.convert(given.spec or {}, Spec)
    except msgspec.ValidationError as error:
        yield wrong_type(error).under("spec")
        return
    for field, made in (spec.template or {}).items():
        try:
            msgspec.convert(msgspec.to_builtins(made.spec if made else WorkloadSpec()), Shape)
        except msgspec.ValidationError as error:
            yield wrong_type(error).under(f"spec.template.{field}.spec")
