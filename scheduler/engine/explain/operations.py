"""What the operations of steps mean. Screens show the name; `evaluate` does the sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler.engine.explain.conditions import CONDITIONS
from scheduler.engine.explain.formulas import FORMULAS
from scheduler.engine.explain.scales import SCALES

OPERATIONS: dict[str, Callable[..., Any]] = {**FORMULAS, **CONDITIONS, **SCALES}

VERDICTS = frozenset({"first_reason", "every_reason"})
"""Their inputs are pairs of a condition and the reason that it gives if it does not hold."""
