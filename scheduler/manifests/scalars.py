"""What an unquoted YAML word means: YAML 1.2's core rules, so that `on`, `no`, `y`, `12:30` and dates stay text.

Of YAML 1.1 only octal numbers with a leading 0 are read, as Kubernetes' tools do (`defaultMode: 0644`).
"""

import math
import re
from typing import Any

_WORDS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)", re.ASCII)
_BASED = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+|0[0-7]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_FIRST = frozenset("0123456789+-.~nNtTfF")
_LONGEST = 40


def resolve(text: str) -> Any:
    """The value of an unquoted scalar. Numbers that JSON cannot carry stay text."""
    if text and (text[0] not in _FIRST or len(text) > _LONGEST):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return _bounded(int(text), text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    if _BASED.fullmatch(text):
        return _bounded(int(text, 16 if text[1] == "x" else 8), text)
    return text


def _bounded(number: int, text: str) -> int | str:
    return number if -(2**63) <= number < 2**64 else text
