"""What each hook may answer. A check gives the answer back, or raises PluginError with what was expected and what came.

`given` are the hook's arguments after `self`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from scheduler.engine.errors import PluginError
from scheduler.engine.framework.nodes import Verdict
from scheduler.engine.framework.results import PostFilterResult, PreFilterResult, Step
from scheduler.engine.framework.status import Status
from scheduler.engine.words import count

Check: TypeAlias = Callable[[Any, tuple[Any, ...]], Any]
_INTEGERS = "iu"


def _a(expected: type) -> Check:
    def check(answer: Any, given: tuple[Any, ...]) -> Any:
        if not isinstance(answer, expected):
            raise PluginError(f"must return a {expected.__name__}, not {told(answer)}")
        return answer

    return check


def _pre_filter(answer: Any, given: tuple[Any, ...]) -> PreFilterResult:
    result: PreFilterResult = _a(PreFilterResult)(answer, given)
    names: Any = result.node_names
    if names is not None and not isinstance(names, frozenset):
        raise PluginError(f"must give node_names as a frozenset or None, not {told(names)}")
    return result


def _verdict(answer: Any, given: tuple[Any, ...]) -> Verdict:
    verdict: Verdict = _a(Verdict)(answer, given)
    index: Any = verdict.index
    size = len(given[1])
    if not isinstance(index, np.ndarray) or index.dtype.kind not in _INTEGERS or index.shape != (size,):
        raise PluginError(f"must answer for {count(size, 'node')} with an integer each, not with {told(index)}")
    if size and not 0 <= index.min() <= index.max() < len(verdict.statuses):
        raise PluginError(f"points to status {index.max()} of {len(verdict.statuses)}")
    if not verdict.statuses or not all(isinstance(one, Status) for one in verdict.statuses):
        raise PluginError(f"must have a Status for each number, not {verdict.statuses!r}")
    if not verdict.statuses[0].is_success:
        raise PluginError("must have SUCCESS as its first status: 0 stands for a node that passes")
    return verdict


def _row(answer: Any, count: int) -> Any:
    """A copy, since rows are kept and changed: an answer may be a column of the cluster itself."""
    if not isinstance(answer, np.ndarray) or answer.dtype.kind not in _INTEGERS or answer.shape != (count,):
        hint = (
            "; round it and use .astype(np.int64)" if getattr(answer, "dtype", None) in (np.float64, np.bool_) else ""
        )
        raise PluginError(f"must return an int64 array of shape ({count},), not {told(answer)}{hint}")
    return answer.astype(np.int64)


def _steps(answer: Any, given: tuple[Any, ...]) -> list[Step]:
    if not isinstance(answer, list) or not all(isinstance(one, Step) for one in answer):
        raise PluginError(f"must return a list of Step, not {told(answer)}")
    return answer


def _fixes(answer: Any, given: tuple[Any, ...]) -> list[Any]:
    if not isinstance(answer, list) or not all(type(one).__name__ == "Fix" for one in answer):
        raise PluginError(f"must return a list of Fix, not {told(answer)}")
    return answer


def _nothing(answer: Any, given: tuple[Any, ...]) -> None:
    if answer is not None:
        raise PluginError(f"must return nothing, not {told(answer)}: it changes `cycle.state`")


def _key(answer: Any, given: tuple[Any, ...]) -> Any:
    try:
        hash(answer)
    except TypeError:
        raise PluginError(f"must return something hashable, not {told(answer)}") from None
    return answer


def told(answer: Any) -> str:
    """`float64 of shape (3,)`, `None`, `7 (int)`: what came instead."""
    if isinstance(answer, np.ndarray):
        return f"{answer.dtype} of shape {answer.shape}"
    if answer is None:
        return "None"
    return f"{answer!r:.60} ({type(answer).__name__})"


CHECKS: dict[str, Check] = {
    "shape_key": _key,
    "concerns": _a(bool),
    "pre_enqueue": _a(Status),
    "pre_filter": _pre_filter,
    "filter": _verdict,
    "pods_changed": _nothing,
    "post_filter": _a(PostFilterResult),
    "pre_score": _a(Status),
    "without_pre_filter": _a(Status),
    "without_pre_score": _a(Status),
    "score": lambda answer, given: _row(answer, len(given[1])),
    "reserve": _a(tuple),
    "normalize": lambda answer, given: _row(answer, len(given[1])),
    "explain_pre_filter": _steps,
    "explain_filter": _steps,
    "fixes": _fixes,
    "explain": _steps,
    "explain_normalize": _steps,
}
"""The hooks of an algorithm, and the check of each one's answer."""
