"""What is left of a template once it was read into the API's types and written again, as the controller does.

Source: kubernetes api/apps/v1 and core/v1 types.go, kruise apis/apps/v1beta1.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.spec import WorkloadKind

Map = dict[str, Any]
_COMMON = frozenset({"replicas", "selector", "template", "updateStrategy", "revisionHistoryLimit"})
_ORDINAL = _COMMON | {
    *("volumeClaimTemplates", "serviceName", "podManagementPolicy"),
    *("persistentVolumeClaimRetentionPolicy", "ordinals"),
}
_FIELDS = {
    WorkloadKind.STATEFUL_SET: _ORDINAL | {"minReadySeconds"},
    WorkloadKind.ADVANCED_STATEFUL_SET: _ORDINAL
    | {"volumeClaimUpdateStrategy", "reserveOrdinals", "lifecycle", "scaleStrategy"},
    WorkloadKind.CLONE_SET: _COMMON
    | {"volumeClaimTemplates", "scaleStrategy", "minReadySeconds", "lifecycle", "progressDeadlineSeconds"},
    WorkloadKind.DEPLOYMENT: frozenset(
        {"replicas", "selector", "template", "strategy", "minReadySeconds", "revisionHistoryLimit", "paused"}
        | {"progressDeadlineSeconds"}
    ),
}
_WRITTEN_EMPTY = frozenset({"containers", "monitors", "nodeSelectorTerms", "sources"})
"""Lists that are written even if they hold nothing."""

_NUMBERS = {"activeDeadlineSeconds": 63, "priority": 31, "terminationGracePeriodSeconds": 63}
"""Of a pod: how many bits a number may have, its sign aside."""

_ALWAYS: dict[str, Map] = {
    "containers": {"name": ""},
    "initContainers": {"name": ""},
    "env": {"name": ""},
    "hostAliases": {"ip": ""},
    "ports": {"containerPort": 0},
    "schedulingGates": {"name": ""},
    "topologySpreadConstraints": {"maxSkew": 0, "topologyKey": "", "whenUnsatisfiable": ""},
    "volumeMounts": {"name": "", "mountPath": ""},
    "volumes": {"name": ""},
}
"""By list, what each of its items has, whether it is given or not."""


def workload_spec(kind: WorkloadKind, given: Map) -> Map:
    """Without what workloads of that kind do not have."""
    return {key: value for key, value in given.items() if key in _FIELDS[kind]}


def pod_template(given: Map) -> Map:
    """Without empty lists and directives that no merge took away; items have what all of their list have.

    Raises Invalid where a number is none, or too large for its field.
    """
    spec = given.get("spec") or {}
    for field, bits in _NUMBERS.items():
        value = spec.get(field)
        if value is not None and (type(value) is not int or not -(2**bits) <= value < 2**bits):
            raise Invalid(f"{value!r} does not fit {field}", f"spec.{field}")
    return {key: _typed(value, key) for key, value in given.items()}


def _typed(value: Any, field: str) -> Any:
    if isinstance(value, list):
        return [_item(one, field) for one in value]
    if not isinstance(value, dict):
        return value
    typed = {key: _typed(one, key) for key, one in value.items() if not key.startswith("$")}
    return {key: one for key, one in typed.items() if one != [] or key in _WRITTEN_EMPTY}


def _item(given: Any, field: str) -> Any:
    typed = _typed(given, "")
    if not isinstance(typed, dict):
        return typed
    return {**_ALWAYS.get(field, {}), **{key: value for key, value in typed.items() if value is not None}}
