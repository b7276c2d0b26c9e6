"""The phases of an attempt by name, and which of them an error belongs to."""

from __future__ import annotations

from scheduler.engine.cycle.scores import ScoreError
from scheduler.engine.errors import PluginError

PHASES = ("PreEnqueue", "Pop", "PreFilter", "Filter", "PreScore", "Map", "Reduce", "Sum", "Select", "Reserve", "Bind")
"""The phases of a pod that finds a node, in order."""

REFUSED_PHASES = ("PreEnqueue", "Pop", "PreFilter", "Filter", "PostFilter")
"""The phases of a pod that finds none."""


def phase_of(problem: ScoreError | PluginError) -> str:
    """The phase, from Map on, in which an error came up."""
    hook = problem.hook if isinstance(problem, PluginError) else ""
    return {"score": "Map", "normalize": "Reduce", "reserve": "Reserve"}.get(hook, "Sum")
