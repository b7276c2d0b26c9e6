"""The page of moves: every change of place, filtered exactly and paged by position in the log."""

import pytest

from dashboard.build import moves as building
from dashboard.build.moves import Wanted, moves, tally_of, total
from scheduler import services
from scheduler.models import Event
from scheduler.services.projection.rebuild import rebuild
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster():
    """`big` is refused, woken by a new node and bound at its second attempt."""
    cluster = a_cluster(nodes=2, pods=1, bound=0, name="demo", more=[a_pod("big", cpu="8", priority=9)])
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="16")], actor="mira")
    for _ in range(2):
        services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    return cluster


def found(cluster, before=None, after=None, at=None, **wanted):
    page = moves(cluster, Wanted(**wanted), cluster.seq if at is None else at, before, after)
    return [(line.source, line.target, line.cause, line.hint, line.cycle) for line in page.lines]


def test_the_whole_life_of_a_pod_newest_first(cluster):
    assert found(cluster, pod="default/big") == [
        ("in_flight", "bound", "Bind", "", 3),
        ("backoff", "in_flight", "PopFromBackoffQ", "", 3),
        ("unschedulable", "backoff", "NodeAdd", "NodeResourcesFit", None),
        ("in_flight", "unschedulable", "ScheduleAttemptFailure", "", 1),
        ("active", "in_flight", "Pop", "", 1),
        ("new", "active", "UnschedulablePodAdd", "", None),
    ]


@pytest.mark.parametrize(
    ("wanted", "causes"),
    [
        pytest.param({"lane": "backoff"}, ["PopFromBackoffQ", "NodeAdd"], id="a lane, coming or going"),
        pytest.param({"lane": "new"}, ["UnschedulablePodAdd", "UnschedulablePodAdd"], id="new pods"),
        pytest.param({"source": "active"}, ["Pop", "Pop"], id="from"),
        pytest.param({"target": "bound"}, ["Bind", "Bind"], id="to"),
        pytest.param({"event": "NodeAdd"}, ["NodeAdd"], id="event"),
        pytest.param({"plugin": "NodeResourcesFit"}, ["NodeAdd"], id="plugin"),
        pytest.param({"plugin": "NodePorts"}, [], id="none"),
    ],
)
def test_filters_and_their_totals_agree(cluster, wanted, causes):
    assert [cause for _, _, cause, _, _ in found(cluster, **wanted)] == causes
    assert total(tally_of(cluster), Wanted(**wanted)) == len(causes)


def test_pages_follow_one_another_without_gap_or_repetition(cluster, monkeypatch):
    everything = [line.seq for line in moves(cluster, Wanted(), cluster.seq, None, None).lines]
    assert len(everything) == 9
    monkeypatch.setattr(building, "PAGE", 4)
    seen, before, pages = [], None, []
    while True:
        page = moves(cluster, Wanted(), cluster.seq, before, None)
        seen += [line.seq for line in page.lines]
        pages.append(page)
        if (before := page.older) is None:
            break
    assert seen == everything
    assert pages[0].newer is None
    back = moves(cluster, Wanted(), cluster.seq, None, pages[2].newer)
    assert [line.seq for line in back.lines] == everything[4:8]


def test_what_an_undo_took_back_is_not_told(cluster):
    last = Event.objects.get(cluster=cluster, cause="NodeAdd").seq
    services.cluster_reset(cluster.pk, last)
    cluster.refresh_from_db()
    assert found(cluster, pod="default/big")[0][2] == "NodeAdd"
    assert total(tally_of(cluster), Wanted(target="bound")) == 0


def test_in_the_past_only_what_had_happened(cluster):
    seq = Event.objects.get(cluster=cluster, cause="NodeAdd").seq
    assert found(cluster, at=seq, pod="default/big")[0][2] == "NodeAdd"
    assert total(tally_of(cluster, seq), Wanted()) == len(found(cluster, at=seq)) < len(found(cluster))


def test_the_page_of_the_past_tells_the_time_of_its_event(browser, cluster):
    first = Event.objects.filter(cluster=cluster, cause="Pop").earliest("seq")
    services.clock_advance(cluster.pk, cluster.start_us + 90_000_000)
    page = browser.get(f"/c/demo/moves/?at={first.seq}").content.decode()
    assert f"this is event {first.seq} (00:00:00.000)" in page
    assert "3 moves between the lanes." in page


def test_each_line_opens_its_moment_its_pod_and_its_cycle(browser, cluster):
    page = browser.get("/c/demo/moves/?plugin=NodeResourcesFit").content.decode()
    seq = Event.objects.get(cluster=cluster, cause="NodeAdd").seq
    assert f'href="/c/demo/?at={seq}"' in page
    assert 'href="/c/demo/pods/default/big/"' in page
    assert "1 move on the hint of <code>NodeResourcesFit</code>." in page
    assert 'href="/c/demo/cycles/3/"' in browser.get("/c/demo/moves/?pod=default/big").content.decode()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "9 moves between the lanes."),
        ("pod=default/big", "6 moves of <code>default/big</code>."),
        ("pod=no/pod", "No move of <code>no/pod</code>."),
        ("from=new&to=active", "2 moves from New to ActiveQ."),
        ("lane=backoff&event=NodeAdd", "1 move from or to BackoffQ by <code>NodeAdd</code> (a node was added)."),
    ],
)
def test_the_page_says_what_it_shows(browser, cluster, query, sentence):
    assert sentence in browser.get(f"/c/demo/moves/?{query}").content.decode()


def test_a_page_without_rows_has_neither_table_nor_foot_and_says_what_next(browser, cluster):
    page = browser.get("/c/demo/moves/?plugin=NodePorts").content.decode()
    assert ("<table" in page, "sheet-foot" in page, "Show all moves" in page) == (False, False, True)
    a_cluster(nodes=1, pods=0, bound=0, name="still")
    page = browser.get("/c/still/moves/").content.decode()
    assert ("<table" in page, "sheet-foot" in page, "No pod has moved yet." in page) == (False, False, True)


def test_the_same_as_data(browser, cluster):
    told = browser.get("/c/demo/moves.json?event=NodeAdd").json()
    assert [(one["pod"], one["target"], one["hint"]) for one in told["moves"]] == [
        ("default/big", "backoff", "NodeResourcesFit")
    ]
    assert (told["older"], told["newer"]) == (None, None)


@pytest.mark.parametrize("query", ["lane=nowhere", "from=bound", "to=new", "before=x", "at=99999"])
def test_what_does_not_exist_is_not_found(browser, cluster, query):
    assert browser.get(f"/c/demo/moves/?{query}").status_code == 404


def test_counters_are_kept_beside_the_head_and_made_anew_by_a_rebuild(cluster):
    told = cluster.tally
    assert told
    type(cluster).objects.filter(pk=cluster.pk).update(tally={})
    rebuild(cluster.pk)
    cluster.refresh_from_db()
    assert cluster.tally == told
