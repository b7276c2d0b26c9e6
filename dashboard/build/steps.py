"""The engine's steps as plain JSON with their words."""

from collections.abc import Sequence
from typing import Any

import msgspec

from dashboard.payloads.explain import StepLine
from scheduler.engine.explain.wording import lines
from scheduler.engine.framework import Step


class NoSuchCell(LookupError):  # noqa: N818 - read as a sentence
    """There is nothing to explain here; str() says why."""


def step_lines(steps: Sequence[Step]) -> list[StepLine]:
    return [
        {
            "name": step.name,
            "op": step.op,
            "inputs": _plain(step.inputs),
            "result": _plain(step.result),
            "note": line.note,
            "text": line.text,
            "answer": line.answer,
            "holds": line.holds,
        }
        for step, line in zip(steps, lines(steps), strict=True)
    ]


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=_number))


def _number(value: Any) -> Any:
    """NumPy scalars and exact fractions as plain numbers."""
    return value.item() if hasattr(value, "item") else float(value)
