"""The workload of one subset: the template with the subset's node term, tolerations, partition and patch."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler.engine import objects
from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.crash import ControllerCrash
from scheduler.engine.uniteddeployment.pod_fields import known_fields
from scheduler.engine.uniteddeployment.spec import (
    PATCH_ANNOTATION,
    REVISION_LABEL,
    SUBSET_LABEL,
    Subset,
    UnitedDeployment,
    WorkloadKind,
)
from scheduler.engine.uniteddeployment.strategic_merge import strategic_merge
from scheduler.engine.uniteddeployment.typed import pod_template, workload_spec
from scheduler.engine.values import syntax

API_VERSION = "apps.kruise.io/v1beta1"
Map = dict[str, Any]


def render(
    ud: UnitedDeployment, subset: str, *, revision: str, replicas: int, partition: int, existing: Map | None = None
) -> Map:
    """The manifest to create, or with `existing` to write over it: labels and annotations that are there stay.

    Raises Invalid where the real controller fails, be it with an error or a crash.
    """
    kind = ud.workload_kind
    if kind is None:
        raise Invalid("no workload template", "spec.template")
    chosen = next((one for one in ud.subsets if one.name == subset), None)
    if chosen is None:
        raise Invalid(f"can not find subset {subset}", "spec.topology.subsets")
    return rendered(ud, kind, chosen, revision=revision, replicas=replicas, partition=partition, existing=existing)


def rendered(
    ud: UnitedDeployment,
    kind: WorkloadKind,
    chosen: Subset,
    *,
    revision: str,
    replicas: int,
    partition: int,
    existing: Map | None = None,
) -> Map:
    """The same for a subset that was looked up. `kind`: of the template."""
    template, held = ud.template, (existing or {}).get("metadata") or {}
    spec = workload_spec(kind, copy.deepcopy(template.get("spec") or {}))
    spec["selector"] = _selector(ud, chosen.name)
    spec["replicas"] = replicas
    _set_partition(kind, spec, partition)
    spec["template"] = pod_template(_pod_template(spec.get("template") or {}, chosen, revision))
    return {
        **(existing or {}),
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {**held, **_metadata(ud, chosen, template.get("metadata") or {}, held, revision)},
        "spec": spec,
    }


def patch_text(subset: Subset) -> str:
    """The patch as the annotation keeps it, "" without one."""
    return "" if subset.patch is None else msgspec.json.encode(subset.patch, order="sorted").decode()


def _selector(ud: UnitedDeployment, subset: str) -> Map:
    selector = copy.deepcopy(ud.spec.selector or {})
    if selector.get("matchLabels") is None:
        raise ControllerCrash("the controller crashes on a selector without matchLabels", "spec.selector.matchLabels")
    selector["matchLabels"][SUBSET_LABEL] = subset
    return selector


def _metadata(ud: UnitedDeployment, subset: Subset, template: Map, held: Map, revision: str) -> Map:
    selector = (ud.spec.selector or {}).get("matchLabels") or {}
    identity = {REVISION_LABEL: revision, SUBSET_LABEL: subset.name}
    return {
        "namespace": ud.namespace,
        "generateName": _prefix(ud.name, subset.name),
        "labels": {**(held.get("labels") or {}), **(template.get("labels") or {}), **selector, **identity},
        "annotations": {
            **(held.get("annotations") or {}),
            **(template.get("annotations") or {}),
            PATCH_ANNOTATION: patch_text(subset),
        },
        "ownerReferences": _owners(ud, held.get("ownerReferences") or []),
    }


def _prefix(name: str, subset: str) -> str:
    """What the workload's name begins with; the last sign of a prefix may be a hyphen."""
    long = f"{name}-{subset}-"
    return long if not syntax.dns_subdomain(f"{long[:-1]}a" if long.endswith("-") else long) else f"{name}-"


def _owners(ud: UnitedDeployment, held: list[Map]) -> list[Map]:
    controller = next((one for one in held if one.get("controller")), None)
    if controller is not None and not is_same_owner(controller, owner_reference(ud)):
        raise Invalid(f"is already controlled by {controller.get('kind')} {controller.get('name')}", "ownerReferences")
    return owners_with(ud, held)


def owners_with(ud: UnitedDeployment, held: Iterable[Map]) -> list[Map]:
    """Owner references with the controller's: it takes the place of a plain one to the same object."""
    found, ours = list(held), owner_reference(ud)
    at = next((place for place, one in enumerate(found) if is_same_owner(one, ours)), len(found))
    found[at : at + 1] = [ours]
    return found


def is_same_owner(one: Map, other: Map) -> bool:
    """By API group and kind, and the name: not the version, not the uid."""
    return _identity(one) == _identity(other)


def _identity(reference: Map) -> tuple[str, str, str]:
    group = (reference.get("apiVersion") or "").rpartition("/")[0]
    return group, reference.get("kind") or "", reference.get("name") or ""


def owner_reference(ud: UnitedDeployment) -> Map:
    """As a workload says that the UnitedDeployment controls it."""
    owner: Map = {"apiVersion": API_VERSION, "kind": "UnitedDeployment", "name": ud.name, "uid": ud.uid}
    return owner | {"controller": True, "blockOwnerDeletion": True}


def _set_partition(kind: WorkloadKind, spec: Map, partition: int) -> None:
    if kind is WorkloadKind.DEPLOYMENT:
        return
    strategy = spec["updateStrategy"] = spec.get("updateStrategy") or {}
    if kind is not WorkloadKind.CLONE_SET and (strategy.get("type") or "RollingUpdate") != "RollingUpdate":
        return
    if kind is WorkloadKind.STATEFUL_SET:
        strategy["type"] = "RollingUpdate"
    elif not strategy.get("type"):
        strategy.pop("type", None)
    strategy["rollingUpdate"] = {**(strategy.get("rollingUpdate") or {}), "partition": partition}


def _pod_template(template: Map, subset: Subset, revision: str) -> Map:
    metadata, spec = dict(template.get("metadata") or {}), dict(template.get("spec") or {})
    metadata["labels"] = {**(metadata.get("labels") or {}), SUBSET_LABEL: subset.name, REVISION_LABEL: revision}
    if expressions := (subset.node_selector_term or {}).get("matchExpressions"):
        spec["affinity"] = _with_expressions(spec.get("affinity") or {}, expressions)
    if subset.tolerations:
        spec["tolerations"] = [*(spec.get("tolerations") or []), *subset.tolerations]
    merged = {**template, "metadata": metadata, "spec": spec}
    return merged if subset.patch is None else _patched(merged, subset.patch)


def _with_expressions(affinity: Map, expressions: list[Map]) -> Map:
    """Terms are alternatives, so every one of them is narrowed."""
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    node = affinity.get("nodeAffinity") or {}
    selector = node.get(required) or {}
    terms = selector.get("nodeSelectorTerms") or [{}]
    narrowed = [{**term, "matchExpressions": [*(term.get("matchExpressions") or []), *expressions]} for term in terms]
    return {**affinity, "nodeAffinity": {**node, required: {**selector, "nodeSelectorTerms": narrowed}}}


def _patched(template: Map, patch: Any) -> Map:
    merged = known_fields(strategic_merge(template, patch))
    try:
        objects.decode("Pod", objects.null_free(merged))
    except msgspec.ValidationError as error:
        raise Invalid(f"the patched pod template cannot be read: {error}", "patch") from error
    return merged
