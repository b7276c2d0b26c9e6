"""Snapshots stay as they were, patched ones differ in the patched rows alone, and nothing that is kept shows."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.cluster import columns as columns_module
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance import vector_cycle
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import decode
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cluster, a_node, a_pod
from tests.engine.test_cycle_vectors import VECTORS
from tests.engine.vectors import Vector

PROFILE = Profiles.default().first
SPREAD = [
    {"topologyKey": "zone", "maxSkew": 1, "whenUnsatisfiable": action, "labelSelector": {"matchLabels": {"app": "web"}}}
    for action in ("DoNotSchedule", "ScheduleAnyway")
]
NEAR = {
    "podAffinity": {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            {"weight": 5, "podAffinityTerm": {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}}
        ]
    }
}
APART = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "db"}}}
        ]
    }
}


def typed(manifest):
    return decode(manifest["kind"], admit(manifest["kind"], manifest, Context()))


def probe():
    """A pod that reads every sort of column."""
    port = [{"hostPort": 80, "containerPort": 80}]
    return typed(
        a_pod(
            "probe",
            labels={"app": "web"},
            requests={"cpu": "1"},
            ports=port,
            image="big",
            topologySpreadConstraints=SPREAD,
            affinity=NEAR,
        )
    )


def outcome(snapshot):
    """All that an attempt says of a snapshot."""
    cycle = Cycle(snapshot, PROFILE, probe(), percentage=100)
    decision, trace = cycle.run(), cycle.trace
    failures = {name: trace.all_failures(row) for name, row in snapshot.row_of.items()}
    scores = trace.scores
    raw = (
        {name: dict(zip(trace.feasible, row.tolist(), strict=True)) for name, row in scores.raw.items()}
        if scores
        else {}
    )
    return decision, failures, raw


node_names, pod_names = st.sampled_from(["n1", "n2", "n3"]), st.sampled_from(["p1", "p2", "p3", "p4"])
operations = st.one_of(
    st.tuples(
        st.just("node"), node_names, st.sampled_from(["a", "b", None]), st.sampled_from(["1", "8"]), st.booleans()
    ),
    st.tuples(st.just("delete-node"), node_names),
    st.tuples(
        st.just("pod"), pod_names, node_names, st.sampled_from(["web", "db"]), st.sampled_from([{}, APART, NEAR])
    ),
    st.tuples(st.just("delete-pod"), pod_names),
    st.just(("look",)),
    st.just(("hold",)),
)


def perform(cluster: ClusterState, operation) -> None:
    match operation:
        case ("node", name, zone, cpu, has_image):
            images = {"big:latest": 500 * 2**20} if has_image else {}
            cluster.update("Node", typed(a_node(name, labels={"zone": zone} if zone else {}, cpu=cpu, images=images)))
        case ("delete-node", name) if cluster.get("Node", "", name):
            cluster.delete("Node", "", name)
        case ("pod", name, node, app, affinity):
            port = [{"hostPort": 80, "containerPort": 80}] if name == "p1" else []
            requests = {"cpu": "500m", "example.com/gpu": "1"}
            pod = a_pod(name, node=node, labels={"app": app}, affinity=affinity, ports=port, requests=requests)
            cluster.update("Pod", typed(pod))
        case ("delete-pod", name) if cluster.get("Pod", "default", name):
            cluster.delete("Pod", "default", name)


def rebuilt(cluster: ClusterState) -> ClusterState:
    """The same objects in a cluster that never saw a change, in the order that the snapshot shows."""
    fresh = ClusterState()
    for info in cluster.snapshot().infos:
        fresh.add("Node", info.node)
        for pod in info.pods:
            fresh.add("Pod", pod.pod)
    return fresh


def columns_by_name(snapshot):
    """Every sum and fact, free of row order and of columns that are zero everywhere."""
    kinds = ("allocatable", "requested", "nonzero", "unschedulable", "ports", "count")
    found = {key: snapshot.columns[key] for key in snapshot.columns.vectors if key[0] in kinds}
    return {
        key: dict(zip(snapshot.names, column.tolist(), strict=True)) for key, column in found.items() if column.any()
    }


BEGINNING = (
    ("node", "n1", "a", "8", True),
    ("node", "n2", "b", "8", False),
    ("pod", "p1", "n1", "web", NEAR),
    ("hold",),
    ("pod", "p2", "n2", "db", APART),
    ("look",),
)
"""So that every script, however short, changes a cluster that somebody holds and another one has looked at."""


@settings(max_examples=60, deadline=None)
@given(st.lists(operations, max_size=25))
def test_what_is_kept_up_equals_what_is_counted_anew(script):
    cluster, held = ClusterState(), []
    for operation in (*BEGINNING, *script):
        perform(cluster, operation)
        if operation == ("look",):
            outcome(cluster.snapshot())
        elif operation == ("hold",):
            snapshot = cluster.snapshot()
            held.append((snapshot, outcome(snapshot), columns_by_name(snapshot)))
    kept, fresh = cluster.snapshot(), rebuilt(cluster).snapshot()
    _, failures, raw = outcome(kept)
    _, fresh_failures, fresh_raw = outcome(fresh)
    columns, fresh_columns = columns_by_name(kept), columns_by_name(fresh)
    counted_earlier = {
        key for key in columns if key[:1] == ("count",) and key[1] != "term" and key not in fresh_columns
    }
    assert {key: column for key, column in columns.items() if key not in counted_earlier} == fresh_columns
    assert failures == fresh_failures
    for scores in (raw, fresh_raw):
        scores.pop("ImageLocality", None)  # its stale counts are upstream's: see test_cluster
    assert raw == fresh_raw
    for snapshot, before, columns in held:
        assert columns_by_name(snapshot) == columns
        assert outcome(snapshot) == before


def test_a_snapshot_nobody_holds_is_not_copied():
    cluster = a_cluster(a_node(), a_node("n2"))
    columns = cluster.snapshot().columns
    cluster.add("Pod", typed(a_pod(node="n1")))
    assert cluster.columns is columns


def test_a_held_snapshot_costs_only_the_columns_that_change():
    cluster = a_cluster(a_node(), a_node("n2"))
    snapshot = cluster.snapshot()
    cluster.add("Pod", typed(a_pod(node="n1", requests={"cpu": "1"})))
    then, now = snapshot.columns, cluster.snapshot().columns
    assert then[("allocatable", "cpu")] is now[("allocatable", "cpu")]
    assert then[("requested", "cpu")].tolist() == [0, 0]
    assert now[("requested", "cpu")].tolist() == [1000, 0]


def test_without_changes_the_same_snapshot_is_given_again():
    cluster = a_cluster(a_node())
    snapshot = cluster.snapshot()
    assert cluster.snapshot() is snapshot
    cluster.add("Namespace", typed({"kind": "Namespace", "metadata": {"name": "x"}}))
    assert cluster.snapshot() is not snapshot
    assert "x" not in snapshot.kind("Namespace")


def test_a_patched_snapshot_differs_in_its_rows_alone():
    cluster = a_cluster(a_node(), a_node("n2"), a_pod("a", node="n1", requests={"cpu": "1"}))
    snapshot, more = cluster.snapshot(), PodInfo(typed(a_pod("b", requests={"cpu": "3"})))
    patched = snapshot.patched(added={1: [more]}, removed={0: cluster.pods_on("n1")})
    assert patched.columns[("requested", "cpu")].tolist() == [0, 3000]
    assert [len(info.pods) for info in patched.infos] == [0, 1]
    assert snapshot.columns[("requested", "cpu")].tolist() == [1000, 0]
    assert [len(info.pods) for info in snapshot.infos] == [1, 0]


def test_a_pod_that_is_not_there_cannot_be_taken_away():
    snapshot = a_cluster(a_node()).snapshot()
    with pytest.raises(ValueError, match="not on node n1"):
        snapshot.patched(removed={0: [PodInfo(typed(a_pod()))]})


@pytest.mark.parametrize(
    "vector", [one for one in VECTORS if one.expected.get("scores")][::4], ids=lambda one: one.name
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_workers_without_the_cluster_score_the_same(vector: Vector, size: int):
    cycle, _ = vector_cycle(vector.data)
    cycle.run()
    scores, prepared = cycle.trace.scores, pickle.loads(pickle.dumps(cycle.prepared()))
    count = len(cycle.feasible)
    parts = [prepared.map(first, min(first + size, count)) for first in range(0, count, size)]
    for name in cycle.algorithms:
        raw = np.concatenate([part[name] for part in parts])
        assert raw.tolist() == scores.raw[name].tolist()
        assert prepared.reduce(name, raw).tolist() == scores.normalized[name].tolist()


def test_a_prepared_cycle_holds_no_pods_of_the_cluster():
    nodes = [a_node(name, labels={"zone": "a"}) for name in ("n1", "n2")]
    pods = [a_pod(f"secret-{number}", node="n1") for number in range(50)]
    cycle = Cycle(a_cluster(*nodes, *pods).snapshot(), PROFILE, probe())
    cycle.pre_filter()
    cycle.filter()
    cycle.pre_score()
    assert len(cycle.feasible) == 2
    assert b"secret" not in pickle.dumps(cycle.prepared())


def test_threads_that_read_one_snapshot_agree():
    nodes = [a_node(f"n{number}", labels={"zone": "ab"[number % 2]}) for number in range(40)]
    pods = [a_pod(f"p{number}", node=f"n{number}", labels={"app": "web"}, affinity=NEAR) for number in range(0, 40, 3)]
    expected = outcome(a_cluster(*nodes, *pods).snapshot())
    snapshot = a_cluster(*nodes, *pods).snapshot()
    with ThreadPoolExecutor(8) as threads:
        assert all(one == expected for one in threads.map(lambda _: outcome(snapshot), range(24)))


def test_values_of_nodes_long_gone_are_let_go(monkeypatch):
    monkeypatch.setattr(columns_module, "MAX_STALE_VALUES", 4)
    cluster, selector = a_cluster(a_node("stays", labels={"serial": "s"})), {"serial": "s"}
    for number in range(20):
        cluster.add("Node", typed(a_node(f"n{number}", labels={"serial": str(number)})))
        chosen = Cycle(cluster.snapshot(), PROFILE, typed(a_pod(nodeSelector=selector))).run()
        assert chosen.node == "stays"
        cluster.delete("Node", "", f"n{number}")
    assert len(cluster.snapshot().columns.label("serial")[1]) < 20


def test_images_are_tracked_anew_when_there_were_too_many(monkeypatch):
    monkeypatch.setattr(columns_module, "MAX_IMAGES", 2)
    cluster = a_cluster(a_node("n1", images={f"i{number}:latest": 10**9 for number in range(5)}), a_node("n2"))
    for number in range(5):
        Cycle(cluster.snapshot(), PROFILE, typed(a_pod(image=f"i{number}"))).run()
    cluster.add("Node", typed(a_node("n3")))
    snapshot = cluster.snapshot()
    assert not [key for key in snapshot.columns.vectors if key[0] == "image"]
    assert Cycle(snapshot, PROFILE, typed(a_pod(image="i1"))).run().node == "n1"


@pytest.mark.parametrize("limit", [1, 3])
def test_counting_begins_anew_when_there_are_too_many_counters(monkeypatch, limit):
    nodes = [a_node("n1", labels={"zone": "a"}), a_node("n2", labels={"zone": "b"})]
    pods = [a_pod("p1", node="n1", labels={"app": "db"}, affinity=APART), a_pod("p2", node="n2", labels={"app": "web"})]
    expected = outcome(a_cluster(*nodes, *pods).snapshot())
    monkeypatch.setattr(columns_module, "MAX_COUNTERS", limit)
    cluster = a_cluster(*nodes)
    for pod in pods:
        outcome(cluster.snapshot())
        cluster.add("Pod", typed(pod))
    assert outcome(cluster.snapshot()) == expected
