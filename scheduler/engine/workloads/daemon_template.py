"""The pod of a DaemonSet for one node, and which node one is meant for. Source: v1.34.1 pkg/controller/daemon."""

from __future__ import annotations

import copy
from typing import Any

_ALWAYS = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_HOST_NETWORK = ("node.kubernetes.io/network-unavailable", "NoSchedule")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def pod_template(template: dict[str, Any], node: str) -> dict[str, Any]:
    """The template for one node: the scheduler places the pod, but only there, and pressure does not keep it away."""
    made = copy.deepcopy(template)
    spec = made.setdefault("spec", {})
    taints = [*_ALWAYS, *([_HOST_NETWORK] if spec.get("hostNetwork") else [])]
    spec["tolerations"] = [
        *(spec.get("tolerations") or []),
        *({"key": key, "operator": "Exists", "effect": effect} for key, effect in taints),
    ]
    affinity = spec.setdefault("affinity", {}) if spec.get("affinity") is not None else {}
    selector = (affinity.setdefault("nodeAffinity", {}) or {}).get(_REQUIRED) or {}
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    terms = [{**term, "matchFields": [field]} for term in selector.get("nodeSelectorTerms") or [{}]]
    affinity["nodeAffinity"] = {**(affinity.get("nodeAffinity") or {}), _REQUIRED: {"nodeSelectorTerms": terms}}
    spec["affinity"] = affinity
    return made


def node_of(spec: dict[str, Any]) -> str:
    """The node that a daemon's pod is meant for, read from its affinity; "" if it is none."""
    affinity = ((spec.get("affinity") or {}).get("nodeAffinity") or {}).get(_REQUIRED) or {}
    for term in affinity.get("nodeSelectorTerms") or ():
        for field in term.get("matchFields") or ():
            if field.get("key") == "metadata.name" and len(field.get("values") or ()) == 1:
                return str(field["values"][0])
    return ""
