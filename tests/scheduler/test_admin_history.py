"""The history of an object: who changed what, with a diff, and one edit taken back whatever came after it."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from scheduler.models import Event, Node, Pod, Profile
from scheduler.services import cluster_reset, cycle_step, object_delete, objects_apply
from scheduler.services.history import versions
from scheduler.services.projection import differences
from tests.scheduler.admin_page import page, save
from tests.scheduler.builders import a_cluster, a_node

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
NODE = ("Node", "", "node-0")


@pytest.fixture
def cluster():
    return a_cluster(nodes=1, pods=1)


@pytest.fixture
def node(cluster):
    return Node.objects.get(cluster=cluster)


def labelled(cluster, actor, **labels):
    return objects_apply(cluster.pk, [a_node("node-0", **labels)], actor).last_seq


def labels(node) -> dict:
    node.refresh_from_db()
    return node.manifest["metadata"]["labels"]


def test_every_version_is_told_with_its_actor_and_what_it_changed(cluster, node, admin_client):
    labelled(cluster, "ann", team="red")
    save(admin_client, node, labels=[("team", "blue")])
    text = admin_client.get(page(Node, "history", node.pk)).content.decode()
    assert "3 versions in the log" in text
    assert text.index("Changed by admin") < text.index("Changed by ann") < text.index("This is how it began.")
    assert '<span class="diff-out">-    team: red</span>' in text
    assert '<span class="diff-in">+    team: blue</span>' in text


def test_a_placement_is_part_of_a_pods_history(cluster):
    key = cycle_step(cluster.pk).pod
    placed = versions(cluster.pk, ("Pod", *key.split("/")))[0]
    assert (placed.kind, placed.before["spec"].get("nodeName"), placed.after["spec"]["nodeName"]) == (
        "CycleFinished",
        None,
        "node-0",
    )


def test_what_was_undone_does_not_count(cluster):
    before = Event.objects.filter(cluster=cluster).count()
    labelled(cluster, "ann", team="red")
    cluster_reset(cluster.pk, before)
    assert [one.kind for one in versions(cluster.pk, NODE)] == ["ObjectAdded"]


def test_one_edit_is_taken_back_and_later_ones_stay(cluster, node, admin_client):
    first = labelled(cluster, "ann", team="red")
    labelled(cluster, "bob", team="red", tier="web")
    assert admin_client.post(page(Node, "history", node.pk), {"undo": first}).status_code == 302
    assert "team" not in labels(node)
    assert labels(node)["tier"] == "web"
    newest = versions(cluster.pk, NODE)[0]
    assert (newest.kind, newest.actor) == ("ObjectUpdated", "admin")
    assert differences(cluster.pk) == []


def test_an_edit_that_was_edited_again_is_not_taken_back(cluster, node, admin_client):
    first = labelled(cluster, "ann", team="red")
    labelled(cluster, "bob", team="blue")
    answer = admin_client.post(page(Node, "history", node.pk), {"undo": first}, follow=True)
    assert "metadata.labels.team was changed again;" in answer.content.decode()
    assert labels(node)["team"] == "blue"


@pytest.mark.parametrize("seq", ["1", "x", "²", "999999999999999999999"])
def test_what_is_no_edit_of_the_object_is_refused(seq, cluster, node, admin_client):
    before = Event.objects.filter(cluster=cluster).count()
    answer = admin_client.post(page(Node, "history", node.pk), {"undo": seq}, follow=True)
    assert "is no edit of this object" in answer.content.decode()
    assert Event.objects.filter(cluster=cluster).count() == before


def test_who_may_only_look_sees_the_history_and_undoes_nothing(cluster, node, client):
    seq = labelled(cluster, "ann", team="red")
    user = User.objects.create_user("staff", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_node"))
    client.force_login(user)
    url = page(Node, "history", node.pk)
    assert "Undo this edit" not in client.get(url).content.decode()
    assert client.post(url, {"undo": seq}).status_code == 403
    assert client.get(page(Pod, "history", Pod.objects.filter(cluster=cluster)[0].pk)).status_code == 403


def test_an_object_that_came_again_has_both_lives_in_its_history(cluster):
    object_delete(cluster.pk, *NODE)
    labelled(cluster, "ann")
    assert [one.kind for one in versions(cluster.pk, NODE)] == ["ObjectAdded", "ObjectDeleted", "ObjectAdded"]


def test_who_has_no_versions_has_its_events_or_the_edits_of_people(cluster, admin_client, admin_user):
    profile = Profile.objects.get(cluster=cluster)
    for row, link in ((cluster, f"cluster__id__exact={cluster.pk}"), (profile, "kind=ProfileChanged")):
        assert f'{link}">' in admin_client.get(page(type(row), "history", row.pk)).content.decode()
    told = admin_client.get(reverse("admin:auth_user_history", args=(admin_user.pk,))).content.decode()
    assert "What happened to a cluster" not in told
    event = Event.objects.filter(cluster=cluster).first()
    assert "/history/" not in admin_client.get(page(Event, "change", event.pk)).content.decode()
