"""JSON merge patches (RFC 7386): how the scheduler changes a few fields of a manifest that it does not hold."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.objects.base import KubernetesObject
from scheduler.engine.objects.kinds import decode


def patched(kind: str, value: KubernetesObject, patch: dict[str, Any]) -> KubernetesObject:
    """The typed object of the manifest of `value` with a patch applied."""
    return decode(kind, merge_patch(msgspec.to_builtins(value), patch))


def merge_patch(target: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """A copy of `target` in which maps are merged, other values replaced, and fields that are to be null left out."""
    patched = dict(target)
    for key, value in patch.items():
        if value is None:
            patched.pop(key, None)
        elif isinstance(value, dict):
            old = patched.get(key)
            patched[key] = merge_patch(old if isinstance(old, dict) else {}, value)
        else:
            patched[key] = value
    return patched
