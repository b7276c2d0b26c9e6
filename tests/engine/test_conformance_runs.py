"""Whole runs against recordings: pods one after the other, and searches in a cluster whose nodes come and go."""

import pytest

from scheduler.engine import plugins
from scheduler.engine.conformance import run_adaptive_vector, run_retry_vector, run_sequence_vector
from tests.engine.vectors import load, params

HERE = set(plugins.registry())
RUNS = [(pytest.param(one, id=one.name), (one.data.get("options") or {}).get("retry")) for one in load("sequence")]
SEQUENCES = [vector for vector, retries in RUNS if not retries]
RETRIES = [vector for vector, retries in RUNS if retries]


def without_missing_algorithms(outcome):
    """Lists of skipped algorithms cannot name one that is not here yet."""
    decisions = [dict(one) for one in outcome["decisions"]]
    for one in decisions:
        if "prefilter" in one:
            one["prefilter"] = one["prefilter"] | {"skipped": [x for x in one["prefilter"]["skipped"] if x in HERE]}
        if "prescore_skipped" in one:
            one["prescore_skipped"] = [x for x in one["prescore_skipped"] if x in HERE]
    return outcome | {"decisions": decisions}


@pytest.mark.parametrize("vector", params("adaptive"))
def test_a_search_visits_what_the_real_one_visits(vector):
    assert run_adaptive_vector(vector.data) == vector.expected


@pytest.mark.parametrize("vector", SEQUENCES)
def test_pods_one_after_the_other_end_as_in_the_real_scheduler(vector):
    assert without_missing_algorithms(run_sequence_vector(vector.data)) == without_missing_algorithms(vector.expected)


@pytest.mark.parametrize("vector", RETRIES)
def test_pods_are_retried_and_evicted_until_nothing_can_be_popped(vector):
    if vector.expected["evicted"] and "DefaultPreemption" not in HERE:
        pytest.skip("nobody evicts yet")
    assert run_retry_vector(vector.data) == vector.expected
