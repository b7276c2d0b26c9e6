"""Whole lists and collected errors on real workers: the same answers as in one process, by the tasks that are meant."""

import pytest

from scheduler.engine import plugins
from scheduler.execution import decide, report_of
from tests.engine.builders import a_cycle, a_node, a_pod, with_algorithm
from tests.engine.list_algorithms import CpuPlace, Fragile, FragileList, NoReduce

pytestmark = pytest.mark.services

SOUND = [a_node(f"n{number}", cpu=str(2 + number % 5)) for number in range(9)]
BROKEN = [a_node(f"b{number}", labels={"fragile": f"crack {number}"}) for number in range(3)]
CLASSES = (CpuPlace, Fragile, FragileList, NoReduce)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    found = {**plugins.registry(), **{one.name: one for one in CLASSES}}
    monkeypatch.setattr(plugins, "registry", lambda: found)


def attempt(*names, nodes, **options):
    profile = with_algorithm(names[0])
    for name in names[1:]:
        profile.plugins["score"] = (*profile.plugins["score"], name)
    return a_cycle(a_pod(requests={"cpu": "500m"}), *nodes, profile=profile, **options)


def test_a_whole_list_is_one_task_and_gives_the_same_decision(start_worker):
    start_worker()
    heard = []
    decision, tasks = decide(attempt("CpuPlace", nodes=SOUND), cluster_id=1, range_size=4, observe=heard.append)
    assert decision == attempt("CpuPlace", nodes=SOUND).run()
    maps = [task for task in tasks if task["kind"] == "map"]
    assert sorted(task["label"] for task in maps) == ["CpuPlace: whole list", "node 9", "nodes 1–4", "nodes 5–8"]
    assert {task["worker"] for task in maps} <= {"w1", "w2"}
    assert report_of(1, 0)["note"] == ""
    names = [one["name"] for one in heard[-1]["algorithms"]]
    cells = [cell for progress in heard for cell in progress["cells"] if "rows" in cell]
    whole = [cell["raw"] for cell in cells if cell["raw"][names.index("CpuPlace")] is not None]
    assert [row is None for row in whole[0]] == [name != "CpuPlace" for name in names]


@pytest.mark.parametrize("nodes", [SOUND + BROKEN, BROKEN + SOUND], ids=["found by a worker", "found at once"])
@pytest.mark.parametrize("size", [1, 5, 12])
def test_collected_errors_are_those_of_one_process_whatever_the_ranges(start_worker, nodes, size):
    start_worker()
    names = ("Fragile", "FragileList", "CpuPlace", "NoReduce")
    here, there = (attempt(*names, nodes=nodes, collects_errors=True) for _ in range(2))
    decision, _ = decide(there, cluster_id=1, range_size=size)
    assert decision == here.run()
    assert decision.outcome == "error"
    assert there.score_errors == here.score_errors
    assert there.score_errors.cell_count == 3 + 12


def test_without_collecting_the_first_error_is_that_of_one_process(start_worker):
    start_worker()
    here, there = (attempt("Fragile", nodes=SOUND + BROKEN) for _ in range(2))
    decision, _ = decide(there, cluster_id=1, range_size=12)
    assert decision == here.run()
    assert there.failed_phase == here.failed_phase == "Map"
