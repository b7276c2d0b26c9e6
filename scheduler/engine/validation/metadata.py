"""Names, namespaces, labels and annotations of any object."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import CLUSTER_SCOPED, ObjectMeta
from scheduler.engine.validation.rules import fault, forbidden, required, spelled
from scheduler.engine.values import syntax

_LABEL_NAMED = frozenset({"Namespace", "Service"})
_MAX_ANNOTATIONS = 256 * 1024


def metadata(kind: str, meta: ObjectMeta) -> Iterator[Invalid]:
    if not meta.name:
        yield required("metadata.name", "name or generateName is required")
    else:
        rule = syntax.dns_label if kind in _LABEL_NAMED else syntax.dns_subdomain
        yield from spelled("metadata.name", meta.name, rule)
    if meta.namespace and kind in CLUSTER_SCOPED:
        yield forbidden("metadata.namespace", "not allowed on this type")
    elif meta.namespace:
        yield from spelled("metadata.namespace", meta.namespace, syntax.dns_label)
    yield from labels("metadata.labels", meta.labels)
    yield from _annotations("metadata.annotations", meta.annotations or {})


def labels(path: str, given: dict[str, str] | None) -> Iterator[Invalid]:
    """Also nodeSelector and matchLabels."""
    for key, value in (given or {}).items():
        if complaints := syntax.qualified_name(key):
            yield fault(path, key, "; ".join(complaints))
        yield from spelled(path, value, syntax.label_value)


def _annotations(path: str, given: dict[str, str]) -> Iterator[Invalid]:
    for key in given:
        if complaints := syntax.qualified_name(key.lower()):
            yield fault(path, key, "; ".join(complaints))
    if sum(len(key) + len(value) for key, value in given.items()) > _MAX_ANNOTATIONS:
        yield Invalid(f"Too long: may not be more than {_MAX_ANNOTATIONS} bytes", path)
