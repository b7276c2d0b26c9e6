"""The tables are what the log says, whatever happened, and can be made from it again."""

from typing import get_args

import pytest
from django.core.management import CommandError, call_command

from scheduler import store
from scheduler.engine.events import Happening
from scheduler.models import Event, Node, Pod, QueueEntry
from scheduler.services import cluster_reset, cycle_step, object_delete
from scheduler.services.projection import differences
from scheduler.services.projection.rebuild import snapshot
from tests.scheduler.builders import a_cluster
from tests.scheduler.random_life import Life

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", range(4))
def test_tables_kept_step_by_step_equal_those_made_from_the_log(seed):
    cluster = a_cluster(nodes=3, pods=5, bound=2)
    life = Life(cluster.pk, seed)
    for _ in range(6):
        life.live(15)
        assert differences(cluster.pk) == []
    kinds = set(Event.objects.filter(cluster=cluster).values_list("kind", flat=True))
    assert kinds >= {"CycleFinished", "ObjectAdded", "ObjectUpdated", "ObjectDeleted", "PodMoved"}


def test_random_lives_meet_every_kind_of_event():
    for seed in range(4):
        Life(a_cluster(nodes=3, pods=5, bound=2).pk, seed).live(90)
    kinds = set(Event.objects.values_list("kind", flat=True))
    assert kinds >= {one.__struct_config__.tag for one in get_args(Happening)} - {"PodNominated"}


@pytest.mark.parametrize("seed", range(4))
def test_a_cold_fold_equals_the_warm_one(seed):
    cluster = a_cluster(nodes=3, pods=5, bound=2)
    Life(cluster.pk, seed).live(60)
    with store.reading(cluster.pk) as warm:
        warm.validate()
        store.forget()
        with store.reading(cluster.pk) as cold:
            cold.validate()
            assert summary(cold) == summary(warm)


def summary(simulation):
    return {
        "seq": (simulation.seq, simulation.now_us, simulation.last_cycle, simulation.start_index),
        "pods": {key: (pod.node_name, pod.nominated_node_name) for key, pod in simulation.pods.items()},
        "queue": {queued.key: (queued.place, queued.entry) for queued in simulation.queue},
        "lanes": {
            name: [q.key for q in simulation.queue.lane(name)] for name in ("active", "backoff", "unschedulable")
        },
        "messages": simulation.messages,
        "nodes": [info.name for info in simulation.cluster],
    }


def test_rebuild_mends_tables_that_were_changed_behind_the_services():
    cluster = a_cluster(nodes=3, pods=4, bound=2)
    cycle_step(cluster.pk)
    before = snapshot(cluster.pk)
    Node.objects.filter(cluster=cluster, name="node-0").update(pod_count=77)
    Pod.objects.filter(cluster=cluster, name="web-3").delete()
    QueueEntry.objects.filter(cluster=cluster).update(attempts=9)
    assert len(differences(cluster.pk)) == 2 + QueueEntry.objects.filter(cluster=cluster).count()
    call_command("rebuild", cluster.name, verbosity=0)
    assert snapshot(cluster.pk) == before


def test_check_changes_nothing_and_fails_where_tables_differ(capsys):
    cluster = a_cluster()
    call_command("rebuild", cluster.name, "--check")
    Pod.objects.filter(cluster=cluster, name="web-1").update(status="Odd")
    with pytest.raises(CommandError, match="1 row differs from the log"):
        call_command("rebuild", cluster.name, "--check")
    assert "status is 'Odd', the log says 'Pending'" in capsys.readouterr().out
    assert Pod.objects.get(cluster=cluster, name="web-1").status == "Odd"


def test_an_unknown_cluster_is_one_clear_line():
    with pytest.raises(CommandError, match="There is no cluster nowhere"):
        call_command("rebuild", "nowhere")


def test_a_reset_brings_the_tables_back():
    cluster = a_cluster(nodes=3, pods=4, bound=2)
    before, seq = snapshot(cluster.pk), cluster.seq
    cycle_step(cluster.pk)
    object_delete(cluster.pk, "Pod", "default", "run-0")
    assert snapshot(cluster.pk) != before
    cluster_reset(cluster.pk, seq, actor="ada")
    assert snapshot(cluster.pk) == before
    assert cycle_step(cluster.pk).number == 2
