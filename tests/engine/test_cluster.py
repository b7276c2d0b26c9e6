"""The scheduler's cache: sums, orders and quirks, whatever happens in whatever order."""

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import decode
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cluster, a_node, a_pod, raw_scores

MIB = 2**20


def typed(manifest):
    return decode(manifest["kind"], admit(manifest["kind"], manifest, Context()))


def put(cluster, manifest):
    cluster.update(manifest["kind"], typed(manifest))


def requested(cluster, resource="cpu"):
    snapshot = cluster.snapshot()
    return dict(zip(snapshot.names, snapshot.columns[("requested", resource)].tolist(), strict=True))


def image_scores(cluster, image="big"):
    pod = typed(a_pod("incoming", image=image))
    cycle = Cycle(cluster.snapshot(), Profiles.default().first, pod)
    return raw_scores(cycle, "ImageLocality")


# --- pods -------------------------------------------------------------------------------------------------------------


def test_a_bound_pod_counts_at_once_and_a_deleted_one_no_more():
    cluster = a_cluster(a_node(), a_pod(requests={"cpu": "1"}))
    put(cluster, a_pod(node="n1", requests={"cpu": "1"}))
    assert requested(cluster) == {"n1": 1000}
    cluster.delete("Pod", "default", "p")
    assert requested(cluster) == {"n1": 0}
    assert cluster.pods_on("n1") == []


def test_an_updated_pod_is_counted_with_its_new_requests():
    cluster = a_cluster(a_node(), a_pod(node="n1", requests={"cpu": "1"}))
    put(cluster, a_pod(node="n1", requests={"cpu": "3", "example.com/gpu": "2"}))
    assert requested(cluster) == {"n1": 3000}
    assert requested(cluster, "example.com/gpu") == {"n1": 2}


def test_a_pod_that_finished_leaves_its_node():
    cluster = a_cluster(a_node(), a_pod(node="n1", requests={"cpu": "1"}))
    finished = a_pod(node="n1", requests={"cpu": "1"}) | {"status": {"phase": "Succeeded"}}
    put(cluster, finished)
    assert requested(cluster) == {"n1": 0}


def test_removing_a_pod_moves_the_last_one_into_its_place():
    cluster = a_cluster(a_node(), *(a_pod(name, node="n1") for name in "abcd"))
    cluster.delete("Pod", "default", "b")
    assert [pod.pod.name for pod in cluster.pods_on("n1")] == ["a", "d", "c"]


def test_updating_a_pod_puts_it_last():
    cluster = a_cluster(a_node(), *(a_pod(name, node="n1") for name in "abc"))
    put(cluster, a_pod("a", node="n1", labels={"new": "label"}))
    assert [pod.pod.name for pod in cluster.pods_on("n1")] == ["c", "b", "a"]


def test_removing_a_pod_frees_a_port_that_another_one_still_holds():
    port = [{"hostPort": 80, "containerPort": 80}]
    cluster = a_cluster(a_node(), a_pod("a", node="n1", ports=port), a_pod("b", node="n1", ports=port))
    cluster.delete("Pod", "default", "a")
    assert cluster.infos["n1"].ports == set()
    assert cluster.snapshot().columns[("ports",)].tolist() == [0]


# --- nodes ------------------------------------------------------------------------------------------------------------


def test_nodes_are_listed_round_robin_over_zones():
    zones = {"a1": "a", "a2": "a", "b1": "b", "x": None, "a3": "a", "b2": "b"}
    labels = {name: {"topology.kubernetes.io/zone": zone} if zone else {} for name, zone in zones.items()}
    cluster = a_cluster(*(a_node(name, labels=labels[name]) for name in zones))
    assert cluster.snapshot().names == ["a1", "b1", "x", "a2", "b2", "a3"]


def test_a_new_zone_label_changes_the_order_only_when_a_node_comes_or_goes():
    zone = "topology.kubernetes.io/zone"
    cluster = a_cluster(a_node("n1", labels={zone: "a"}), a_node("n2", labels={zone: "a"}))
    cluster.snapshot()
    put(cluster, a_node("n1", labels={zone: "b"}))
    assert cluster.snapshot().names == ["n1", "n2"]
    put(cluster, a_node("n3", labels={zone: "a"}))
    assert cluster.snapshot().names == ["n2", "n1", "n3"]


def test_a_node_created_again_between_two_snapshots_keeps_its_place():
    cluster = a_cluster(a_node("n1"), a_node("n2"))
    assert cluster.snapshot().names == ["n1", "n2"]
    cluster.delete("Node", "", "n1")
    put(cluster, a_node("n1", cpu="9"))
    snapshot = cluster.snapshot()
    assert snapshot.names == ["n1", "n2"]
    assert snapshot.columns[("allocatable", "cpu")].tolist() == [9000, 4000]


def test_pods_of_a_removed_node_are_there_again_when_it_returns():
    cluster = a_cluster(a_node(), a_pod(node="n1", requests={"cpu": "1"}))
    cluster.delete("Node", "", "n1")
    assert cluster.snapshot().names == []
    put(cluster, a_node())
    assert requested(cluster) == {"n1": 1000}


def test_a_pod_may_come_before_its_node():
    cluster = a_cluster(a_pod(node="n1", requests={"memory": "1Gi"}), a_node())
    assert requested(cluster, "memory") == {"n1": 2**30}


def test_the_last_pod_of_a_removed_node_takes_the_ghost_with_it():
    cluster = a_cluster(a_node(), a_pod(node="n1"))
    cluster.delete("Node", "", "n1")
    cluster.delete("Pod", "default", "p")
    assert cluster.infos == {}


def test_a_resource_that_a_node_no_longer_offers_is_gone():
    cluster = a_cluster(a_node(**{"example.com/gpu": "4"}))
    put(cluster, a_node())
    assert cluster.snapshot().columns[("allocatable", "example.com/gpu")].tolist() == [0]


# --- images -----------------------------------------------------------------------------------------------------------


def test_an_image_has_the_size_that_its_first_node_reported():
    cluster = a_cluster(a_node("n1", images={"big:latest": 1000 * MIB}), a_node("n2", images={"big:latest": 30 * MIB}))
    assert image_scores(cluster) == {"n1": 100, "n2": 100}


def test_a_node_keeps_the_image_count_of_the_time_when_it_was_copied():
    cluster = a_cluster(a_node("n1", images={"big:latest": 800 * MIB}), a_node("n2"))
    # 800 MiB on 1 of 2 nodes: (400 - 23) * 100 / (1000 - 23) = 38
    assert image_scores(cluster) == {"n1": 38, "n2": 0}
    put(cluster, a_node("n2", images={"big:latest": 800 * MIB}))
    # n1 has not changed and still counts one node; n2 counts two: (800 - 23) * 100 / 977 = 79
    assert image_scores(cluster) == {"n1": 38, "n2": 79}
    put(cluster, a_pod("touches n1", node="n1"))
    assert image_scores(cluster) == {"n1": 79, "n2": 79}


def test_an_image_that_no_node_has_any_more_is_forgotten_with_its_size():
    cluster = a_cluster(a_node("n1", images={"big:latest": 800 * MIB}), a_node("n2"))
    cluster.snapshot()
    put(cluster, a_node("n1"))
    put(cluster, a_node("n2", images={"big:latest": 60 * MIB}))
    # 60 MiB on 1 of 2 nodes: (30 - 23) * 100 / 977 = 0
    assert image_scores(cluster) == {"n1": 0, "n2": 0}


def test_an_empty_cluster_has_an_empty_snapshot():
    assert len(ClusterState().snapshot()) == 0
