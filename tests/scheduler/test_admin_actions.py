"""Bulk actions of the admin: asked first where pods leave, permissions held, in one commit of events."""

import re

import pytest
from django.contrib.auth.models import Permission, User

from scheduler.admin import node_actions
from scheduler.models import Event, KubeObject, Node, Pod, UnitedDeployment
from scheduler.services import cycle_step, objects_apply
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.admin_page import fields_of, page, run_action
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]


def owned(name, kind="ReplicaSet", **spec):
    pod = a_pod(name, **spec)
    pod["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": kind, "name": "front", "uid": "1", "controller": True}
    ]
    return pod


@pytest.fixture
def cluster():
    return a_cluster(nodes=2, more=[owned("placed", nodeName="node-0"), a_pod("bare", nodeName="node-0")])


def the(model, cluster, *names):
    return list(model.objects.filter(cluster=cluster, name__in=names))


def head(cluster) -> int:
    return Event.objects.filter(cluster=cluster).count()


def asked(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_drain_tells_what_it_does_before_it_does_it(cluster, admin_client):
    before = head(cluster)
    told = asked(run_action(admin_client, Node, "drain", the(Node, cluster, "node-0")))
    assert "1 pod returns to the queue." in told
    assert ": nothing makes" in told
    assert head(cluster) == before
    run_action(admin_client, Node, "drain", the(Node, cluster, "node-0"), _confirmed="1")
    assert Node.objects.get(cluster=cluster, name="node-0").unschedulable
    assert Pod.objects.get(cluster=cluster, name="placed").queue == "active"
    assert not the(Pod, cluster, "bare")
    assert differences(cluster.pk) == []


def test_a_taint_is_added_to_many_nodes_and_replaces_one_of_its_key_and_effect(cluster, admin_client):
    nodes = the(Node, cluster, "node-0", "node-1")
    assert "Taints" in asked(run_action(admin_client, Node, "add_taint", nodes))
    for value in ("a", "b"):
        given = {"taints-key": ["team"], "taints-value": [value], "taints-effect": ["NoSchedule"], "taints-was": [""]}
        run_action(admin_client, Node, "add_taint", nodes, _confirmed="1", **given)
    assert {node.taints for node in Node.objects.filter(cluster=cluster)} == {"team=b:NoSchedule"}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("", "", ""), "Required value"),
        (("team", "a", "Never"), "spec.taints[0].effect: Unsupported value: &quot;Never&quot;"),
    ],
)
def test_a_taint_that_makes_no_sense_is_told_and_changes_nothing(cells, message, cluster, admin_client):
    before = head(cluster)
    given = {f"taints-{name}": [cell] for name, cell in zip(("key", "value", "effect"), cells, strict=True)}
    answer = run_action(admin_client, Node, "add_taint", the(Node, cluster, "node-0"), _confirmed="1", **given)
    assert message in asked(answer)
    assert head(cluster) == before


def test_nodes_are_cloned(cluster, admin_client):
    assert "Copies" in asked(run_action(admin_client, Node, "clone", the(Node, cluster, "node-1")))
    run_action(admin_client, Node, "clone", the(Node, cluster, "node-1"), _confirmed="1", copies="3")
    names = Node.objects.filter(cluster=cluster).values_list("name", flat=True)
    assert sorted(names) == ["node-0", "node-1", "node-2", "node-3", "node-4"]


def test_pods_are_cloned_without_owner_and_node(cluster, admin_client):
    run_action(admin_client, Pod, "clone", the(Pod, cluster, "placed"), _confirmed="1", copies="2")
    clones = the(Pod, cluster, "placed-2", "placed-3")
    assert [(pod.node_name, pod.owner, pod.queue) for pod in clones] == [("", "", "active")] * 2
    told = run_action(admin_client, Pod, "clone", the(Pod, cluster, "placed", "bare"), _confirmed="1", copies="400")
    assert "must be from 1 to 500 new pods in all" in asked(told)


def test_requeued_pods_leave_their_nodes_and_wait_again(cluster, admin_client):
    cycle_step(cluster.pk)
    pods = the(Pod, cluster, "placed", "bare")
    told = asked(run_action(admin_client, Pod, "requeue", pods))
    assert "2 pods will leave their nodes and wait again." in told
    run_action(admin_client, Pod, "requeue", pods, _confirmed="1")
    again = the(Pod, cluster, "placed", "bare")
    assert [(pod.node_name, pod.queue) for pod in again] == [("", "active")] * 2
    assert next(pod for pod in again if pod.name == "placed").owner == "ReplicaSet/front"
    assert differences(cluster.pk) == []


def test_the_deletion_of_a_node_tells_of_its_pods_and_requeues_them(cluster, admin_client):
    node = Node.objects.get(cluster=cluster, name="node-0")
    told = asked(admin_client.get(page(Node, "delete", node.pk)))
    assert "1 pod returns to the queue." in told
    many = asked(run_action(admin_client, Node, "delete_selected", the(Node, cluster, "node-0", "node-1")))
    assert "1 pod returns to the queue." in many
    assert admin_client.post(page(Node, "delete", node.pk), {"post": "yes"}).status_code == 302
    assert Pod.objects.get(cluster=cluster, name="placed").queue == "active"
    assert differences(cluster.pk) == []


@pytest.mark.parametrize("action", ["delete_selected", "requeue"])
def test_all_rows_of_a_list_are_chosen_in_one_field(action, cluster, admin_client):
    objects_apply(cluster.pk, [a_pod(f"more-{place}") for place in range(20)])
    one = Pod.objects.filter(cluster=cluster)[:1]
    fields = fields_of(run_action(admin_client, Pod, action, one, select_across="1"))
    assert (fields["select_across"], len(fields["_selected_action"])) == (["1"], 1)
    admin_client.post(page(Pod), fields)
    left = Pod.objects.filter(cluster=cluster)
    assert left.count() == (0 if action == "delete_selected" else left.filter(node_name="").count())


def test_the_deletion_of_a_namespace_counts_what_is_in_it(cluster, admin_client):
    inside = [a_pod("a", namespace="shop"), a_pod("b", namespace="shop")]
    objects_apply(cluster.pk, [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}, *inside])
    shop = KubeObject.objects.get(cluster=cluster, kind="Namespace", name="shop")
    assert "Deleted along with it: 2 Pods." in asked(admin_client.get(page(KubeObject, "delete", shop.pk)))
    admin_client.post(page(KubeObject, "delete", shop.pk), {"post": "yes"})
    assert not the(Pod, cluster, "a", "b")


def test_replicas_of_workloads_are_set_together(cluster, admin_client):
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "front"},
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": a_pod("x")["spec"]},
        },
    }
    objects_apply(cluster.pk, [deployment, a_united_deployment(3)])
    united, front = UnitedDeployment.objects.get(cluster=cluster), KubeObject.objects.get(cluster=cluster, name="front")
    assert "Replicas now" in asked(run_action(admin_client, UnitedDeployment, "scale", [united]))
    run_action(admin_client, UnitedDeployment, "scale", [united], _confirmed="1", replicas="7")
    run_action(admin_client, KubeObject, "scale", [front], _confirmed="1", replicas="0")
    assert UnitedDeployment.objects.get(pk=united.pk).replicas == 7
    assert KubeObject.objects.get(pk=front.pk).manifest["spec"]["replicas"] == 0


NEEDED = [
    (Node, "cordon", "change_node"),
    (Node, "drain", "change_node"),
    (Node, "add_taint", "change_node"),
    (Node, "clone", "add_node"),
    (Node, "delete_selected", "delete_node"),
    (Pod, "activate", "change_pod"),
    (Pod, "requeue", "change_pod"),
    (Pod, "clone", "add_pod"),
    (Pod, "delete_selected", "delete_pod"),
]


@pytest.mark.parametrize(("model", "action", "needed"), NEEDED)
def test_an_action_needs_its_permission_also_if_it_is_sent_by_hand(model, action, needed, cluster, client):
    user = User.objects.create_user("staff", password="x", is_staff=True)
    every = Permission.objects.filter(content_type__app_label="scheduler")
    user.user_permissions.set(every.exclude(codename=needed))
    client.force_login(user)
    before = head(cluster)
    taint = {"taints-key": ["a"], "taints-value": [""], "taints-effect": ["NoSchedule"]}
    rows = list(model.objects.filter(cluster=cluster))
    run_action(client, model, action, rows, _confirmed="1", post="yes", copies="1", **taint)
    assert head(cluster) == before


@pytest.mark.parametrize(("model", "action"), [(Node, "drain"), (Pod, "requeue")])
def test_what_deletes_pods_needs_the_permission_to_delete_pods(model, action, cluster, client):
    user = User.objects.create_user("staff", password="x", is_staff=True)
    every = Permission.objects.filter(content_type__app_label="scheduler")
    user.user_permissions.set(every.exclude(codename="delete_pod"))
    client.force_login(user)
    before = head(cluster)
    run_action(client, model, action, list(model.objects.filter(cluster=cluster)), _confirmed="1")
    assert head(cluster) == before


def way_back(answer) -> tuple[str, dict]:
    """Where the button of the page's message leads, and what it sends."""
    found = re.search(r'formaction="([^"]+)" name="range" value="([^"]+)">Undo<', answer.content.decode())
    return found[1], {"range": found[2], "next": page(Node)}


@pytest.mark.parametrize("how", ["drain", "delete_selected", "clone"])
def test_what_was_done_to_many_is_taken_back_as_one(how, cluster, admin_client):
    rows = list(Node.objects.filter(cluster=cluster).order_by("name").values("name", "manifest", "unschedulable"))
    pods = sorted(Pod.objects.filter(cluster=cluster).values_list("name", "node_name"))
    said_yes = {"_confirmed": "1", "post": "yes", "copies": "2"}
    run_action(admin_client, Node, how, the(Node, cluster, "node-0", "node-1"), **said_yes)
    address, sent = way_back(admin_client.get(page(Node)))
    assert "Undone" in asked(admin_client.post(address, sent, follow=True))
    assert (
        list(Node.objects.filter(cluster=cluster).order_by("name").values("name", "manifest", "unschedulable")) == rows
    )
    assert sorted(Pod.objects.filter(cluster=cluster).values_list("name", "node_name")) == pods
    assert differences(cluster.pk) == []


def test_no_way_back_is_offered_over_what_somebody_else_did_in_between(cluster, admin_client, monkeypatch):
    real = node_actions.node_clone

    def slow(cluster_id, name, *more):
        made = real(cluster_id, name, *more)
        objects_apply(cluster_id, [a_pod(f"from-elsewhere-{name}")])
        return made

    monkeypatch.setattr(node_actions, "node_clone", slow)
    run_action(admin_client, Node, "clone", the(Node, cluster, "node-0", "node-1"), _confirmed="1", copies="1")
    told = asked(admin_client.get(page(Node)))
    assert "Added 2 nodes." in told
    assert "Undo<" not in told


@pytest.mark.parametrize("key", ["abc", "9" * 40, "-1", ""])
def test_what_can_be_no_row_is_answered(key, cluster, admin_client):
    posted = {"action": "cordon", "_selected_action": [key]}
    answer = admin_client.post(page(Node), posted, follow=True)
    assert "That is no row of this list." in answer.content.decode()
    assert admin_client.get(page(Event), {"pk__in": f"1,{'9' * 40}"}).status_code == 302
