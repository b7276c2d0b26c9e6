"""The two versions of the API: only the update strategy of a CloneSet template is laid out differently.

Source: kruise apis/apps/v1alpha1 and v1beta1, clonesets.
"""

from __future__ import annotations

import copy
from typing import Any

from scheduler.engine.errors import Invalid

GROUP = "apps.kruise.io"
VERSIONS = ("v1alpha1", "v1beta1")
PATH = "spec.template.cloneSetTemplate.spec.updateStrategy"
_POLICIES = ("ReCreate", "InPlaceIfPossible", "InPlaceOnly")
_OWN = ("type", "rollingUpdate", "paused")

Map = dict[str, Any]


def converted(manifest: Map, version: str) -> Map:
    """A new manifest in that version, without status. Raises Invalid where the version has no word for it."""
    if version not in VERSIONS:
        raise Invalid(f"{version[:40]!r} is no version: use {' or '.join(VERSIONS)}", "apiVersion")
    made = {key: value for key, value in copy.deepcopy(manifest).items() if key != "status"}
    template = ((made.get("spec") or {}).get("template") or {}).get("cloneSetTemplate") or {}
    strategy = (template.get("spec") or {}).get("updateStrategy")
    if strategy:
        template["spec"]["updateStrategy"] = _to_alpha(strategy) if version == "v1alpha1" else _to_beta(strategy)
    return {"apiVersion": f"{GROUP}/{version}", "kind": "UnitedDeployment", **_without_head(made)}


def _without_head(manifest: Map) -> Map:
    return {key: value for key, value in manifest.items() if key not in ("apiVersion", "kind")}


def _to_alpha(strategy: Map) -> Map:
    """`rollingUpdate` is lifted out; its policy becomes the type."""
    kind = strategy.get("type") or ""
    if kind == "OnDelete":
        raise Invalid("OnDelete is there in v1beta1 only", f"{PATH}.type")
    rolling = dict(strategy.get("rollingUpdate") or {})
    policy = rolling.pop("podUpdatePolicy", None) or (kind if kind in _POLICIES else None)
    return {
        **({"type": policy} if policy else {}),
        **{key: value for key, value in strategy.items() if key not in ("type", "rollingUpdate")},
        **rolling,
    }


def _to_beta(strategy: Map) -> Map:
    kind = strategy.get("type") or ""
    rolling = {key: value for key, value in strategy.items() if key not in _OWN} | (strategy.get("rollingUpdate") or {})
    if kind in _POLICIES:
        rolling["podUpdatePolicy"] = kind
    made = {"type": kind if kind and kind not in _POLICIES else "RollingUpdate"}
    made |= {"paused": strategy["paused"]} if "paused" in strategy else {}
    return made | ({"rollingUpdate": rolling} if rolling else {})
