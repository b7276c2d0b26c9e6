"""A strategic merge patch onto a pod template: lists are joined by key, with directives and the order of the original.

Source: apimachinery v0.34.1 pkg/util/strategicpatch/patch.go.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.merge_order import in_order, joined_order
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
    if _DIRECTIVE in patch:
        return _replaced(patch, path)
    merged = _retained(original, patch, path)
    rest = {key: value for key, value in patch.items() if key != _RETAIN}
    for key in [key for key in rest if key.startswith(_ORDER)]:
        order, field = rest.pop(key), key.removeprefix(_ORDER)
        if field in rest and rest[field] is None:
            raise Invalid("what is taken away has no order", _below(path, field))
        _order(merged, field, rest.pop(field, None), order, _below(path, field))
    for key, value in rest.items():
        if key.startswith(_DELETE):
            _delete_values(merged, key.removeprefix(_DELETE), value)
        elif value is None:
            merged.pop(key, None)
        else:
            _set(merged, key, value, _below(path, key))
    return merged


def _below(path: str, field: str) -> str:
    return f"{path}.{field}".lstrip(".")


def _replaced(patch: Map, path: str) -> Map:
    directive = patch[_DIRECTIVE]
    if directive == "delete":
        return {}
    if directive != "replace":
        raise Invalid(f"unknown directive {directive!r}", path)
    return {key: value for key, value in patch.items() if key != _DIRECTIVE}


def _retained(original: Map, patch: Map, path: str) -> Map:
    keep = patch.get(_RETAIN)
    if _RETAIN not in patch:
        return dict(original)
    named = {key for key, value in patch.items() if value is not None and not key.startswith("$")}
    if not isinstance(keep, list) or not named <= set(keep):
        raise Invalid(f"{_RETAIN} must list every field of the patch", path)
    return {key: value for key, value in original.items() if key in keep}


def _delete_values(merged: Map, field: str, values: Any) -> None:
    if values is None:
        merged.pop(field, None)
    elif isinstance(merged.get(field), list) and isinstance(values, list):
        merged[field] = [one for one in merged[field] if one not in values]


def _set(merged: Map, key: str, patch: Any, path: str) -> None:
    """A value that has nothing to be merged with is taken as it is, but for nulls and what a directive stands in."""
    held = merged.get(key)
    if isinstance(held, dict) and isinstance(patch, dict):
        merged[key] = _map(held, patch, path)
    elif isinstance(held, list) and isinstance(patch, list):
        merged[key] = _list(held, patch, path)
    elif _is_directed(patch):
        merged.pop(key, None)
    else:
        merged[key] = _undirected(_without_nulls(patch))


def _list(original: list[Any], patch: list[Any], path: str) -> list[Any]:
    if path in MERGED_VALUES:
        both = list(dict.fromkeys([*original, *patch]))
        return joined_order(both, patch, original, None)
    if path in MERGE_KEYS:
        merged, changes, kept = _items(original, patch, MERGE_KEYS[path], path)
        return joined_order(merged, changes, kept, MERGE_KEYS[path])
    return patch


def _items(original: list[Any], patch: list[Any], key: str, path: str) -> tuple[list[Any], list[Any], list[Any]]:
    """(all items in no order yet, those of the patch, those of the original that stay)."""
    if not all(isinstance(one, dict) for one in [*original, *patch]):
        raise Invalid("a list holds items of several types", path)
    if any(one.get(_DIRECTIVE, "delete") not in ("delete", "replace") for one in patch):
        raise Invalid("an item has an unknown directive", path)
    gone = [_key_of(one, key, path) for one in patch if one.get(_DIRECTIVE) == "delete"]
    changes = [one for one in patch if _DIRECTIVE not in one]
    if any(one.get(_DIRECTIVE) == "replace" for one in patch):
        original, gone, changes = changes, [], []
    kept = [one for one in original if one.get(key) not in gone]
    merged = list(kept)
    place = dict(reversed([(_key_of(one, key, path), number) for number, one in enumerate(kept)]))
    for change in changes:
        at = place.setdefault(_key_of(change, key, path), len(merged))
        if at == len(merged):
            merged.append(change)
        else:
            merged[at] = _map(merged[at], change, path)
    for one in merged:
        _key_of(one, key, path)
    return merged, changes, kept


def _key_of(item: Any, key: str, path: str) -> Any:
    if not isinstance(item, dict) or key not in item:
        raise Invalid(f"an item without its merge key {key!r}", path)
    return item[key]


def _order(merged: Map, field: str, patch: Any, order: Any, path: str) -> None:
    """Items that `order` names follow it; the others stand where they stood before."""
    key, original = MERGE_KEYS.get(path), merged.get(field)
    if not isinstance(order, list):
        raise Invalid("an order is a list", f"{path}.{_ORDER}")
    if not all(one is None or isinstance(one, list) for one in (original, patch)):
        raise Invalid("only a list has an order", path)
    named = [one for one in patch or () if not _is_directed(one)]
    if patch and order and not in_order(named, order, key):
        raise Invalid("the items of the patch do not follow the order it gives", path)
    if original is None and patch is None:
        return
    if original is None:
        merged[field] = _undirected(patch)
    elif patch is not None:
        if key is not None and not any(_is_directed(one) and one[_DIRECTIVE] == "replace" for one in patch):
            # New items take the places of deleted ones, in the very list that the order is read from.
            original = _items(original, patch, key, path)[0][: len(original)]
        merged[field] = _list(merged[field], patch, path)
    if key is not None:
        for one in [*merged[field], *order]:
            _key_of(one, key, path)
    merged[field] = joined_order(merged[field], order, original or [], key)


def _is_directed(value: Any) -> bool:
    return isinstance(value, dict) and _DIRECTIVE in value


def _undirected(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _undirected(one) for key, one in value.items() if not _is_directed(one)}
    if isinstance(value, list):
        return [_undirected(one) for one in value if not _is_directed(one)]
    return value


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    return value
