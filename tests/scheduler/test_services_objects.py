"""Creating clusters, and changing what is in them, as the API server would allow it."""

import pytest

from scheduler import store
from scheduler.engine.errors import Invalid, Refused
from scheduler.models import Cluster, Event, KubeObject, Node, Pod, Profile
from scheduler.services import (
    clock_advance,
    cluster_create,
    cluster_delete,
    cycle_step,
    nodes_cordon,
    object_create,
    object_delete,
    objects_apply,
    objects_change,
    pods_activate,
    profile_change,
    run_pause,
    run_start,
    undo,
)
from tests.scheduler.builders import START_US, a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db(transaction=True)
HIGH = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}


def test_pods_come_after_what_they_refer_to_whatever_the_order_of_the_file():
    pod = a_pod("vip", priorityClassName="high", nodeName="late")
    cluster = cluster_create("mixed", [pod, a_pod("plain"), HIGH, a_node("late")], start_us=START_US)
    assert Pod.objects.get(cluster=cluster, name="vip").priority == 1000
    assert Node.objects.get(cluster=cluster, name="late").pod_count == 1


def test_pods_queue_in_the_order_in_which_they_were_given():
    cluster = cluster_create("ordered", [a_node("n")] + [a_pod(f"p-{place}") for place in (3, 1, 2)])
    assert [cycle_step(cluster.pk).pod for _ in range(3)] == ["default/p-3", "default/p-1", "default/p-2"]


@pytest.mark.parametrize(
    ("manifests", "message"),
    [
        pytest.param([a_pod("x", cpu="lots")], "requests", id="quantity"),
        pytest.param([a_pod("x", priorityClassName="no-such")], "no PriorityClass", id="priority class"),
        pytest.param([{"kind": "Pod", "metadata": {}}], "metadata.name", id="no name"),
        pytest.param([{"metadata": {"name": "x"}}], "kind", id="no kind"),
        pytest.param([a_node("n"), a_node("n")], "exists already", id="twice"),
    ],
)
def test_one_bad_manifest_and_nothing_is_created(manifests, message):
    with pytest.raises(Invalid, match=message):
        cluster_create("half", [a_node("good"), *manifests])
    assert not Cluster.objects.exists()
    assert not Node.objects.exists()


def test_bad_manifests_are_told_by_their_index_where_the_rest_is_wanted():
    told = []
    given = [a_pod("late", cpu="lots"), a_node("n"), a_pod("fine")]
    cluster = cluster_create("rest", given, on_invalid=lambda index, fault: told.append((index, fault.path)))
    assert told == [(0, "spec.containers[0].resources.requests[cpu]")]
    assert list(Pod.objects.filter(cluster=cluster).values_list("name", flat=True)) == ["fine"]


@pytest.mark.parametrize("name", ["", "Big", "a b", "-a", "a" * 64, "a\n"])
def test_a_name_that_is_no_dns_label_is_refused(name):
    with pytest.raises(Invalid) as caught:
        cluster_create(name)
    assert caught.value.path == "name"


def test_a_taken_name_is_refused():
    cluster_create("lab")
    with pytest.raises(Refused, match="There is a cluster lab already"):
        cluster_create("lab")


def test_a_cluster_can_take_the_place_of_another():
    old = cluster_create("lab", [a_node("old")])
    new = cluster_create("lab", [a_node("new")], replace=True)
    assert list(Node.objects.values_list("name", "cluster")) == [("new", new.pk)]
    assert not Event.objects.filter(cluster_id=old.pk).exists()


@pytest.mark.parametrize("stage", ["Adding objects", "Writing events", "Writing tables"])
def test_whoever_stops_it_on_the_way_leaves_nothing(stage):
    def stop(now, done, total):
        if now == stage:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        cluster_create("lab", [a_node("n"), a_pod("p")], progress=stop)
    assert not Cluster.objects.exists()
    assert not Event.objects.exists()


def test_progress_goes_from_nothing_to_all():
    told = []
    cluster_create("lab", [a_node("n"), a_pod("p")], progress=lambda *news: told.append(news))
    assert told[0] == ("Adding objects", 0, 2)
    assert told[-1] == ("Writing tables", 1, 1)


def test_two_clusters_made_alike_have_the_same_log():
    logs = []
    for name in ("one", "two"):
        cluster = cluster_create(name, [a_node("n"), a_pod("p")], start_us=START_US, seed=7)
        cycle_step(cluster.pk)
        rows = Event.objects.filter(cluster=cluster, seq__gt=1).order_by("seq")
        logs.append(list(rows.values_list("seq", "at_us", "kind", "payload", "object_key", "cycle", "outcome")))
    assert logs[0] == logs[1]


def test_a_deleted_cluster_takes_everything_along():
    cluster = a_cluster()
    cluster_delete(cluster.pk)
    for model in (Cluster, Event, Node, Pod, Profile):
        assert not model.objects.exists()


def test_applying_keeps_who_an_object_is():
    cluster = a_cluster(pods=0, bound=0, more=[a_pod("p")])
    before = Pod.objects.get(cluster=cluster, name="p").manifest["metadata"]
    objects_apply(cluster.pk, [a_pod("p", cpu="1")])
    after = Pod.objects.get(cluster=cluster, name="p")
    assert after.milli_cpu == 1000
    assert {name: after.manifest["metadata"][name] for name in ("uid", "creationTimestamp")} == {
        name: before[name] for name in ("uid", "creationTimestamp")
    }


def test_a_pod_stays_on_its_node_and_cannot_be_moved():
    cluster = a_cluster(nodes=2, pods=0, bound=1)
    objects_apply(cluster.pk, [a_pod("run-0", cpu="1")])
    pod = Pod.objects.get(cluster=cluster, name="run-0")
    assert (pod.node_name, pod.milli_cpu) == ("node-0", 1000)
    assert Node.objects.get(cluster=cluster, name="node-0").requested_milli_cpu == 1000
    with pytest.raises(Invalid, match="a pod cannot be moved"):
        objects_apply(cluster.pk, [a_pod("run-0", nodeName="node-1")])


def test_creating_what_is_there_is_refused():
    cluster = a_cluster()
    with pytest.raises(Invalid, match="exists already"):
        object_create(cluster.pk, a_node("node-0"))


def test_changing_or_deleting_what_is_not_there_is_refused():
    cluster = a_cluster()
    with pytest.raises(Refused, match="There is no Pod default/ghost"):
        objects_change(cluster.pk, [("Pod", "default", "ghost")], lambda manifest: manifest)
    with pytest.raises(Refused, match="ghost"):
        object_delete(cluster.pk, "Node", "", "ghost")
    with pytest.raises(Refused, match="There is no Node ghost"):
        nodes_cordon(cluster.pk, ["ghost"])


def test_two_edits_of_one_object_at_once_are_both_kept():
    cluster, first = a_cluster(pods=0, bound=0, more=[HIGH]), []

    def label(name):
        def edit(manifest):
            if name == "slow" and not first:
                first.append(name)
                store.forget()
                objects_change(cluster.pk, [("PriorityClass", "", "high")], label("fast"))
            labels = manifest["metadata"].get("labels") or {}
            return {**manifest, "metadata": {**manifest["metadata"], "labels": {**labels, name: "yes"}}}

        return edit

    objects_change(cluster.pk, [("PriorityClass", "", "high")], label("slow"))
    row = KubeObject.objects.get(cluster=cluster, kind="PriorityClass", name="high")
    assert row.manifest["metadata"]["labels"] == {"fast": "yes", "slow": "yes"}


def test_the_clock_moves_to_a_moment_or_to_the_next_timer():
    cluster = a_cluster(pods=0, more=[a_pod("huge", cpu="99")])
    cycle_step(cluster.pk)
    clock_advance(cluster.pk, START_US + 5_000_000)
    cluster.refresh_from_db()
    assert cluster.now_us == START_US + 5_000_000
    clock_advance(cluster.pk)
    later = Cluster.objects.get(pk=cluster.pk)
    assert later.now_us > cluster.now_us


def test_activating_brings_a_pod_back_to_activeq():
    cluster = a_cluster(pods=0, more=[a_pod("huge", cpu="99")])
    cycle_step(cluster.pk)
    pods_activate(cluster.pk, ["default/huge"])
    assert Pod.objects.get(cluster=cluster, name="huge").queue == "active"


def test_a_configuration_that_cannot_be_read_is_refused():
    cluster = a_cluster()
    with pytest.raises(Invalid):
        profile_change(cluster.pk, {"profiles": "none"})
    cluster.refresh_from_db()
    assert not Event.objects.filter(cluster=cluster, kind="ProfileChanged").exists()


def test_what_the_runner_is_asked_to_do_is_no_event():
    cluster = a_cluster()
    run_start(cluster.pk, speed=10)
    asked = Cluster.objects.get(pk=cluster.pk)
    assert (asked.wanted, asked.speed, asked.seq) == ("running", 10, cluster.seq)
    run_pause(cluster.pk, "Nothing left to do.")
    asked.refresh_from_db()
    assert (asked.wanted, asked.wanted_reason, asked.speed) == ("paused", "Nothing left to do.", 10)


def test_why_a_run_ended_is_not_said_once_the_cluster_has_changed():
    cluster = a_cluster(pods=1)
    cycle_step(cluster.pk)
    run_pause(cluster.pk, "Nothing left to do: no pod waits.")
    undo(cluster.pk)
    assert Cluster.objects.get(pk=cluster.pk).wanted_reason == ""


@pytest.mark.parametrize("speed", [-1, 2e6, float("nan"), float("inf")])
def test_a_speed_that_makes_no_sense_is_refused(speed):
    cluster = a_cluster()
    with pytest.raises(Invalid, match="speed"):
        run_start(cluster.pk, speed=speed)


def test_an_unknown_cluster_cannot_run():
    with pytest.raises(Cluster.DoesNotExist):
        run_start(12345)
