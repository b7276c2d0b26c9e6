"""The admin site: everything is found; saving and deleting are events, with the API server's checks at the field."""

import json

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import connection

from scheduler.models import (
    Checkpoint,
    Cluster,
    Event,
    Job,
    KubeObject,
    Node,
    Pod,
    Profile,
    QueueEntry,
    UnitedDeployment,
)
from scheduler.services import commit, cycle_step, objects_apply
from scheduler.services.access import may_write
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.admin_page import add, errors, page, run_action, save
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
MODELS = (Checkpoint, Cluster, Event, Job, KubeObject, Node, Pod, Profile, QueueEntry, UnitedDeployment)
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "front"}, "spec": {"selector": {"app": "web"}}}
DEPLOYMENT = a_united_deployment(3)


@pytest.fixture
def cluster():
    cluster = a_cluster(nodes=2, pods=3, bound=1, more=[a_pod("huge", cpu="99"), SERVICE, DEPLOYMENT])
    cycle_step(cluster.pk)
    Job.objects.create(kind="import", cluster_name=cluster.name)
    return cluster


def last_event(cluster) -> Event:
    return Event.objects.filter(cluster=cluster).order_by("-seq").first()


def events_of(cluster, key) -> list[tuple[str, str]]:
    return list(Event.objects.filter(cluster=cluster, object_key=key).order_by("seq").values_list("kind", "actor"))


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_listed_found_and_opened(model, cluster, admin_client):
    assert admin.site.is_registered(model)
    assert admin_client.get(page(model)).status_code == 200
    row = model.objects.order_by("pk").first()
    assert row is not None
    assert admin_client.get(page(model), {"q": "1"}).status_code == 200
    assert admin_client.get(page(model, "change", row.pk)).status_code == 200


def test_lists_need_the_same_number_of_queries_however_many_rows(cluster, admin_client, django_assert_max_num_queries):
    objects_apply(cluster.pk, [a_pod(f"more-{place}") for place in range(40)])
    for model in (Pod, Node, Event, QueueEntry):
        admin_client.get(page(model))
        with django_assert_max_num_queries(16):
            admin_client.get(page(model))


def test_saving_a_node_is_an_event_with_its_actor(cluster, admin_client):
    node = Node.objects.get(cluster=cluster, name="node-0")
    answer = save(
        admin_client,
        node,
        labels=[("kubernetes.io/hostname", "node-0"), ("topology.kubernetes.io/zone", "west"), ("team", "red")],
        taints=[("dedicated", "db", "NoSchedule"), ("flaky", "", "PreferNoSchedule")],
        allocatable=[("cpu", "8"), ("memory", "1536Mi"), ("pods", "20")],
    )
    assert answer.status_code == 302
    node.refresh_from_db()
    assert (node.zone, node.taints) == ("west", "dedicated=db:NoSchedule, flaky:PreferNoSchedule")
    assert (node.milli_cpu, node.memory, node.max_pods) == (8000, 1536 * 2**20, 20)
    assert node.manifest["metadata"]["labels"]["team"] == "red"
    assert events_of(cluster, "Node//node-0")[-1] == ("ObjectUpdated", "admin")
    assert differences(cluster.pk) == []


@pytest.mark.django_db(transaction=True)
def test_open_boards_are_told_of_a_saved_form_once_it_is_on_disk(cluster, admin_client, monkeypatch):
    told = []
    monkeypatch.setattr(commit, "publish", lambda *news: told.append((news, connection.in_atomic_block)))
    save(admin_client, Node.objects.get(cluster=cluster, name="node-0"), labels=[("a", "b")])
    assert told == [((cluster.pk, last_event(cluster).seq), False)]


def test_waiting_pods_move_when_an_edit_in_the_admin_helps_them(cluster, admin_client):
    while (stepped := cycle_step(cluster.pk)).pod != "default/huge":
        pass
    assert stepped.decision.outcome == "unschedulable"
    save(
        admin_client,
        Node.objects.get(cluster=cluster, name="node-0"),
        allocatable=[("cpu", "200"), ("memory", "16Gi"), ("pods", "20")],
    )
    assert Pod.objects.get(cluster=cluster, name="huge").queue in ("active", "backoff")


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        pytest.param(
            "taints",
            [("dedicated", "db", "Never")],
            'spec.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule",',
            id="effect",
        ),
        pytest.param("taints", [("", "db", "NoSchedule")], "spec.taints[0].key: Invalid value", id="taint without key"),
        pytest.param("labels", [("", "red")], "Row 1: Required value", id="label without key"),
        pytest.param("labels", [("team", "red"), ("team", "blue")], 'Row 2: Duplicate value: "team"', id="label twice"),
        pytest.param(
            "labels", [("team", "not a value")], 'metadata.labels: Invalid value: "not a value"', id="label value"
        ),
        pytest.param(
            "allocatable",
            [("cpu", "lots")],
            'status.allocatable[cpu]: Invalid value: "lots": quantities must match the regular expression',
            id="quantity",
        ),
        pytest.param(
            "allocatable",
            [("pods", "110"), ("cpu", "-1")],
            'status.allocatable[cpu]: Invalid value: "-1": must be greater than or equal to 0',
            id="negative",
        ),
        pytest.param("manifest", "kind: [", "Line", id="broken YAML"),
        pytest.param("manifest", "kind: Node\nkind: Node\nmetadata: {name: node-0}", "Line 2", id="key twice"),
        pytest.param("manifest", "kind: Pod\nmetadata: {name: node-0}", "kind must be Node", id="other kind"),
        pytest.param("manifest", "kind: Node\nmetadata: {name: other}", "cannot be changed", id="other name"),
        pytest.param(
            "manifest",
            "kind: Node\nmetadata: {name: node-0, ownerReferences: 5}",
            "Line 2: metadata.ownerReferences",
            id="type",
        ),
    ],
)
def test_a_mistake_is_told_at_its_field_and_changes_nothing(field, text, message, cluster, admin_client):
    before = last_event(cluster).seq
    answer = save(admin_client, Node.objects.get(cluster=cluster, name="node-0"), **{field: text})
    assert answer.status_code == 200
    assert message in " ".join(errors(answer)[field])
    assert last_event(cluster).seq == before


def test_the_yaml_and_the_fields_are_saved_together(cluster, admin_client):
    node = Node.objects.get(cluster=cluster, name="node-0")
    text = "\n".join(
        (
            "apiVersion: v1",
            "kind: Node",
            "metadata: {name: node-0, annotations: {why: test}}",
            "status: {allocatable: {cpu: 2, pods: '5'}}",
        )
    )
    assert save(admin_client, node, manifest=text, labels=[("from", "field")]).status_code == 302
    node.refresh_from_db()
    assert node.manifest["metadata"]["annotations"] == {"why": "test"}
    assert node.manifest["metadata"]["labels"] == {"from": "field"}
    assert (node.milli_cpu, node.max_pods) == (2000, 5)


def test_a_node_is_added(cluster, admin_client):
    given = {"name": "new", "allocatable": [("cpu", "4"), ("memory", "8Gi"), ("pods", "110")]}
    answer = add(admin_client, Node, **given)
    assert answer.status_code == 302, errors(answer)
    node = Node.objects.get(cluster=cluster, name="new")
    assert (node.milli_cpu, node.manifest["status"]["capacity"]["memory"]) == (4000, "8Gi")
    assert events_of(cluster, "Node//new") == [("ObjectAdded", "admin")]
    assert "exists already" in str(errors(add(admin_client, Node, **given)))


def test_a_pod_is_added_and_queues(cluster, admin_client):
    answer = add(
        admin_client,
        Pod,
        namespace="shop",
        name="till",
        labels=[("app", "till")],
        containers=[("main", "example.org/till:1", "250m", "64Mi", "nvidia.com/gpu=1")],
        tolerations=[("dedicated", "Exists", "", "NoExecute", "60")],
    )
    assert answer.status_code == 302, errors(answer)
    pod = Pod.objects.get(cluster=cluster, namespace="shop", name="till")
    assert (pod.queue, pod.milli_cpu, pod.status) == ("active", 250, "Pending")
    spec = pod.manifest["spec"]
    assert spec["containers"][0]["resources"]["requests"] == {"cpu": "250m", "memory": "64Mi", "nvidia.com/gpu": "1"}
    assert spec["tolerations"][0]["tolerationSeconds"] == 60
    assert differences(cluster.pk) == []


def test_a_bound_pod_keeps_its_node_when_it_is_edited(cluster, admin_client):
    pod = Pod.objects.filter(cluster=cluster).exclude(node_name="").first()
    assert save(admin_client, pod, labels=[("app", "renamed")]).status_code == 302
    changed = Pod.objects.get(pk=pod.pk)
    assert changed.node_name == pod.node_name
    assert changed.labels == ",app=renamed,"


def test_other_kinds_are_edited_as_yaml(cluster, admin_client):
    service = KubeObject.objects.get(cluster=cluster, kind="Service")
    text = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: front, namespace: default}\nspec: {selector: {app: other}}\n"
    )
    assert save(admin_client, service, manifest=text).status_code == 302
    service.refresh_from_db()
    assert service.manifest["spec"] == {"selector": {"app": "other"}}
    answer = add(admin_client, KubeObject, manifest="kind: Pod\nmetadata: {name: x}")
    assert "Add a Pod among the pods" in str(errors(answer))


def test_a_united_deployment_is_scaled(cluster, admin_client):
    row = UnitedDeployment.objects.get(cluster=cluster)
    assert save(admin_client, row, replicas="5").status_code == 302
    row.refresh_from_db()
    assert (row.replicas, row.manifest["spec"]["replicas"]) == (5, 5)


def test_a_united_deployment_can_be_scaled_to_zero(cluster, admin_client):
    row = UnitedDeployment.objects.get(cluster=cluster)
    assert save(admin_client, row, replicas="0").status_code == 302
    row.refresh_from_db()
    assert row.manifest["spec"]["replicas"] == 0


def test_subsets_are_rows_and_what_no_row_says_stays(cluster, admin_client):
    row = UnitedDeployment.objects.get(cluster=cluster)
    expression = {"key": "gpu", "operator": "Exists"}
    kept = {
        "name": "a",
        "tolerations": [{"operator": "Exists"}],
        "nodeSelectorTerm": {"matchExpressions": [expression]},
    }
    manifest = {**row.manifest, "spec": {**row.manifest["spec"], "topology": {"subsets": [kept, {"name": "b"}]}}}
    objects_apply(cluster.pk, [{**manifest, "metadata": {**row.manifest["metadata"], "name": "rows"}}])
    rows = UnitedDeployment.objects.get(cluster=cluster, name="rows")
    assert save(admin_client, rows, subsets=[("a", "", "0", "50%", "", "0"), ("c", "", "1")]).status_code == 302
    rows.refresh_from_db()
    assert rows.manifest["spec"]["topology"]["subsets"] == [
        {**kept, "minReplicas": 0, "maxReplicas": "50%"},
        {"name": "c", "minReplicas": 1},
    ]
    answer = save(admin_client, rows, subsets=[("a", "", "9", "2"), ("c",)])
    assert "subset[0].minReplicas must be less than or equal to maxReplicas" in str(errors(answer)["subsets"])
    assert "write zone=a" in str(errors(save(admin_client, rows, subsets=[("a", "", "", "", "zone")]))["subsets"])


def test_a_united_deployment_is_made_by_rows_alone_of_any_kind_of_workload(cluster, admin_client):
    subsets = [("a", "", "1", "50%", "zone=a"), ("b",)]
    for kind in ("CloneSet", "StatefulSet", "AdvancedStatefulSet", "Deployment"):
        parts = {"replicas": "4", "strategy": "Adaptive", "subsets": subsets, "containers": [("main", "web:1", "100m")]}
        answer = add(admin_client, UnitedDeployment, name=kind.lower(), workload=kind, **parts)
        assert answer.status_code == 302, errors(answer)
        spec = UnitedDeployment.objects.get(cluster=cluster, name=kind.lower()).manifest["spec"]
        (template,) = spec["template"].values()
        assert spec["selector"] == {"matchLabels": {"app": kind.lower()}}
        assert template["spec"]["template"]["metadata"]["labels"] == {"app": kind.lower()}
        (container,) = template["spec"]["template"]["spec"]["containers"]
        assert (container["image"], container["resources"]["requests"]) == ("web:1", {"cpu": "100m"})
        assert (spec["replicas"], spec["topology"]["scheduleStrategy"]["type"]) == (4, "Adaptive")
    row = UnitedDeployment.objects.get(cluster=cluster, name="deployment")
    assert save(admin_client, row, containers=[("main", "web:2", "100m", "", "", "0")]).status_code == 302
    row.refresh_from_db()
    template = row.manifest["spec"]["template"]["deploymentTemplate"]
    assert template["spec"]["template"]["spec"]["containers"][0]["image"] == "web:2"


def test_a_united_deployment_that_the_webhook_refuses_is_told_at_its_field(cluster, admin_client):
    row = UnitedDeployment.objects.get(cluster=cluster)
    subsets = [{"name": "a", "replicas": 2}, {"name": "b", "replicas": 2}]
    manifest = {**row.manifest, "spec": {**row.manifest["spec"], "topology": {"subsets": subsets}}}
    answer = save(admin_client, row, manifest=json.dumps(manifest))
    assert errors(answer)["subsets"] == [
        "spec.topology.subsets: Invalid value: the sum of the subsets' replicas 4 is greater than spec.replicas 3",
        "spec.topology.subsets: Invalid value: all subsets are given replicas, and their sum 4 is not spec.replicas 3",
    ]
    row.refresh_from_db()
    assert "replicas" not in row.manifest["spec"]["topology"]["subsets"][0]


def test_deleting_is_an_event(cluster, admin_client):
    pod = Pod.objects.get(cluster=cluster, name="web-2")
    assert "web-2" in admin_client.get(page(Pod, "delete", pod.pk)).content.decode()
    assert admin_client.post(page(Pod, "delete", pod.pk), {"post": "yes"}).status_code == 302
    assert not Pod.objects.filter(pk=pod.pk).exists()
    assert ("ObjectDeleted", "admin") in events_of(cluster, "Pod/default/web-2")


def test_deleting_many_at_once_is_events_in_one_commit(cluster, admin_client):
    pods = list(Pod.objects.filter(cluster=cluster, name__startswith="web"))
    run_action(admin_client, Pod, "delete_selected", pods, post="yes")
    assert not Pod.objects.filter(cluster=cluster, name__startswith="web").exists()
    deleted = Event.objects.filter(cluster=cluster, kind="ObjectDeleted", actor="admin")
    assert deleted.count() == len(pods)
    assert differences(cluster.pk) == []


def test_cordon_and_uncordon(cluster, admin_client):
    nodes = list(Node.objects.filter(cluster=cluster))
    run_action(admin_client, Node, "cordon", nodes)
    assert set(Node.objects.filter(cluster=cluster).values_list("unschedulable", flat=True)) == {True}
    assert events_of(cluster, "Node//node-1")[-1] == ("ObjectUpdated", "admin")
    run_action(admin_client, Node, "uncordon", nodes[:1])
    assert Node.objects.get(pk=nodes[0].pk).unschedulable is False
    assert "unschedulable" not in Node.objects.get(pk=nodes[0].pk).manifest["spec"]


CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
OTHER = {"key": "team", "value": "a", "effect": "NoSchedule"}


def spec_of(node):
    return {"taints": [], **Node.objects.get(pk=node.pk).manifest["spec"]}


def test_cordoning_sets_the_taint_of_the_node_lifecycle_controller_and_uncordoning_removes_it(cluster, admin_client):
    tainted = {**a_node("dumped"), "spec": {"unschedulable": True, "taints": [OTHER, CORDON]}}
    objects_apply(cluster.pk, [tainted])
    node = Node.objects.get(cluster=cluster, name="dumped")
    run_action(admin_client, Node, "uncordon", [node])
    assert spec_of(node) == {"taints": [OTHER]}
    run_action(admin_client, Node, "cordon", [node])
    assert spec_of(node) == {"unschedulable": True, "taints": [OTHER, CORDON]}
    run_action(admin_client, Node, "uncordon", [node])
    assert spec_of(node) == {"taints": [OTHER]}


def test_the_form_of_a_node_cordons_as_the_action_does(cluster, admin_client):
    node = Node.objects.get(cluster=cluster, name="node-0")
    assert save(admin_client, node, unschedulable="on").status_code == 302
    assert spec_of(node) == {"unschedulable": True, "taints": [CORDON]}
    node.refresh_from_db()
    assert save(admin_client, node, unschedulable=None).status_code == 302
    assert spec_of(node) == {"taints": []}


def test_drain_cordons_and_deletes_all_but_daemons(cluster, admin_client):
    owner = {"kind": "DaemonSet", "name": "agent", "uid": "1", "controller": True, "apiVersion": "apps/v1"}
    daemon = a_pod("agent-1", nodeName="node-0")
    daemon["metadata"]["ownerReferences"] = [owner]
    objects_apply(cluster.pk, [daemon, a_pod("extra", nodeName="node-0"), a_pod("elsewhere", nodeName="node-1")])
    run_action(admin_client, Node, "drain", [Node.objects.get(cluster=cluster, name="node-0")], _confirmed="1")
    node = Node.objects.get(cluster=cluster, name="node-0")
    assert (node.unschedulable, node.pod_count) == (True, 1)
    assert list(Pod.objects.filter(cluster=cluster, node_name="node-0").values_list("name", flat=True)) == ["agent-1"]
    assert Pod.objects.filter(cluster=cluster, name="elsewhere").exists()
    assert differences(cluster.pk) == []


def test_who_may_not_delete_pods_may_not_drain(cluster, client):
    client.force_login(staff("view_node", "change_node"))
    before = last_event(cluster).seq
    run_action(client, Node, "drain", [Node.objects.get(cluster=cluster, name="node-0")], _confirmed="1")
    assert last_event(cluster).seq == before


def test_events_are_found_by_object_kind_and_outcome(cluster, admin_client):
    found = admin_client.get(page(Event), {"q": "Pod/default/web-0", "kind": "CycleFinished", "outcome": "bound"})
    assert [event.object_key for event in found.context["cl"].result_list] == ["Pod/default/web-0"]
    assert list(admin_client.get(page(Event), {"outcome": "error"}).context["cl"].result_list) == []


def test_activate_brings_a_refused_pod_back(cluster, admin_client):
    while cycle_step(cluster.pk).pod != "default/huge":
        pass
    huge = Pod.objects.get(cluster=cluster, name="huge")
    assert huge.queue == "unschedulable"
    run_action(admin_client, Pod, "activate", [huge])
    huge.refresh_from_db()
    assert huge.queue == "active"


def test_profiles_are_added_changed_and_deleted_but_never_the_last(cluster, admin_client):
    only = Profile.objects.get(cluster=cluster)
    answer = run_action(admin_client, Profile, "delete_selected", [only], post="yes")
    assert Profile.objects.filter(cluster=cluster).count() == 1
    assert answer.status_code == 302
    data = {"cluster": cluster.pk, "scheduler_name": "batch", "configuration": "schedulerName: batch\n"}
    answer = admin_client.post(page(Profile, "add"), data)
    assert answer.status_code == 302, errors(answer)
    assert last_event(cluster).kind == "ProfileChanged"
    run_action(admin_client, Profile, "delete_selected", [only], post="yes")
    assert [profile.scheduler_name for profile in Profile.objects.filter(cluster=cluster)] == ["batch"]
    assert differences(cluster.pk) == []


def test_clusters_are_created_described_and_deleted(cluster, admin_client):
    data = {"name": "lab", "description": "for trying", "seed": "7", "configuration": ""}
    assert admin_client.post(page(Cluster, "add"), data).status_code == 302
    lab = Cluster.objects.get(name="lab")
    assert lab.seq == 1
    assert admin_client.post(page(Cluster, "change", lab.pk), {"description": "tried"}).status_code == 302
    lab.refresh_from_db()
    assert (lab.description, lab.seq) == ("tried", 1)
    assert admin_client.post(page(Cluster, "delete", lab.pk), {"post": "yes"}).status_code == 302
    assert not Event.objects.filter(cluster_id=lab.pk).exists()
    taken = admin_client.post(page(Cluster, "add"), {**data, "name": cluster.name})
    assert "already exists" in str(errors(taken))


def staff(*codenames) -> User:
    user = User.objects.create_user("staff", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def test_who_may_only_look_cannot_change(cluster, client):
    client.force_login(staff("view_node", "view_pod"))
    node = Node.objects.get(cluster=cluster, name="node-0")
    before = last_event(cluster).seq
    assert client.get(page(Node, "change", node.pk)).status_code == 200
    assert client.post(page(Node, "change", node.pk), {"labels": "a=b"}).status_code == 403
    assert client.post(page(Node, "delete", node.pk), {"post": "yes"}).status_code == 403
    run_action(client, Node, "cordon", [node])
    run_action(client, Node, "delete_selected", [node], post="yes")
    assert last_event(cluster).seq == before


def test_the_log_cannot_be_edited_even_by_an_administrator(cluster, admin_client):
    event = last_event(cluster)
    assert admin_client.post(page(Event, "change", event.pk), {"kind": "Lie"}).status_code == 403
    assert admin_client.post(page(Event, "delete", event.pk), {"post": "yes"}).status_code == 403


def test_may_write_asks_for_the_permission():
    user = staff()
    assert not may_write(user)
    assert may_write(staff_with_write(user))


def staff_with_write(user) -> User:
    user.user_permissions.add(Permission.objects.get(codename="change_cluster"))
    return User.objects.get(pk=user.pk)


def test_import_jobs_are_sorted_by_the_number_of_objects_they_show(admin_client):
    def job(name, total, report=None, state=Job.State.DONE, done=0):
        result = {"report": {"total": report}} if report else {}
        Job.objects.create(kind="import", cluster_name=name, state=state, total=total, done=done, result=result)

    job("small", total=900, report={"found": 12, "ignored": 2})
    job("large", total=3, report={"found": 130, "ignored": 30})
    job("failed", total=50)
    job("running", total=10_000, done=7, state=Job.State.RUNNING)
    place = str(admin_client.get(page(Job)).context["cl"].list_display.index("progress"))
    rows = [admin_client.get(page(Job), {"o": way + place}).context["cl"].result_list for way in ("", "-")]
    names = [[one.cluster_name for one in found] for found in rows]
    assert names == [["running", "small", "failed", "large"], ["large", "failed", "small", "running"]]
