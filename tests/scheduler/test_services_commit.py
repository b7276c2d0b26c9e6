"""Optimistic writing: nothing lost, nothing doubled, nothing half done."""

import asyncio
import threading
from contextlib import nullcontext

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import connection, transaction

from scheduler import store
from scheduler.engine.commands import DeleteObject, Schedule
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Checkpoint, Cluster, Event, Node, Pod
from scheduler.services import Busy, commit, execute, log, news, objects_apply, write
from scheduler.services.projection import differences
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db(transaction=True)


def seqs(cluster) -> list[int]:
    return list(Event.objects.filter(cluster=cluster).order_by("seq").values_list("seq", flat=True))


def in_threads(*works) -> list[BaseException]:
    """Run all at the same moment, each with a connection of its own; what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work):
        try:
            start.wait()
            work()
        except BaseException as fault:
            raised.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_a_cluster_is_created_with_its_log_and_tables():
    cluster = a_cluster(nodes=3, pods=4, bound=2)
    assert Node.objects.filter(cluster=cluster).count() == 3
    assert Pod.objects.filter(cluster=cluster, queue="active").count() == 4
    assert seqs(cluster) == list(range(1, cluster.seq + 1))


def test_a_command_appends_its_events_and_moves_the_head():
    cluster = a_cluster()
    done = execute(cluster.pk, Schedule(), actor="ada")
    cluster.refresh_from_db()
    assert cluster.seq == done.last_seq == done.first_seq + len(done.events) - 1
    assert set(Event.objects.filter(cluster=cluster, seq__gte=done.first_seq).values_list("actor", flat=True)) == {
        "ada"
    }
    assert store.state_at(cluster.pk).seq == cluster.seq


def test_a_command_that_changes_nothing_writes_nothing():
    cluster = a_cluster(pods=0)
    done = execute(cluster.pk, Schedule())
    assert (done.events, done.last_seq) == ((), cluster.seq)
    assert seqs(cluster)[-1] == cluster.seq


def test_somebody_else_writing_meanwhile_makes_it_decide_again():
    cluster = a_cluster(pods=2)
    decided = []

    def decide(simulation):
        if not decided:
            store.forget()
            execute(cluster.pk, Schedule(), actor="first")
        decided.append(simulation.seq)
        return simulation.handle(Schedule())

    write(cluster.pk, decide, actor="second")
    assert decided == [cluster.seq, cluster.seq + 2]
    starts = Event.objects.filter(cluster=cluster, kind="CycleStarted").values_list("cycle", "object_key", "actor")
    assert list(starts) == [(1, "Pod/default/web-0", "first"), (2, "Pod/default/web-1", "second")]
    assert differences(cluster.pk) == []


def test_after_a_lost_race_the_way_to_the_newest_state_is_short(monkeypatch):
    monkeypatch.setattr(commit, "RETRY_CHECKPOINT", 1)
    cluster, lost = a_cluster(pods=3), []

    def decide(simulation):
        if not lost:
            lost.append(execute(cluster.pk, Schedule()).last_seq)
        return simulation.handle(Schedule())

    write(cluster.pk, decide)
    assert Checkpoint.objects.filter(cluster=cluster, seq=lost[0]).exists()


def test_endless_conflicts_end_with_a_sentence_and_nothing_written(monkeypatch):
    cluster = a_cluster(pods=8)
    monkeypatch.setattr(commit, "ATTEMPTS", 3)
    monkeypatch.setattr(commit, "PATIENCE_SECONDS", 0.0)

    def decide(simulation):
        store.forget()
        execute(cluster.pk, Schedule(), actor="others")
        return simulation.handle(Schedule())

    with pytest.raises(Busy, match="nothing was done"):
        write(cluster.pk, decide, actor="mine")
    assert Event.objects.filter(cluster=cluster, kind="CycleFinished", actor="others").count() == 3
    assert not Event.objects.filter(cluster=cluster, actor="mine").exists()


@pytest.mark.parametrize("locked", [True, False], ids=["one process", "like several processes"])
def test_many_writers_lose_nothing_and_double_nothing(locked, monkeypatch):
    cluster = a_cluster(nodes=2, pods=24, bound=0)
    if not locked:
        monkeypatch.setattr(commit, "_turn", lambda cluster_id: nullcontext())

    def work():
        for _ in range(6):
            execute(cluster.pk, Schedule())

    assert in_threads(work, work, work, work) == []
    cluster.refresh_from_db()
    assert seqs(cluster) == list(range(1, cluster.seq + 1))
    finished = Event.objects.filter(cluster=cluster, kind="CycleFinished")
    assert sorted(finished.values_list("cycle", flat=True)) == list(range(1, 25))
    assert finished.values("object_key").distinct().count() == 24
    assert differences(cluster.pk) == []


def test_a_refused_command_leaves_nothing_behind():
    cluster = a_cluster()
    with pytest.raises(Refused, match="nowhere"):
        execute(cluster.pk, Schedule(), DeleteObject("Pod", "default", "nowhere"))
    assert seqs(cluster)[-1] == cluster.seq
    assert store.state_at(cluster.pk).seq == cluster.seq


def test_an_invalid_manifest_names_its_field_and_stops_all():
    cluster = a_cluster(pods=0)
    with pytest.raises(Invalid, match=r"spec.containers\[0\].resources.requests\[cpu\]"):
        objects_apply(cluster.pk, [a_pod("good"), a_pod("bad", cpu="much")])
    assert not Pod.objects.filter(cluster=cluster, name="good").exists()


def test_with_on_invalid_the_rest_is_taken():
    cluster, told = a_cluster(pods=0), []
    objects_apply(cluster.pk, [a_pod("bad", cpu="much"), a_pod("good")], on_invalid=lambda *fault: told.append(fault))
    assert [index for index, _ in told] == [0]
    assert Pod.objects.filter(cluster=cluster, name__in=["good", "bad"]).count() == 1


def test_a_write_that_fails_half_way_leaves_neither_events_nor_a_spoiled_cache(monkeypatch):
    cluster = a_cluster()
    execute(cluster.pk, Schedule())
    with monkeypatch.context() as broken:
        broken.setattr(log, "append", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            execute(cluster.pk, Schedule())
    cluster.refresh_from_db()
    assert seqs(cluster)[-1] == cluster.seq
    assert execute(cluster.pk, Schedule()).first_seq == cluster.seq + 1
    assert differences(cluster.pk) == []


def test_a_callers_transaction_that_rolls_back_takes_the_command_with_it():
    cluster = a_cluster()
    with transaction.atomic():
        objects_apply(cluster.pk, [a_node("new")])
        assert Node.objects.filter(cluster=cluster, name="new").exists()
        transaction.set_rollback(True)
    assert not Node.objects.filter(cluster=cluster, name="new").exists()
    assert store.state_at(cluster.pk).seq == cluster.seq
    objects_apply(cluster.pk, [a_node("new")])
    assert differences(cluster.pk) == []


def test_an_unknown_cluster_is_told():
    with pytest.raises(Cluster.DoesNotExist):
        execute(12345, Schedule())


@pytest.mark.asyncio
async def test_news_follow_a_commit(settings, monkeypatch):
    monkeypatch.setattr(news, "_silent_until", 0.0)
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    cluster = await database_sync_to_async(a_cluster)()
    layer = get_channel_layer()
    await layer.group_add(news.group_of(cluster.pk), "listener")
    done = await database_sync_to_async(execute)(cluster.pk, Schedule())
    heard = await asyncio.wait_for(layer.receive("listener"), 5)
    assert heard == {"type": "news", "cluster": cluster.pk, "seq": done.last_seq}


def test_without_a_broker_a_command_succeeds_all_the_same(settings, monkeypatch):
    monkeypatch.setattr(news, "_silent_until", 0.0)
    address = {"address": "unix:///nowhere/at/all.sock"}
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [address]}}
    }
    cluster = a_cluster()
    assert news.send(cluster.pk, {"type": "news"}) is False
    assert len(execute(cluster.pk, Schedule()).events) == 2
