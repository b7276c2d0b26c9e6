"""States at any seq: exact, whatever was cached, and never changed under a reader."""

import threading

import pytest
from django.db import connection

from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.commands import AdvanceClock, Schedule
from scheduler.models import Checkpoint, Cluster, Event
from scheduler.services import cluster_delete, cluster_reset, execute, run_pause, runs
from scheduler.store import fold
from scheduler.store.places import Places
from scheduler.store.pool import Pool
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


def bound(simulation) -> list[str]:
    return sorted(key for key, pod in simulation.pods.items() if pod.node_name)


@pytest.fixture
def cluster():
    """Two nodes; web-0…web-3 are placed by events 2k+1 and 2k+2 after the creation."""
    cluster = a_cluster(nodes=2, pods=4, bound=0)
    for _ in range(4):
        execute(cluster.pk, Schedule())
    return cluster


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
def test_every_past_state_is_what_it_was(cluster, warm):
    for count in (4, 1, 3, 0, 2):
        if not warm:
            store.forget()
        with store.reading(cluster.pk, cluster.seq + 2 * count) as simulation:
            assert simulation.seq == cluster.seq + 2 * count
            assert bound(simulation) == [f"default/web-{place}" for place in range(count)]


def test_a_seq_beyond_the_log_is_told(cluster):
    for seq in (0, cluster.seq + 9):
        with pytest.raises(LookupError, match=f"no event {seq}"):
            store.state_at(cluster.pk, seq)


def test_a_shared_state_is_never_advanced(cluster):
    then = store.state_at(cluster.pk, cluster.seq + 2)
    with store.reading(cluster.pk) as now:
        assert now is not then
    assert (then.seq, bound(then)) == (cluster.seq + 2, ["default/web-0"])
    assert store.state_at(cluster.pk, cluster.seq + 2) is then


def test_two_readers_never_hold_one_state(cluster):
    with store.reading(cluster.pk) as one, store.reading(cluster.pk) as other:
        assert one is not other
        assert one.seq == other.seq


def test_readers_wait_for_a_place_but_never_for_themselves():
    places, order = Places(1), []

    def second():
        with places.one(7):
            order.append("second")

    waiting = threading.Thread(target=second)
    with places.one(7), places.one(7), places.one(8):
        waiting.start()
        waiting.join(0.05)
        order.append("first")
    waiting.join(5)
    assert order == ["first", "second"]


def test_a_state_given_back_is_lent_again(cluster):
    with store.reading(cluster.pk) as one:
        pass
    with store.reading(cluster.pk) as again:
        assert again is one


def test_a_reader_that_moves_its_state_spoils_nothing(cluster):
    with store.reading(cluster.pk) as simulation:
        simulation.handle(AdvanceClock(simulation.now_us + 1))
        moved = simulation.seq
    with store.reading(cluster.pk) as fresh:
        assert fresh.seq == moved - 1


def test_a_reader_that_takes_a_snapshot_spoils_nothing(cluster):
    with store.reading(cluster.pk) as simulation:
        assert simulation.cluster.snapshot() is not None
    with store.reading(cluster.pk) as fresh:
        assert fresh is not simulation


def test_readers_in_many_threads_see_whole_states_while_somebody_writes():
    cluster = a_cluster(nodes=4, pods=30, bound=0)  # all pods fit: each cycle is two events and binds one
    seen, faults = [], []

    def read():
        try:
            for _ in range(15):
                with store.reading(cluster.pk) as simulation:
                    simulation.validate()
                    seen.append((simulation.seq - cluster.seq, len(bound(simulation))))
        except BaseException as fault:
            faults.append(fault)
        finally:
            connection.close()

    readers = [threading.Thread(target=read) for _ in range(6)]
    for reader in readers:
        reader.start()
    for _ in range(30):
        execute(cluster.pk, Schedule())
    for reader in readers:
        reader.join()
    assert faults == []
    assert all(events == 2 * count for events, count in seen)


def test_checkpoints_come_with_the_events(cluster, monkeypatch):
    assert Checkpoint.objects.filter(cluster=cluster).count() == 1
    monkeypatch.setattr(fold, "CHECKPOINT_EVERY", 3)
    extra = a_cluster(nodes=2, pods=4, bound=0)
    for _ in range(4):
        execute(extra.pk, Schedule())
    seqs = Checkpoint.objects.filter(cluster=extra).order_by("seq").values_list("seq", flat=True)
    assert list(seqs) == [extra.seq, extra.seq + 4, extra.seq + 8]


def test_a_run_that_pauses_leaves_a_checkpoint(cluster, monkeypatch):
    monkeypatch.setattr(runs, "PAUSE_CHECKPOINT", 8)
    run_pause(cluster.pk)
    assert Checkpoint.objects.filter(cluster=cluster).count() == 2
    run_pause(cluster.pk)
    assert Checkpoint.objects.filter(cluster=cluster).count() == 2


def test_a_cold_process_starts_from_the_nearest_checkpoint(cluster, monkeypatch):
    with store.reading(cluster.pk) as simulation:
        assert store.checkpoint_write(cluster.pk, simulation, every=1)
    store.forget()
    Event.objects.filter(cluster=cluster, seq__lte=cluster.seq + 7).delete()
    with store.reading(cluster.pk) as simulation:
        assert len(bound(simulation)) == 4


def test_a_checkpoint_of_an_older_format_is_passed_over(cluster):
    Checkpoint.objects.update(format=codec.CHECKPOINT_FORMAT + 1, blob=b"from another time")
    store.forget()
    with store.reading(cluster.pk) as simulation:
        assert len(bound(simulation)) == 4


def test_a_hole_in_the_log_is_told_not_folded_over(cluster):
    store.forget()
    Event.objects.filter(cluster=cluster, seq=cluster.seq + 3).delete()
    with pytest.raises(LookupError, match=f"no event {cluster.seq + 3}"):
        store.state_at(cluster.pk)


def test_states_after_a_reset_go_on_from_the_earlier_one(cluster):
    cluster_reset(cluster.pk, cluster.seq + 2)
    execute(cluster.pk, Schedule())
    for warm in (True, False):
        if not warm:
            store.forget()
        with store.reading(cluster.pk) as now:
            assert bound(now) == ["default/web-0", "default/web-1"]
        with store.reading(cluster.pk, cluster.seq + 8) as before:
            assert len(bound(before)) == 4
    assert [stretch.last for stretch in store.lineage(cluster.pk, now.seq)] == [cluster.seq + 2, now.seq]


def test_a_recreated_cluster_never_meets_the_old_ones_states(cluster):
    with store.reading(cluster.pk) as old:
        pass
    Cluster.objects.filter(pk=cluster.pk).update(created="2020-01-01T00:00Z")
    with store.reading(cluster.pk) as new:
        assert new is not old


def test_nothing_is_left_of_a_deleted_cluster(cluster):
    cluster_delete(cluster.pk)
    with pytest.raises(Cluster.DoesNotExist):
        store.state_at(cluster.pk)
    assert not Event.objects.exists()


class Weighed:
    def __init__(self, seq: int, weight: int) -> None:
        self.seq, self.weight = seq, weight


def test_the_pool_keeps_what_was_used_last_within_its_capacity():
    pool = Pool(10, lambda simulation: simulation.weight)
    for seq in (1, 2, 3, 4):
        pool.put((1, "x"), Weighed(seq, 4))
    assert len(pool) == 2
    assert pool.take((1, "x"), 3).seq == 3
    assert pool.take((1, "x"), 3) is None
    assert pool.take((1, "y"), 9) is None


def test_the_pool_keeps_two_states_of_one_seq_and_no_more():
    pool = Pool(100, lambda simulation: simulation.weight)
    for _ in range(3):
        pool.put((1, "x"), Weighed(7, 1))
    assert len(pool) == 2
