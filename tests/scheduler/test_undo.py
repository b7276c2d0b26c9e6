"""An undo writes only the rows that it changes, and leaves the tables as the log says."""

import pytest

from scheduler.models import Pod
from scheduler.services import cluster_reset, cycle_step
from scheduler.services.projection import differences, undo
from scheduler.store import Stretch
from tests.scheduler.builders import a_cluster
from tests.scheduler.random_life import Life


@pytest.fixture
def never_whole(monkeypatch):
    """The short way also where it is the longer one."""
    monkeypatch.setattr(undo, "_length", lambda stretches: 0)
    monkeypatch.setattr(undo, "whole", lambda *_: pytest.fail("the whole log was read"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(4))
def test_undoing_now_and_then_leaves_the_tables_as_the_log_says(seed, never_whole):
    cluster = a_cluster(nodes=3, pods=5, bound=2)
    life = Life(cluster.pk, seed)
    for _ in range(5):
        life.live(12)
        life.reset()
        assert differences(cluster.pk) == []


@pytest.mark.django_db(transaction=True)
def test_rows_that_the_undone_events_did_not_touch_stay_as_they_are(never_whole):
    cluster = a_cluster(nodes=3, pods=5, bound=0)
    seq = cycle_step(cluster.pk).committed.last_seq
    first = Pod.objects.exclude(node_name="").get()
    bound = cycle_step(cluster.pk).pod
    rows = dict(Pod.objects.values_list("name", "pk"))
    cluster_reset(cluster.pk, seq)
    again = dict(Pod.objects.values_list("name", "pk"))
    assert [name for name in rows if rows[name] != again[name]] == [bound.partition("/")[2]]
    assert Pod.objects.exclude(node_name="").get() == first


@pytest.mark.parametrize(
    ("these", "those", "rest"),
    [
        ([(0, 9)], [(0, 9)], []),
        ([(0, 9)], [], [(0, 9)]),
        ([(0, 9)], [(0, 5)], [(5, 9)]),
        ([(0, 5)], [(0, 9)], []),
        ([(0, 3), (7, 9)], [(0, 9)], []),
        ([(0, 9)], [(0, 3), (7, 8)], [(3, 7), (8, 9)]),
        ([(0, 4), (6, 9)], [(2, 7)], [(0, 2), (7, 9)]),
    ],
)
def test_stretches_without_others(these, those, rest):
    found = undo.without([Stretch(*one) for one in these], [Stretch(*one) for one in those])
    assert list(found) == [Stretch(*one) for one in rest]
