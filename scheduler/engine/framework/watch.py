"""Holds every hook of an algorithm to its contract, so that a mistake is named where it is made.

kube-scheduler's own plugins are left out: recordings of the real one hold them, and they are asked far more often.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

import numpy as np

from scheduler.engine.errors import PluginError
from scheduler.engine.framework.answers import CHECKS, Check
from scheduler.engine.framework.in_tree import IN_TREE
from scheduler.engine.framework.nodes import Nodes
from scheduler.engine.framework.reading import too_narrow
from scheduler.engine.framework.results import Step


def watch(plugin: type) -> None:
    """Wrap the hooks that this class defines."""
    if getattr(plugin, "name", "") in IN_TREE:
        return
    for hook, check in CHECKS.items():
        method = vars(plugin).get(hook)
        if isinstance(method, FunctionType):
            setattr(plugin, hook, _watched(method, hook, check))


def _watched(method: FunctionType, hook: str, check: Check) -> Callable[..., Any]:
    ask = _observed(method, hook) if hook in ("filter", "score") else method

    @wraps(method)
    def call(self: Any, *given: Any) -> Any:
        if hook == "normalize":
            given = (given[0], _read_only(given[1]))
        try:
            return check(ask(self, *given), given)
        except Exception as problem:
            fault = _named(self, hook, problem, method)
            if hook.startswith("explain"):
                return _explained(hook, str(fault))
            raise fault from problem

    return call


def _observed(method: FunctionType, hook: str) -> Callable[..., Any]:
    """What it reads is noted where all nodes are asked about: the first time for a sort of pods, seldom after."""

    def ask(self: Any, cycle: Any, nodes: Nodes) -> Any:
        reads = getattr(self, f"{hook}_reads")
        if reads not in ("node", "columns") or not nodes.is_all:
            return method(self, cycle, nodes)
        seen = nodes.columns.observed()
        answer = method(self, cycle, Nodes(seen, nodes.rows))
        if fault := too_narrow(hook, reads, seen.keys, seen.read_nodes):
            raise PluginError(fault)
        return answer

    return ask


def _named(plugin: Any, hook: str, problem: Exception, method: FunctionType) -> PluginError:
    """A hook that calls another one, as `explain` may call `score`, leaves that one's error as it is."""
    start = f"{plugin.name}."
    if isinstance(problem, PluginError) and str(problem).startswith(start):
        return problem
    raised = f"raised {type(problem).__name__}: {problem}{_place(problem, method)}"
    fault = PluginError(f"{start}{hook} {problem if isinstance(problem, PluginError) else raised}")
    fault.hook = hook
    return fault


def _explained(hook: str, fault: str) -> list[Step]:
    """An explanation that fails says so in the place of its steps; what it explains stands without it."""
    result = (fault,) if hook in ("explain_filter", "explain_pre_filter") else fault
    return [Step("fault", "value", (result,), result, "the explanation itself failed")]


def _place(problem: Exception, method: FunctionType) -> str:
    """Where in the algorithm's own file it happened."""
    file = method.__code__.co_filename
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    return f" (line {lines[-1]} of {file.rpartition('/')[2]})" if lines else ""


def _read_only(scores: Any) -> Any:
    """The raw row may be kept for other pods: to change it in place is an error."""
    view = scores.view() if isinstance(scores, np.ndarray) else scores
    if view is not scores:
        view.flags.writeable = False
    return view
