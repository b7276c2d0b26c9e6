"""Tables for other programs: all rows that the page's query finds, not only those of the page."""

import csv
import io
import json

import pytest

from scheduler import services
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = pytest.mark.django_db
PAGE = 100


@pytest.fixture
def cluster():
    cluster = a_cluster(nodes=2, pods=120, bound=0, name="demo", more=[a_pod("big", cpu="80", priority=9)])
    for _ in range(3):
        services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    return cluster


def rows(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    if address.partition("?")[0].endswith(".json"):
        return json.loads(answer.getvalue())
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode(), newline="")))


def test_pods(browser, cluster):
    found = rows(browser, "/c/demo/pods.csv")
    assert len(found) == 121 > PAGE
    big = next(row for row in found if row["name"] == "big")
    assert (big["status"], big["milli_cpu"], big["queue"]) == ("Pending", "80000", "unschedulable")
    assert len(rows(browser, "/c/demo/pods.json?status=Running")) == 2
    assert [row["name"] for row in rows(browser, "/c/demo/pods.json?q=big")] == ["big"]


def test_the_pods_of_the_board_and_those_called_pending_can_be_reconciled(browser):
    gated = a_pod("gated", schedulingGates=[{"name": "quota"}])
    cluster = a_cluster(nodes=1, pods=4, bound=1, name="demo", more=[gated, a_pod("other", schedulerName="volcano")])
    board = browser.get("/c/demo/state.json").json()
    for page in (browser.get("/c/demo/pods/"), browser.get("/c/demo/pods/", {"at": cluster.seq})):
        told = page.context["awaiting"]
        assert told == (5, 1, 1, 0)
        assert told.queued == sum(lane["count"] for lane in board["lanes"])
        assert told.queued - told.gated + told.foreign + told.placed == dict(page.context["statuses"])["Pending"]


def test_pods_as_they_were(browser, cluster):
    assert {row["status"] for row in rows(browser, "/c/demo/pods.csv?at=1")} == set()
    assert len(rows(browser, f"/c/demo/pods.json?status=Pending&at={cluster.seq}")) == 119


def test_cycles(browser, cluster):
    found = rows(browser, "/c/demo/cycles.json")
    assert [(row["cycle"], row["outcome"], row["result"]) for row in found] == [
        (3, "placed", "scheduled"),
        (2, "placed", "scheduled"),
        (1, "refused", "unschedulable"),
    ]
    assert "Insufficient cpu" in found[-1]["message"]
    assert [row["cycle"] for row in rows(browser, "/c/demo/cycles.csv?outcome=bound")] == ["3", "2"]


def test_cycles_that_were_undone_are_left_out(browser, cluster):
    services.cluster_reset(cluster.pk, cluster.seq - 2)
    assert [row["cycle"] for row in rows(browser, "/c/demo/cycles.json")] == [2, 1]


def test_times_of_cycles_are_the_clock_of_the_page_and_a_date_to_the_microsecond(browser, cluster):
    found = rows(browser, "/c/demo/cycles.csv")
    page = browser.get("/c/demo/cycles/").content.decode()
    assert len({row["clock"] for row in found}) == len({row["time"] for row in found}) == 3
    for row in found:
        assert f">{row['clock']}</td>" in page
        assert row["time"].startswith(f"2026-01-01T{row['clock']}")  # which begins at midnight
    move = rows(browser, "/c/demo/moves.csv")[0]
    assert (move["clock"][:9], len(move["time"])) == ("00:00:00.", 27)


def test_moves(browser, cluster):
    found = rows(browser, "/c/demo/moves.csv")
    assert len(found) > PAGE
    assert {(row["source"], row["target"]) for row in rows(browser, "/c/demo/moves.csv?to=bound")} == {
        ("in flight", "placed")
    }


def test_an_empty_table_still_has_its_head(browser, cluster):
    assert browser.get("/c/demo/pods.csv?q=nothing").getvalue().decode().startswith("namespace,name,ready")
    assert rows(browser, "/c/demo/pods.json?q=nothing") == []


def test_the_pages_offer_them_with_their_filters(browser, cluster):
    assert "/c/demo/pods.csv?status=Pending" in browser.get("/c/demo/pods/?status=Pending").content.decode()
    assert "/c/demo/cycles.csv?outcome=bound" in browser.get("/c/demo/cycles/?outcome=bound").content.decode()
    assert "/c/demo/moves.csv?lane=active" in browser.get("/c/demo/moves/?lane=active").content.decode()


def test_the_page_of_exports_leads_to_every_file(browser, cluster):
    page = browser.get("/c/demo/export/").content.decode()
    for name in ("objects.json", "objects.yaml", "trace.json", "events.jsonl", "pods.csv", "cycles.csv", "moves.csv"):
        assert f"/c/demo/{name}" in page
        assert browser.get(f"/c/demo/{name}").getvalue()
