"""What the webhook fills in before it stores a UnitedDeployment.

Source: kruise pkg/webhook/uniteddeployment/mutating.
"""

from __future__ import annotations

import copy
from typing import Any

from scheduler.engine.uniteddeployment.spec import REVISION_HISTORY_LIMIT


def defaulted(manifest: dict[str, Any]) -> dict[str, Any]:
    """A new manifest: replicas, history, strategy, minimums; of a StatefulSet template also what its pods lack."""
    filled = {key: value for key, value in copy.deepcopy(manifest).items() if key != "status"}
    fill_in(filled)
    return filled


def fill_in(manifest: dict[str, Any]) -> None:
    """The same in place; a status that is there stays. What is of another shape than it should be is left alone."""
    spec = manifest["spec"] = manifest.get("spec") or {}
    _absent(spec, "replicas", 1)
    _absent(spec, "revisionHistoryLimit", REVISION_HISTORY_LIMIT)
    strategy = spec["updateStrategy"] = spec.get("updateStrategy") or {}
    if isinstance(strategy, dict):
        strategy["type"] = strategy.get("type") or "Manual"
        if strategy["type"] == "Manual":
            _absent(strategy, "manualUpdate", {})
    subsets = _below(spec, "topology").get("subsets")
    _minimums([one for one in subsets if isinstance(one, dict)] if isinstance(subsets, list) else [])
    pod = _below(spec, "template", "statefulSetTemplate", "spec", "template").get("spec")
    if isinstance(pod, dict):
        _absent(pod, "restartPolicy", "Always")


def _below(value: Any, *path: str) -> dict[str, Any]:
    """The object at a path; {} where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _minimums(subsets: list[dict[str, Any]]) -> None:
    bounded = any(one.get("minReplicas") is not None or one.get("maxReplicas") is not None for one in subsets)
    if bounded and all(one.get("replicas") is None for one in subsets):
        for one in subsets:
            _absent(one, "minReplicas", 0)


def _absent(given: dict[str, Any], field: str, value: Any) -> None:
    if given.get(field) is None:
        given[field] = value
