"""What the database must give back exactly as it was given."""

import pytest
from django.db import IntegrityError, transaction

from scheduler.engine.errors import Invalid
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services import cycle_step, objects_apply
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

MANIFEST = {
    "z": 1,
    "a": {"y": [1, 2.5, None, True], "b": ""},
    "m": "null \u0000 and ü and \U0001f680",
    "big": 2**53 + 1,
}


def test_json_keeps_the_order_of_keys_and_every_character():
    cluster = Cluster.objects.create(name="order")
    Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Test", payload=MANIFEST)
    stored = Event.objects.get(cluster=cluster).payload
    assert stored == MANIFEST
    assert list(stored) == list(MANIFEST)
    assert list(stored["a"]) == ["y", "b"]


def test_a_manifest_is_stored_in_the_order_in_which_it_was_written():
    cluster = a_cluster(pods=0, bound=0)
    selector = {"zone": "b", "arch": "arm64", "disk": "ssd"}
    objects_apply(cluster.pk, [a_pod("choosy", nodeSelector=selector)])
    stored = Pod.objects.get(cluster=cluster, name="choosy").manifest
    assert list(stored["spec"]["nodeSelector"]) == ["zone", "arch", "disk"]


def test_one_seq_is_written_once():
    cluster = Cluster.objects.create(name="once")
    Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Test", payload={})
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.create(cluster=cluster, seq=1, at_us=0, kind="Other", payload={})


def test_labels_are_found_whole():
    cluster = a_cluster(pods=3, bound=0)
    objects_apply(cluster.pk, [a_pod("webbing-1")])
    found = Pod.objects.filter(cluster=cluster, labels__contains=",app=web,").count()
    assert found == 3


LONG = "x" * 400
OWNER = {"kind": LONG, "name": LONG, "uid": "1", "apiVersion": "v1", "controller": True}


@pytest.mark.parametrize(
    "manifest",
    [
        pytest.param({**a_pod("p"), "status": {"phase": LONG}}, id="phase"),
        pytest.param({**a_pod("p"), "status": {"nominatedNodeName": LONG}}, id="nomination"),
        pytest.param({**a_pod("p"), "metadata": {"name": "p", "uid": LONG, "ownerReferences": [OWNER]}}, id="owner"),
        pytest.param({**a_node("n"), "status": {"nodeInfo": {"kubeletVersion": LONG}}}, id="version"),
        pytest.param({**a_node("n"), "status": {"nodeInfo": LONG}}, id="node info of another shape"),
        pytest.param(a_united_deployment(replicas=2**40), id="replicas"),
        pytest.param({"kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"nul": "\u0000"}}, id="NUL"),
    ],
)
def test_what_no_column_can_hold_is_stored_all_the_same(manifest):
    cluster = a_cluster(pods=1, bound=0)
    objects_apply(cluster.pk, [manifest])
    cycle_step(cluster.pk)
    assert differences(cluster.pk) == []


def test_a_node_may_hold_more_than_a_column_can_count():
    cluster = a_cluster(nodes=1, pods=0, bound=0)
    objects_apply(cluster.pk, [a_pod(name, memory="8E", nodeName="node-0") for name in ("one", "two")])
    assert Node.objects.get(cluster=cluster).requested_memory == 2**63 - 1
    assert differences(cluster.pk) == []


def test_a_kind_that_no_column_can_hold_is_refused():
    cluster = a_cluster()
    with pytest.raises(Invalid, match="no more than 63"):
        objects_apply(cluster.pk, [{"kind": "K" * 64, "metadata": {"name": "k"}}])
