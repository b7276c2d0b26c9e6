"""The real scheduler's recorded attempts, mapped and reduced by Celery workers: not one number differs."""

import pytest

from scheduler.engine import plugins
from scheduler.engine.conformance import run_cycle_vector, vector_cycle
from scheduler.engine.explain.report import cycle_report
from scheduler.execution import decide
from tests.engine.vectors import load

pytestmark = pytest.mark.services
EVERY = 4
ALL = 1_000_000
MOST_RANGES = 100  # what many tasks of one cycle do is test_execution's


def scored_vectors(range_size):
    """A quarter of the vectors that score nodes, and the large ones; those that need only algorithms that are here."""
    here = set(plugins.registry())
    scored = [one for one in load("cycle") if set(one.expected.get("scores", {}))]
    large = [one for one in load("large") if set(one.expected.get("scores", {}))]
    chosen = [one for one in [*scored[::EVERY], *large] if set(one.expected["scores"]) <= here]
    return [one for one in chosen if node_count(one) <= MOST_RANGES * range_size]


def node_count(vector):
    return sum(1 for one in vector.data["objects"] if one["kind"] == "Node")


def by_workers(data, range_size):
    cycle, cluster = vector_cycle(data)
    _, tasks = decide(cycle, cluster_id=1, range_size=range_size)
    report = cycle_report(cycle, cluster, compact=bool((data.get("options") or {}).get("compact")))
    return report, [task for task in tasks if task["kind"] != "phase"]


@pytest.mark.parametrize("range_size", [1, 7, ALL])
def test_workers_give_the_numbers_of_one_process(start_worker, range_size):
    start_worker()
    vectors = scored_vectors(range_size)
    assert len(vectors) > 20
    by_celery = 0
    for vector in vectors:
        report, tasks = by_workers(vector.data, range_size)
        assert report == run_cycle_vector(vector.data), vector.name
        assert not any(task["worker"] == "core" or task["resent"] for task in tasks), vector.name
        by_celery += bool(tasks)
    assert by_celery > 20
