"""Map and reduce on real workers: the numbers, what is reported, and what happens without a broker."""

import numpy as np
import pytest

from scheduler.execution import decide, report_of
from scheduler.execution.exchange import Exchange, Result, pack
from scheduler.execution.ranges import MAX_TASKS, ranges
from scheduler.execution.redis import client
from scheduler.execution.sealed import SealError, seal, unseal
from tests.scheduler.fake_cycle import FakeCycle, Prepared

services = pytest.mark.services


@pytest.mark.parametrize(
    ("rows", "size", "expected"),
    [
        pytest.param(0, 1, [], id="nothing to map"),
        pytest.param(3, 1, [(0, 1), (1, 2), (2, 3)], id="a task per node"),
        pytest.param(10, 4, [(0, 4), (4, 8), (8, 10)], id="the last range is shorter"),
        pytest.param(10, 0, [(0, 2), (2, 5), (5, 7), (7, 10)], id="four equal ranges"),
        pytest.param(2, 0, [(0, 1), (1, 2)], id="fewer rows than ranges"),
        pytest.param(5, 100, [(0, 5)], id="all at once"),
    ],
)
def test_ranges_cover_every_row_once(rows, size, expected, settings):
    settings.PODIUM_MAP_RANGES = 4
    assert ranges(rows, size) == expected


@pytest.mark.parametrize("rows", [MAX_TASKS, MAX_TASKS + 1, 5000])
def test_a_task_per_node_is_capped(rows):
    spans = ranges(rows, 1)
    assert len(spans) == MAX_TASKS
    assert [row for first, last in spans for row in range(first, last)] == list(range(rows))


def test_a_sealed_value_comes_back():
    assert unseal(seal({"rows": [1, 2]}, "key"), "key") == {"rows": [1, 2]}


@pytest.mark.parametrize("position", [0, 31, 32, -1])
def test_one_changed_byte_breaks_the_seal(position):
    blob = bytearray(seal([1, 2, 3], "key"))
    blob[position] ^= 1
    with pytest.raises(SealError):
        unseal(bytes(blob), "key")


def test_a_seal_holds_for_its_key_and_its_secret_alone(settings):
    blob = seal([1], "key")
    with pytest.raises(SealError):
        unseal(blob, "other")
    settings.SECRET_KEY = "another installation's"
    with pytest.raises(SealError):
        unseal(blob, "key")


def test_without_a_broker_the_cycle_runs_in_this_process(no_redis):
    cycle = FakeCycle(10)
    decision, tasks = decide(cycle, cluster_id=1)
    report = report_of(1, cycle.number)
    assert decision == FakeCycle(10).run()
    assert {task["worker"] for task in tasks} == {"core"}
    assert report["executor"] == "in_process"
    assert "No broker" in report["note"]


@services
def test_without_a_worker_nobody_waits(redis_url):
    cycle = FakeCycle(10)
    decide(cycle, cluster_id=1)
    report = report_of(1, cycle.number)
    assert report["executor"] == "in_process"
    assert "No worker" in report["note"]


@services
def test_workers_return_the_same_numbers_for_every_range_size(start_worker):
    start_worker()
    expected = FakeCycle(23)
    expected_decision = expected.run()
    for size in (1, 7, 23):
        cycle = FakeCycle(23)
        decision, tasks = decide(cycle, cluster_id=1, range_size=size)
        assert decision == expected_decision
        assert all(np.array_equal(cycle.raw[name], expected.raw[name]) for name in cycle.algorithms)
        assert all(np.array_equal(cycle.normalized[name], expected.normalized[name]) for name in cycle.algorithms)
        assert sum(task["kind"] == "map" for task in tasks) == -(-23 // size)
        assert [task["label"] for task in tasks if task["kind"] == "reduce"] == ["Even"]
        assert not any(task["resent"] for task in tasks)
        assert {task["worker"] for task in tasks if task["kind"] != "phase"} <= {"w1", "w2"}
    assert report_of(1, 7)["executor"] == "celery"
    assert client().keys("podium:{cycle*") == []


@services
def test_the_observer_hears_of_every_cell(start_worker):
    start_worker()
    heard = []
    cycle = FakeCycle(10)
    decide(cycle, cluster_id=1, observe=heard.append, range_size=4)
    cells = [cell for progress in heard for cell in progress["cells"]]
    rows = sorted((cell["rows"], cell["raw"]) for cell in cells if "rows" in cell)
    assert [row for (first, last), _ in rows for row in range(first, last)] == list(range(10))
    assert [value for _, raw in rows for value in raw[1]] == cycle.raw["Odd"].tolist()
    assert [cell["normalized"] for cell in cells if "normalized" in cell] == [cycle.normalized["Even"].tolist()]
    assert heard[-1]["phase"] == "Reduce"
    assert {entry["name"]: entry["state"] for entry in heard[-1]["algorithms"]} == {"Even": "set", "Odd": "as_is"}


@services
def test_of_many_tasks_every_cell_is_told_in_few_messages(start_worker):
    start_worker()
    heard = []
    cycle = FakeCycle(150)
    _, tasks = decide(cycle, cluster_id=1, observe=heard.append, range_size=1)
    rows = sorted(tuple(cell["rows"]) for progress in heard for cell in progress["cells"] if "rows" in cell)
    assert rows == [(row, row + 1) for row in range(150)]
    assert sum(task["kind"] == "map" for task in tasks) == 150
    assert heard[-1]["tasks"] == tasks[:-1]  # all but Select, which comes after


def test_a_watcher_that_fails_breaks_nothing(no_redis, caplog):
    told = []

    def watch(progress):
        told.append(progress)
        raise OSError("gone")

    decision, _ = decide(FakeCycle(10), cluster_id=1, observe=watch)
    assert decision.feasible == 10
    assert len(told) == 1
    assert "A watcher of cycle 7 failed" in caplog.text


@services
def test_a_cycle_without_a_choice_asks_no_worker(start_worker):
    start_worker()
    _, tasks = decide(FakeCycle(1), cluster_id=1)
    assert {task["worker"] for task in tasks} == {"core"}
    assert report_of(1, 7)["executor"] == "celery"


@services
def test_a_failing_map_is_told_at_once_and_computed_in_place(start_worker):
    start_worker()
    cycle = FakeCycle(10, fault="boom")
    decision, tasks = decide(cycle, cluster_id=1, range_size=5)
    assert decision == FakeCycle(10).run()
    assert [(task["worker"], task["resent"]) for task in tasks if task["kind"] == "map"] == [("core", True)] * 2
    assert "boom" in report_of(1, 7)["note"]


@services
def test_a_tampered_state_is_never_unpickled(start_worker, monkeypatch):
    start_worker()
    honest = Exchange.open

    def tampered(cluster_id, number, prepared):
        exchange = honest(cluster_id, number, prepared)
        blob = bytearray(client().get(exchange.prepared))
        blob[-1] ^= 1
        client().set(exchange.prepared, bytes(blob), ex=60)
        return exchange

    monkeypatch.setattr(Exchange, "open", tampered)
    decision, tasks = decide(FakeCycle(10), cluster_id=1)
    assert decision.feasible == 10
    assert "SealError" in report_of(1, 7)["note"]
    assert {task["worker"] for task in tasks if task["kind"] == "map"} == {"core"}


def _result(rows: int) -> Result:
    algorithms, packed = pack(Prepared(rows).map(0, rows))
    return Result("w1", 1.0, 2.0, algorithms, packed)


@services
def test_a_second_delivery_is_counted_once(redis_url):
    exchange = Exchange.open(1, 7, Prepared(3))
    assert exchange.deposit("map:0", _result(3))
    assert not exchange.deposit("map:0", _result(3))
    assert [name for name, _ in exchange.take(1)] == ["map:0"]
    assert exchange.take(0.01) == []


@services
def test_a_result_for_a_finished_cycle_leaves_nothing_behind(redis_url):
    exchange = Exchange.open(1, 7, Prepared(3))
    exchange.close()
    assert not exchange.deposit("map:0", _result(3))
    assert client().keys("podium:*") == []


def test_a_result_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="reshape"):
        _result(3).arrays(4)


@services
def test_an_attempt_that_is_soon_over_is_not_told_cell_by_cell(start_worker):
    start_worker()
    heard = []
    decide(FakeCycle(10), cluster_id=1, observe=heard.append, quiet=60, range_size=4)
    assert [(progress["phase"], progress["cells"]) for progress in heard] == [("Map", [])]
