"""What the operations of steps mean. Screens show the name; `evaluate` does the sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler.engine.explain.conditions import CONDITIONS
from scheduler.engine.explain.formulas import FORMULAS
from scheduler.engine.explain.scales import SCALES

OPERATIONS: dict[str, Callable[..., Any]] = {**FORMULAS, **CONDITIONS, **SCALES}
