"""Steps as lines that people read: each operation with its figures, the same on pages and on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scheduler.engine.explain.rounding import rounding
from scheduler.engine.explain.saying import SAID
from scheduler.engine.framework import Step
from scheduler.engine.values.quantity import is_bytes

_UNITS = (("Mi", 2**20), ("Ki", 2**10), ("", 1))


class Line(NamedTuple):
    """`text` is the sum or the question with its figures, `answer` the result in words. `holds`: None for a number."""

    name: str
    text: str
    answer: str
    note: str
    holds: bool | None


def lines(steps: Sequence[Step]) -> list[Line]:
    """One line a step; in sums, names of earlier steps are replaced by their results."""
    known: dict[Any, Any] = {}
    written = []
    for step in steps:
        written.append(_line(step, known))
        known[step.name] = step.result
    return written


def _line(step: Step, known: dict[Any, Any]) -> Line:
    """Of a plain fact the note says it all."""
    if step.op == "value" and step.note:
        return Line(step.name, step.note, _answer(step), "", _holds(step))
    if step.op in SAID:
        return Line(step.name, SAID[step.op](*step.inputs), _answer(step), step.note, _holds(step))
    inputs = [known.get(one, one) if isinstance(one, str) else one for one in step.inputs]
    text, answer = SUMS.get(step.op, _call(step.op))(_figures(step.name, inputs)), _answer(step)
    notes = (step.note, rounding(step.op, inputs, step.result, answer))
    return Line(step.name, text, answer, ", ".join(filter(None, notes)), _holds(step))


def _holds(step: Step) -> bool | None:
    """A verdict holds if it names no reason; a plain fact speaks neither for nor against the node."""
    if step.op == "value" and step.name != "verdict":
        return None
    if isinstance(step.result, tuple):
        return not step.result
    return step.result if isinstance(step.result, bool) else None


def _answer(step: Step) -> str:
    if isinstance(step.result, tuple):
        return "; ".join(step.result) or "passes"
    return figure(step.result)


def figure(value: Any) -> str:
    """A number with a real minus, floats to six digits; yes, no, none."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        value = f"{value:.6g}"
    text = str(value)
    return f"(−{text[1:]})" if text.startswith("-") else text


def _figures(name: str, inputs: Sequence[Any]) -> list[str]:
    """Bytes in the largest binary unit that writes all of them exactly; thousandths of a cpu with their m."""
    numbers = [one for one in inputs if isinstance(one, int) and not isinstance(one, bool)]
    unit, size = "", 1
    if name == "cpu":
        unit = "m"
    elif is_bytes(name):
        unit, size = next((unit, size) for unit, size in _UNITS if all(one % size == 0 for one in numbers))
    return [f"{one // size}{unit}" if one in numbers and unit else _written(one) for one in inputs]


def _written(one: Any) -> str:
    """Points of a broken line as 0→100, 50→20."""
    return ", ".join("→".join(map(str, point)) for point in one) if isinstance(one, tuple) else figure(one)


def _call(op: str) -> Callable[[list[str]], str]:
    """An operation of somebody else's algorithm."""
    return lambda figures: f"{op}({', '.join(figures)})"


def _mean(figures: list[str]) -> str:
    pairs = list(zip(figures[::2], figures[1::2], strict=True))
    if len(pairs) == 1:
        return pairs[0][0]
    return f"({' + '.join(f'{one} × {weight}' for one, weight in pairs)}) / ({' + '.join(one for _, one in pairs)})"


def _deviation(figures: list[str]) -> str:
    return f"|{figures[0]} − {figures[1]}| / 2" if len(figures) == 2 else f"deviation of {', '.join(figures)}"


SUMS: dict[str, Callable[[list[str]], str]] = {
    "value": lambda it: it[0],
    "sum": lambda it: " + ".join(it) or "0",
    "add": "{0[0]} + {0[1]}".format,
    "subtract": "{0[0]} − {0[1]}".format,
    "multiply": "{0[0]} × {0[1]}".format,
    "round": "round {0[0]}".format,
    "smaller": "the smaller of {0[0]} and {0[1]}".format,
    "larger": "the larger of {0[0]} and {0[1]}".format,
    "beyond": "{0[0]} − {0[1]}, at least 0".format,
    "percent": "{0[1]} % of {0[0]}".format,
    "quotient": "{0[0]} / {0[1]}, rounded down".format,
    "remainder": "what {0[0]} / {0[1]} leaves over".format,
    "one_of_last": "1 more for the last {0[2]} of {0[1]}: it is number {0[0]}".format,
    "clip": "{0[0]}, kept within {0[1]} … {0[2]}".format,
    "share_of_range": "100 × ({0[0]} − {0[1]}) / ({0[2]} − {0[1]})".format,
    "image_share": "{0[0]} × {0[1]} / {0[2]}".format,
    "least_allocated": "({0[1]} − {0[0]}) × 100 / {0[1]}".format,
    "most_allocated": "min({0[0]}, {0[1]}) × 100 / {0[1]}".format,
    "broken_line": "{0[0]} of {0[1]} on the line {0[2]}".format,
    "weighted_mean": _mean,
    "ratio_mean": _mean,
    "fraction": "{0[0]} / {0[1]}".format,
    "deviation": _deviation,
    "evenness": "(1 − {0[0]}) × 100".format,
    "domain_weight": "ln({0[0]} + 2)".format,
    "spread_term": "{0[0]} × {0[1]} + ({0[2]} − 1)".format,
    "share_of_highest": "{0[0]} × 100 / {0[1]}".format,
    "turned_round": "100 − {0[0]}".format,
    "min_max": "100 × ({0[0]} − {0[1]}) / ({0[2]} − {0[1]})".format,
    "fewest_first": "100 × ({0[2]} + {0[1]} − {0[0]}) / {0[2]}".format,
    "fits": "{0[0]} ≤ {0[1]} − {0[2]}".format,
    "attachable": "{0[0]} + {0[2]} ≤ {0[1]}".format,
    "at_most": "{0[0]} ≤ {0[1]}".format,
    "at_least": "{0[0]} ≥ {0[1]}".format,
    "within_skew": "{0[0]} + {0[1]} − {0[2]} ≤ {0[3]}".format,
    "none": "{0[0]} = 0".format,
    "some": "{0[0]} > 0".format,
}
