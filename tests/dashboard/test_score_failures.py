"""Where scoring goes on after an error (classic preset): the cells that failed, the note, the phases, the message."""

import csv
import io

import numpy as np
import pytest
from django.test import Client

from dashboard.build.scores import SINGLE_ROWS, TOP_ROWS, Scores, score_rows
from dashboard.payloads.cycle import CycleView, ScoreRows
from dashboard.payloads.explain import FailedCell
from scheduler import services, store
from scheduler.engine import plugins
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.simulation.settings import CLASSIC, Settings
from tests.dashboard.shapes import faults
from tests.engine.list_algorithms import CpuPlace, Fragile, NoReduce, NoReserve
from tests.scheduler.builders import a_cluster, a_node

ENABLED = [{"name": name} for name in ("Fragile", "NoReduce", "CpuPlace")]
CONFIGURATION = DEFAULT_DOCUMENT | {"profiles": [{"plugins": {"multiPoint": {"enabled": ENABLED}}}]}


@pytest.fixture
def cluster(monkeypatch, db):
    """Three nodes, of which the algorithm Fragile fails on `glass`."""

    def cluster(settings):
        known = {**plugins.registry(), "Fragile": Fragile, "NoReduce": NoReduce, "CpuPlace": CpuPlace}
        monkeypatch.setattr(plugins, "registry", lambda: known)
        more = [a_node("glass", fragile="crack")]
        made = a_cluster(nodes=2, pods=1, bound=0, more=more, configuration=CONFIGURATION, settings=settings)
        store.forget()
        return made

    return cluster


def seen(cluster):
    response = Client(SERVER_NAME="localhost").get(f"/c/{cluster.name}/cycles/1.json")
    assert response.status_code == 200
    cycle = response.json()
    assert faults(cycle, CycleView) == []
    return cycle


def column(cycle, name):
    return next(place for place, one in enumerate(cycle["algorithms"]) if one["name"] == name)


def states(cycle):
    return {one["name"]: (one["state"], one["note"]) for one in cycle["phases"]}


def test_cells_that_failed_are_marked_and_the_others_stand(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    cycle = seen(made)
    glass, fragile = cycle["rows"]["names"].index("glass"), column(cycle, "Fragile")
    failed = cycle["rows"]["failed"][fragile]
    assert [place for place, said in enumerate(failed) if said] == [glass]
    assert failed[glass].startswith("Fragile.score raised LookupError: crack (line ")
    assert [value for place, value in enumerate(cycle["rows"]["raw"][fragile]) if place != glass] == [7, 7]
    assert cycle["rows"]["failed"][column(cycle, "CpuPlace")] is None
    assert cycle["rows"]["raw"][column(cycle, "CpuPlace")] is not None
    assert cycle["rows"]["totals"] is None


def test_a_reduce_that_failed_is_told_by_its_column(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    cycle = seen(made)
    at = column(cycle, "NoReduce")
    assert cycle["algorithms"][at]["state"] == "fail"
    assert cycle["algorithms"][at]["error"].startswith("NoReduce.normalize raised ArithmeticError: no scale")
    assert cycle["rows"]["raw"][at] is not None
    assert cycle["rows"]["normalized"][at] is None


def test_the_cycle_says_what_failed_and_reports_all_together(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    cycle = seen(made)
    assert cycle["outcome"] == "error"
    assert cycle["score_failures"] == "1 score failed (Fragile), and the reduce of NoReduce"
    assert cycle["sentence"].endswith(" could not be scheduled: 1 score failed (Fragile), and the reduce of NoReduce.")
    assert cycle["message"].startswith("[Fragile.score raised LookupError: crack (line ")
    assert "NoReduce.normalize raised ArithmeticError: no scale" in cycle["message"]
    found = states(cycle)
    assert found["Map"] == ("fail", "1 failed")
    assert found["Reduce"] == ("fail", "1 failed")
    assert found["Sum"][0] == "fail"
    assert found["Select"][0] == "skip"


def test_in_v1_34_there_is_no_matrix_after_the_first_error(cluster):
    made = cluster(Settings())
    services.cycle_step(made.pk)
    cycle = seen(made)
    assert cycle["message"].startswith("Fragile.score raised LookupError: crack (line ")
    assert "NoReduce" not in cycle["message"]
    assert cycle["score_failures"] == ""
    assert cycle["rows"]["names"] == []
    assert states(cycle)["PreScore"][0] == "done"
    assert states(cycle)["Map"][0] == "fail"
    assert states(cycle)["Reduce"][0] == "skip"


def test_an_error_in_reserve_leaves_the_scores_and_the_draw_to_be_seen(monkeypatch, db):
    known = {**plugins.registry(), "NoReserve": NoReserve}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    enabled = {"plugins": {"multiPoint": {"enabled": [{"name": "NoReserve"}]}}}
    made = a_cluster(nodes=3, pods=1, bound=0, configuration=DEFAULT_DOCUMENT | {"profiles": [enabled]})
    services.cycle_step(made.pk)
    cycle = seen(made)
    assert (cycle["outcome"], cycle["winner"]) == ("error", "")
    assert [states(cycle)[name][0] for name in ("Sum", "Select", "Reserve", "Bind")] == ["done", "done", "fail", "skip"]
    assert len(cycle["podium"]) == len(cycle["rows"]["totals"]) == 3


def test_a_whole_list_is_marked_as_one(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    assert [one["name"] for one in seen(made)["algorithms"] if one["whole_list"]] == ["CpuPlace"]


def test_phase_by_phase_an_open_cycle_shows_the_errors_so_far(cluster):
    made = cluster(CLASSIC)
    shown = {}
    while (stepped := services.cycle_step_phase(made.pk)).decision is None:
        shown[stepped.phase] = seen(made)
    assert not any(shown["PreScore"]["rows"]["failed"])
    assert states(shown["Map"])["Map"] == ("fail", "1 failed")
    assert shown["Map"]["score_failures"] == "1 score failed (Fragile)"
    assert shown["Reduce"]["score_failures"] == "1 score failed (Fragile), and the reduce of NoReduce"
    assert shown["Sum"]["rows"]["failed"] == shown["Reduce"]["rows"]["failed"] == shown["Map"]["rows"]["failed"]
    assert any(shown["Map"]["rows"]["failed"])


def test_the_cell_that_failed_is_explained_by_its_error(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    browser = Client(SERVER_NAME="localhost")
    address = f"/c/{made.name}/cycles/1/explain.json"
    failed = browser.get(address, {"algorithm": "Fragile", "node": "glass"})
    assert failed.status_code == 200
    assert faults(failed.json(), FailedCell) == []
    assert "The map of Fragile failed on glass: Fragile.score raised LookupError: crack" in failed.json()["error"]
    assert browser.get(address, {"algorithm": "Fragile", "node": "node-0"}).json()["raw"] == 7
    unreduced = browser.get(address, {"algorithm": "NoReduce", "node": "glass"}).json()
    assert unreduced["normalized"] is None


def test_a_table_of_such_a_cycle_says_failed_in_the_place_of_numbers(cluster):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    text = Client(SERVER_NAME="localhost").get(f"/c/{made.name}/cycles/1.csv").content.decode()
    lines = {line["node"]: line for line in csv.DictReader(io.StringIO(text))}
    assert (lines["glass"]["Fragile raw"], lines["glass"]["Fragile normalized"]) == ("failed", "")
    assert lines["node-0"]["Fragile raw"] == "7"
    assert (lines["node-1"]["NoReduce raw"], lines["node-1"]["NoReduce normalized"]) == ("3", "failed")


@pytest.mark.parametrize("rest", ["/", ".csv", "/nodes.json", "/topology.json"])
def test_every_view_of_such_a_cycle_opens(cluster, rest):
    made = cluster(CLASSIC)
    services.cycle_step(made.pk)
    assert Client(SERVER_NAME="localhost").get(f"/c/{made.name}/cycles/1{rest}").status_code == 200


def test_a_row_of_many_nodes_tells_the_error_of_the_first_that_failed():
    count = SINGLE_ROWS * 2
    row = np.arange(count)
    cells = {count - 1: "first", 0: "last", 1: "the one before"}
    rows = score_rows(Scores([""] * count, [""] * count, [row], [row], [row], totals=row, failed=[cells]))
    failed = rows["failed"][0]
    assert failed[0] == "first"
    assert [said for said in failed[TOP_ROWS:] if said] == ["the one before"]
    assert faults(rows, ScoreRows) == []
