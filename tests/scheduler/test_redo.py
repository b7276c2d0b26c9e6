"""What there is to redo follows from the log's end alone."""

import pytest

from scheduler.engine.errors import Refused
from scheduler.models import Cluster, Event
from scheduler.services import cluster_reset, cycle_step, redo, redoable, undo, undo_to
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cluster():
    """After three cycles."""
    cluster = a_cluster(nodes=3, pods=4)
    for _ in range(3):
        cycle_step(cluster.pk)
    return cluster


def head(cluster):
    return Cluster.objects.get(pk=cluster.pk).seq


def told(cluster):
    found = redoable(cluster.pk)
    return found and found.text.partition(":")[0]


def test_undos_are_redone_in_turn_from_the_last_one(cluster):
    assert told(cluster) is None
    undo(cluster.pk)
    undo(cluster.pk)
    assert [redo(cluster.pk)[0].text[:7] for _ in range(2)] == ["cycle 2", "cycle 3"]
    assert told(cluster) is None
    undo(cluster.pk)
    assert told(cluster) == "cycle 3"


def test_whatever_happens_after_an_undo_ends_its_redo(cluster):
    undo(cluster.pk)
    cycle_step(cluster.pk)
    assert told(cluster) is None
    with pytest.raises(Refused, match="nothing to redo"):
        redo(cluster.pk)


def test_an_undo_between_two_redos_is_redone_first(cluster):
    for act in (undo, undo, undo, redo, undo):
        act(cluster.pk)
    assert [redo(cluster.pk)[0].text[:7] for _ in range(3)] == ["cycle 1", "cycle 2", "cycle 3"]


def test_several_deeds_come_back_at_once(cluster):
    first = Event.objects.filter(cluster=cluster, kind="CycleStarted").order_by("seq").first().seq
    undo_to(cluster.pk, first - 1, "", head(cluster))
    assert told(cluster) == "all up to cycle 3"
    redo(cluster.pk)
    assert told(cluster) is None


def test_a_reset_to_the_state_before_an_undo_is_a_redo(cluster):
    before = head(cluster)
    undo(cluster.pk)
    cluster_reset(cluster.pk, before)
    assert told(cluster) is None


def test_nothing_is_redone_that_was_not_seen_or_while_it_runs(cluster):
    undo(cluster.pk)
    with pytest.raises(Refused, match="has happened meanwhile"):
        redo(cluster.pk, "ada", head(cluster) - 1)
    Cluster.objects.filter(pk=cluster.pk).update(wanted=Cluster.Wanted.RUNNING)
    with pytest.raises(Refused, match="Pause first"):
        redo(cluster.pk)
