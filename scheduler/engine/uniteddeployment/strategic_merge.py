"""A strategic merge patch onto a pod template: lists are joined by key, with directives and the order of the original.

Source: apimachinery v0.34.1 pkg/util/strategicpatch/patch.go.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.merge_order import in_order, joined_order, positions
from scheduler.engine.uniteddeployment.pod_fields import MERGE_KEYS, MERGED_VALUES

_DIRECTIVE = "$patch"
_RETAIN = "$retainKeys"
_ORDER = "$setElementOrder/"
_DELETE = "$deleteFromPrimitiveList/"
Map = dict[str, Any]


def strategic_merge(original: Map, patch: Any) -> Map:
    """A new template; neither argument is changed. Raises Invalid where the patch says nothing that can be done."""
    if not isinstance(patch, dict):
        raise Invalid("a patch is an object", "patch")
    try:
        return _map(original, patch, "")
    except (AttributeError, KeyError, TypeError) as error:
        raise Invalid("holds a value of another type than the field that it is for", "patch") from error


def _map(original: Map, patch: Map, path: str) -> Map:
    directive = patch.get(_DIRECTIVE)
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != _DIRECTIVE}
    if directive == "delete":
        return {}
    if directive not in (None, "merge"):
        raise Invalid(f"unknown directive {directive!r}", path)
    merged = _retained(original, patch, path)
    ordered = {key.removeprefix(_ORDER): value for key, value in patch.items() if key.startswith(_ORDER)}
    for key, value in patch.items():
        if key in (_DIRECTIVE, _RETAIN) or key.startswith(_ORDER):
            continue
        if key.startswith(_DELETE):
            field = key.removeprefix(_DELETE)
            if isinstance(merged.get(field), list):
                merged[field] = [one for one in merged[field] if one not in value]
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = _value(merged.get(key), value, f"{path}.{key}".lstrip("."))
    for field, order in ordered.items():
        if isinstance(merged.get(field), list):
            here = f"{path}.{field}".lstrip(".")
            merged[field] = _by_given_order(original.get(field) or [], patch.get(field), merged[field], order, here)
    return merged


def _retained(original: Map, patch: Map, path: str) -> Map:
    keep = patch.get(_RETAIN)
    if keep is None:
        return dict(original)
    named = {key for key in patch if not key.startswith("$")}
    if not isinstance(keep, list) or not named <= set(keep):
        raise Invalid(f"{_RETAIN} must list every field of the patch", path)
    return {key: value for key, value in original.items() if key in keep}


def _value(original: Any, patch: Any, path: str) -> Any:
    if isinstance(original, dict) and isinstance(patch, dict):
        return _map(original, patch, path)
    if isinstance(original, list) and isinstance(patch, list):
        if path in MERGED_VALUES:
            both = [*original, *(one for one in patch if one not in original)]
            return joined_order(both, patch, original, None)
        if path in MERGE_KEYS:
            return _items(original, patch, MERGE_KEYS[path], path)
    return _without_nulls(patch)


def _items(original: list[Map], patch: list[Map], key: str, path: str) -> list[Map]:
    if any(one.get(_DIRECTIVE) == "replace" for one in patch):
        return [one for one in patch if _DIRECTIVE not in one]
    gone = [_key_of(one, key, path) for one in patch if one.get(_DIRECTIVE) == "delete"]
    kept = [one for one in original if one.get(key) not in gone]
    changes = [one for one in patch if _DIRECTIVE not in one]
    merged = list(kept)
    place = positions(kept, key)
    for change in changes:
        at = place.get(_key_of(change, key, path))
        if at is None:
            place[change[key]] = len(merged)
            merged.append(_without_nulls(change))
        else:
            merged[at] = _map(merged[at], change, path)
    return joined_order(merged, changes, kept, key)


def _key_of(item: Any, key: str, path: str) -> Any:
    if not isinstance(item, dict) or key not in item:
        raise Invalid(f"an item without its merge key {key!r}", path)
    return item[key]


def _by_given_order(original: list[Any], patch: Any, merged: list[Any], order: Any, path: str) -> list[Any]:
    key = MERGE_KEYS.get(path)
    if not isinstance(order, list):
        raise Invalid("an order is a list", f"{path}.{_ORDER}")
    named = [one for one in patch or () if not (isinstance(one, dict) and _DIRECTIVE in one)]
    if not in_order(named, order, key):
        raise Invalid("the items of the patch do not follow the order it gives", path)
    return joined_order(merged, order, original, key)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return value
