"""Whole attempts against recordings of the real scheduler. Vectors that need an algorithm not here yet are left out."""

from typing import Any

import pytest

from scheduler.engine import plugins
from scheduler.engine.conformance import run_cycle_vector
from tests.engine.vectors import Vector, load

HERE = set(plugins.registry())
KINDS = ("cycle", "large", "preemption", "volume")
WITH_POST_FILTER_TEXT = ("preemption", "fit_error", "event_message")


def algorithms_in(expected: dict[str, Any]) -> set[str]:
    """Every algorithm whose work shows in an outcome."""
    rejections = list(expected.get("rejected", {}).values())
    rejections += [failure for one in rejections for failure in one.get("all_failures", ())]
    shown = {one["plugin"] for one in rejections} | set(expected.get("scores", {}))
    return (shown | {expected.get("prefilter", {}).get("plugin", "")}) - {""}


def conforming() -> list[Vector]:
    return [vector for kind in KINDS for vector in load(kind) if algorithms_in(vector.expected) <= HERE]


def without_missing_algorithms(outcome: dict[str, Any]) -> dict[str, Any]:
    """The outcome as it can be while some algorithms are not here: only their names in lists of skipped ones go."""
    outcome = {key: value for key, value in outcome.items() if key != "api_validation_errors"}
    if "prefilter" in outcome:
        skipped = [name for name in outcome["prefilter"]["skipped"] if name in HERE]
        outcome["prefilter"] = {**outcome["prefilter"], "skipped": skipped}
    if "prescore_skipped" in outcome:
        outcome["prescore_skipped"] = [name for name in outcome["prescore_skipped"] if name in HERE]
    preempted = outcome.get("prefilter", {}).get("code") in ("Success", "Unschedulable")
    if preempted and "DefaultPreemption" not in HERE:
        outcome = {key: value for key, value in outcome.items() if key not in WITH_POST_FILTER_TEXT}
    return outcome


@pytest.mark.parametrize("vector", conforming(), ids=lambda vector: vector.name)
def test_an_attempt_ends_as_the_real_scheduler_s_does(vector: Vector):
    outcome = run_cycle_vector(vector.data)
    assert without_missing_algorithms(outcome) == without_missing_algorithms(vector.expected)


def test_every_vector_is_run():
    assert len(conforming()) == 586
