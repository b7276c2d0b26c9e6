"""The form for clock and queue settings: words and units of people, to the engine's settings and back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.clock import duration_us
from scheduler.engine.simulation.settings import PRESETS, Settings, with_controllers

SWITCHES = {
    "queueing_hints": "Queueing hints: only events that could help a pod wake it",
    "pop_from_backoff": "Pop from BackoffQ while ActiveQ is empty",
    "async_preemption": "Preemption in the background, as since v1.33",
    "single_backoff_queue": "One backoff queue for refused and failed pods, as before v1.33",
    "fulfilled_nominations_wake": "A nominated pod that is bound wakes pods of lower priority",
    "draw_nominations": "Draw among nodes that preemption cannot tell apart",
    "draw_at_each_tie": "Choose among the best by a draw at each tie of the list, as before v1.18",
    "controllers": "Controllers: workloads make, keep and delete their pods",
    "collect_score_errors": "Go on scoring where an algorithm fails, and report all errors together, as before v1.18",
}
DURATIONS = {
    "cycle_us": "A cycle takes",
    "backoff_flush_us": "BackoffQ flushed every",
    "leftover_flush_us": "Unschedulable flushed every",
    "max_unschedulable_us": "At most in Unschedulable",
    "controller_us": "A controller looks after",
    "ready_us": "A bound pod is ready after",
}
KIND = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
MAY_BE_ZERO = {"cycle_us", "backoff_flush_us", "leftover_flush_us"}
BACKOFF = {"podInitialBackoffSeconds": "First backoff", "podMaxBackoffSeconds": "Longest backoff"}
BACKOFF_DEFAULTS = {"podInitialBackoffSeconds": 1, "podMaxBackoffSeconds": 10}


@dataclass
class Line:
    """One field. `value`: text, or whether a switch is on."""

    name: str
    label: str
    value: Any
    error: str = ""


def written(us: int) -> str:
    """A duration as people write it: `10ms`, `30s`, `5m`."""
    for unit, size in (("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000)):
        if us and us % size == 0:
            return f"{us // size}{unit}"
    return f"{us}us" if us else "0"


def lines(settings: Settings, configuration: Mapping[str, Any]) -> tuple[list[Line], list[Line]]:
    """The fields with text, and the switches."""
    texts = [Line(name, label, written(getattr(settings, name))) for name, label in DURATIONS.items()]
    for name, label in BACKOFF.items():
        texts.append(Line(name, f"{label}, s", str(configuration.get(name) or BACKOFF_DEFAULTS[name])))
    return texts, [Line(name, label, getattr(settings, name)) for name, label in SWITCHES.items()]


def preset(name: str, configuration: dict[str, Any], now: Settings) -> tuple[Settings, dict[str, Any]]:
    """Settings and configuration of a preset; profiles and controllers stay as they are. Raises Invalid."""
    if name not in PRESETS:
        raise Invalid(f"{name[:40]!r} is no preset: use {' or '.join(PRESETS)}", "preset")
    settings, backoff = PRESETS[name]
    kept = {key: value for key, value in configuration.items() if key not in BACKOFF}
    return with_controllers(settings, now), with_kind(kept | backoff)


def preset_of(settings: Settings) -> str:
    """The preset that clock and queue are set to, "" for settings of one's own."""
    return next((name for name, (known, _) in PRESETS.items() if with_controllers(known, settings) == settings), "")


def with_kind(configuration: dict[str, Any]) -> dict[str, Any]:
    """The cluster of the default profile has none; a configuration with anything in it must say what it is."""
    return {**KIND, **configuration} if configuration else {}


def posted(
    data: Mapping[str, str], texts: list[Line], switches: list[Line], configuration: dict[str, Any]
) -> tuple[Settings, dict[str, Any]] | None:
    """What was sent; None where a field is wrong, which its line says then."""
    values: dict[str, Any] = {}
    for line in texts:
        line.value = data.get(line.name, line.value).strip()
        values[line.name] = _read(line)
    for line in switches:
        line.value = values[line.name] = data.get(line.name) == "on"
    if any(line.error for line in texts):
        return None
    wished = configuration | {name: values.pop(name) for name in BACKOFF}
    return msgspec.convert(values, Settings), with_kind(wished)


def _read(line: Line) -> int:
    if line.name in BACKOFF:
        if re.fullmatch(r"[0-9]{1,5}", line.value) and 0 < int(line.value) <= 86_400:
            return int(line.value)
        line.error = "Write a whole number of seconds, from 1 to 86400."
        return 0
    if line.value in ("0", "0s") and line.name in MAY_BE_ZERO:
        return 0
    us = duration_us(line.value)
    if us is None or us > 86_400_000_000:
        line.error = "Write a duration of at most a day, such as 10ms, 30s or 5m."
    return us or 0
