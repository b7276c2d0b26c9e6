"""What all objects share: the base of values, metadata, quantities and resource lists as users write them."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Quantity: TypeAlias = str | int | float
ResourceList: TypeAlias = dict[str, Quantity]
ObjectKey: TypeAlias = tuple[str, str, str]
"""(kind, namespace, name); namespace is "" for cluster-scoped kinds."""


class Value(msgspec.Struct, frozen=True, rename="camel", gc=False, omit_defaults=True):
    """Base of every value. `gc=False` is safe: frozen trees of plain data cannot form cycles."""


class OwnerReference(Value, frozen=True):
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    api_version: str = ""


class ObjectMeta(Value, frozen=True):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    generate_name: str | None = None
    owner_references: list[OwnerReference] | None = None
    generation: int | None = None


class KubernetesObject(Value, frozen=True):
    """Base of every object that has metadata."""

    metadata: ObjectMeta = ObjectMeta()

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace or ""

    @property
    def uid(self) -> str:
        return self.metadata.uid or ""

    @property
    def labels(self) -> dict[str, str]:
        return self.metadata.labels or {}

    @property
    def annotations(self) -> dict[str, str]:
        return self.metadata.annotations or {}
