"""Optimistic writing: nothing lost, nothing doubled, nothing half done."""

import pytest

from scheduler import store
from scheduler.engine.commands import Schedule
from scheduler.models import Event, Node, Pod
from scheduler.services import execute
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_cluster_is_created_with_its_log_and_tables():
    cluster = a_cluster(nodes=3, pods=4, bound=2)
    assert Node.objects.filter(cluster=cluster).count() == 3
    assert Pod.objects.filter(cluster=cluster, queue="active").count() == 4
    assert Event.objects.filter(cluster=cluster).count() == cluster.seq


def test_a_command_appends_its_events_and_moves_the_head():
    cluster = a_cluster()
    done = execute(cluster.pk, Schedule(), actor="ada")
    cluster.refresh_from_db()
    assert cluster.seq == done.last_seq == done.first_seq + len(done.events) - 1
    assert set(Event.objects.filter(cluster=cluster, seq__gte=done.first_seq).values_list("actor", flat=True)) == {
        "ada"
    }
    assert store.state_at(cluster.pk).seq == cluster.seq
