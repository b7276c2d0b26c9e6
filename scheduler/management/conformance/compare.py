"""Where two JSON values differ first, in words."""

import json
from typing import Any

_MISSING = object()
_LONGEST = 300


def first_difference(expected: Any, found: Any, path: str = "") -> str:
    """`path: expected …, found …`, or "" if they are equal. Whole numbers and floats of one value are equal."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in (*expected, *(key for key in found if key not in expected)):
            below = f"{path}.{key}" if path else str(key)
            if text := first_difference(expected.get(key, _MISSING), found.get(key, _MISSING), below):
                return text
        return ""
    if isinstance(expected, list) and isinstance(found, list):
        for index in range(max(len(expected), len(found))):
            left, right = (one[index] if index < len(one) else _MISSING for one in (expected, found))
            if text := first_difference(left, right, f"{path}[{index}]"):
                return text
        return ""
    is_equal = expected == found and isinstance(expected, bool) is isinstance(found, bool)
    return "" if is_equal else f"{path or 'outcome'}: expected {_shown(expected)}, found {_shown(found)}"


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
