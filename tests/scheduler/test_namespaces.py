"""A namespace goes with all that is in it; so does an owner; and both come back with one undo."""

import pytest

from scheduler.engine.errors import Refused
from scheduler.models import Event, KubeObject, Pod
from scheduler.services import object_delete, objects_apply, objects_delete, undo, undoable
from scheduler.services.projection import differences
from tests.scheduler.builders import a_claim, a_cluster, a_pod

pytestmark = pytest.mark.django_db


def a_namespace(name):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


@pytest.fixture
def cluster():
    claim = a_claim("disk", "fast")
    claim["metadata"]["namespace"] = "shop"
    pods = [a_pod("a", namespace="shop"), a_pod("b", namespace="shop", nodeName="node-0"), a_pod("other")]
    return a_cluster(nodes=1, more=[a_namespace("shop"), claim, *pods])


def deleted(cluster):
    events = Event.objects.filter(cluster=cluster, kind="ObjectDeleted").order_by("seq")
    return [(one.object_key, one.payload.get("cause", ""), one.payload.get("by", "")) for one in events]


def test_what_is_in_a_namespace_is_deleted_with_it(cluster):
    object_delete(cluster.pk, "Namespace", "", "shop")
    because = ("namespace deleted", "Namespace/shop")
    assert deleted(cluster) == [
        ("Namespace//shop", "", ""),
        ("PersistentVolumeClaim/shop/disk", *because),
        ("Pod/shop/a", *because),
        ("Pod/shop/b", *because),
    ]
    assert not Pod.objects.filter(cluster=cluster, namespace="shop").exists()
    assert Pod.objects.filter(cluster=cluster, name="other").exists()
    assert not KubeObject.objects.filter(cluster=cluster).exists()
    assert differences(cluster.pk) == []


def test_one_undo_brings_the_namespace_and_all_of_it_back(cluster):
    object_delete(cluster.pk, "Namespace", "", "shop", "ann")
    assert undoable(cluster.pk).text == "Namespace shop deleted by ann"
    undo(cluster.pk)
    assert Pod.objects.filter(cluster=cluster, namespace="shop").count() == 2
    assert Pod.objects.get(cluster=cluster, name="b").node_name == "node-0"
    assert KubeObject.objects.filter(cluster=cluster, kind="Namespace", name="shop").exists()
    assert differences(cluster.pk) == []


def test_what_went_with_its_namespace_may_be_chosen_for_deletion_as_well(cluster):
    objects_delete(cluster.pk, [("Namespace", "", "shop"), ("Pod", "shop", "a")])
    assert len(deleted(cluster)) == 4


@pytest.mark.parametrize("name", ["default", "kube-system", "kube-public"])
def test_some_namespaces_may_not_be_deleted(name, cluster):
    objects_apply(cluster.pk, [a_namespace(name)])
    with pytest.raises(Refused, match=f'namespaces "{name}" is forbidden: this namespace may not be deleted'):
        object_delete(cluster.pk, "Namespace", "", name)


def test_one_that_is_not_there_is_told(cluster):
    with pytest.raises(Refused, match="Namespace nowhere does not exist"):
        object_delete(cluster.pk, "Namespace", "", "nowhere")
