"""What people changed lately, whichever way they did it, as the first page of the admin lists it."""

import pytest
from django.contrib.auth.models import User

from dashboard.build.deeds import deeds
from scheduler.models import Node
from scheduler.services import cluster_reset, cycle_step, objects_apply, objects_delete
from scheduler.services.nodes import nodes_cordon
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]


@pytest.fixture
def cluster():
    return a_cluster(nodes=2, pods=1, name="one")


def texts() -> list[str]:
    return [deed.text for deed in deeds(10)]


def test_what_people_did_is_told_newest_first_and_nothing_else(cluster):
    assert texts() == []  # what it was made with is no deed
    nodes_cordon(cluster.pk, ["node-0"], "ada")
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    settled = cluster.seq
    objects_apply(cluster.pk, [a_pod("by-nobody")])
    other = a_cluster(nodes=1, name="two")
    nodes_cordon(other.pk, ["node-0"], "bob")
    cluster_reset(cluster.pk, settled, "ada")
    assert [(deed.cluster.name, deed.actor, deed.text) for deed in deeds(10)] == [
        ("one", "ada", f"Went back to event {settled}"),
        ("two", "bob", "Node node-0 changed"),
        ("one", "ada", "Node node-0 changed"),
    ]
    assert len(deeds(2)) == 2


def test_many_of_a_sort_are_counted(cluster):
    objects_apply(cluster.pk, [a_pod(f"more-{place}") for place in range(3)], actor="ada")
    assert len(texts()) == 3
    claims = [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": f"c{place}"},
               "provisioner": "example.com/disk"} for place in range(4)]  # fmt: skip
    objects_apply(cluster.pk, claims, actor="ada")
    assert texts()[0] == "4 StorageClasses added"
    objects_apply(cluster.pk, [a_pod(f"many-{place}") for place in range(230)], actor="ada")
    assert texts()[0] == "230 Pods added"
    objects_delete(cluster.pk, [("Pod", "default", f"more-{place}") for place in range(3)], "ada")
    assert texts()[0] == "Pod default/more-2 deleted"


def test_the_first_page_of_the_admin_lists_what_was_done_on_the_dashboard(cluster, admin_client):
    assert "Nobody has changed a cluster yet" in admin_client.get("/admin/").content.decode()
    admin_client.post("/c/one/nodes/node-1/edit/", {"label-key": ["a"], "label-value": ["b"]})
    node = Node.objects.get(cluster=cluster, name="node-1")
    assert node.labels
    cluster.refresh_from_db()
    text = admin_client.get("/admin/").content.decode()
    assert f'<a href="/c/one/?at={cluster.seq}">Node node-1 changed</a>' in text
    assert "Your edits of clusters" not in text
    admin_client.post("/admin/auth/group/add/", {"name": "readers"})
    assert "Your edits of clusters, users and groups" in admin_client.get("/admin/").content.decode()


def test_who_may_not_see_events_is_shown_none(cluster, client):
    nodes_cordon(cluster.pk, ["node-0"], "ada")
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert "Node node-0 changed" not in client.get("/admin/").content.decode()
