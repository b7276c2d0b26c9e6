"""Forms of the admin site: rows and YAML say the same, what is unknown stays, and nobody's edit is lost."""

import pytest

from scheduler.models import Event, KubeObject, Node, Pod
from scheduler.services import objects, objects_apply
from tests.scheduler.admin_page import edited, errors, fields_of, opened, page, save
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
UNKNOWN = {"example.com/extra": {"deep": [1, {"x": "y"}]}}


@pytest.fixture
def cluster():
    return a_cluster(nodes=1)


def a_rich_pod():
    pod = a_pod("rich", tolerations=[{"key": "k", "operator": "Exists", "unknown": 1}], unknownField=UNKNOWN)
    pod["metadata"]["annotations"] = {"note": "two\nlines ", "json": '{"a": 1}\n'}
    container = pod["spec"]["containers"][0]
    container |= {"ports": [{"containerPort": 80}], "env": [{"name": "A", "value": "b"}]}
    container["resources"] = {"limits": {"memory": "1Gi"}, "requests": {"cpu": 1, "memory": "64Mi"}}
    pod["spec"]["containers"].append({"name": "side", "image": "x", "unknown": True})
    return pod


def the_pod(cluster):
    objects_apply(cluster.pk, [a_rich_pod()])
    return Pod.objects.get(cluster=cluster, name="rich")


def count(cluster) -> int:
    return Event.objects.filter(cluster=cluster).count()


def test_a_form_that_is_sent_as_it_was_opened_changes_nothing(cluster, admin_client):
    objects_apply(cluster.pk, [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, **UNKNOWN}])
    pod = the_pod(cluster)
    before, events = pod.manifest, count(cluster)
    for row in (pod, Node.objects.get(cluster=cluster), KubeObject.objects.get(cluster=cluster)):
        assert save(admin_client, row).status_code == 302
    pod.refresh_from_db()
    assert (pod.manifest, count(cluster)) == (before, events)


def test_what_no_row_tells_of_stays_with_its_row(cluster, admin_client):
    pod = the_pod(cluster)
    side, main = ("side", "x", "2", "", "", "1"), ("main", "new", "1", "64Mi", "", "0")
    assert save(admin_client, pod, containers=[side, main]).status_code == 302
    pod.refresh_from_db()
    first, second = pod.manifest["spec"]["containers"]
    assert (first["name"], first["unknown"], first["resources"]) == ("side", True, {"requests": {"cpu": "2"}})
    assert (second["image"], second["ports"][0]["containerPort"], second["env"][0]["name"]) == ("new", 80, "A")
    assert second["resources"] == {"limits": {"memory": "1Gi"}, "requests": {"cpu": 1, "memory": "64Mi"}}
    assert pod.manifest["spec"]["unknownField"] == UNKNOWN


def test_a_new_unknown_field_is_refused_as_kubectl_does_and_one_that_was_there_is_not(cluster, admin_client):
    pod, events = the_pod(cluster), count(cluster)
    text = opened(admin_client, page(Pod, "change", pod.pk))["manifest"][0].replace(
        "spec:", "spec:\n  nodeSelectr: {disk: ssd}", 1
    )
    answer = save(admin_client, pod, manifest=text)
    assert errors(answer)["manifest"] == [
        'Line 15: strict decoding error: unknown field "spec.nodeSelectr", did you mean nodeSelector?'
    ]
    assert count(cluster) == events


def checked(client, row, **changed):
    url = page(type(row), "change", row.pk)
    return client.post(url, edited(opened(client, url), type(row), _check="1", **changed))


def test_rows_are_written_into_the_yaml_and_the_yaml_into_rows_without_saving(cluster, admin_client):
    node, events = Node.objects.get(cluster=cluster), count(cluster)
    fields = fields_of(checked(admin_client, node, labels=[("team", "red")], unschedulable="on"))
    assert "team: red" in fields["manifest"][0]
    assert "unschedulable: true" in fields["manifest"][0]
    text = fields["manifest"][0].replace("team: red", "team: blue")
    answer = admin_client.post(
        page(Node, "change", node.pk), edited(fields, Node, manifest=text, _check="1", unschedulable=None)
    )
    fields = fields_of(answer)
    assert (fields["labels-key"], fields["labels-value"]) == (["team", ""], ["blue", ""])
    assert "unschedulable" not in fields["manifest"][0]
    assert count(cluster) == events
    assert admin_client.post(page(Node, "change", node.pk), fields).status_code == 302
    node.refresh_from_db()
    assert node.manifest["metadata"]["labels"] == {"team": "blue"}


def test_one_thing_changed_to_two_in_rows_and_yaml_is_told(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    text = opened(admin_client, page(Node, "change", node.pk))["manifest"][0]
    other = text.replace("hostname: node-0", "hostname: here")
    answer = save(admin_client, node, labels=[("kubernetes.io/hostname", "there")], manifest=other)
    assert "changed here and in the YAML" in str(errors(answer)["labels"])


def test_the_second_of_two_editors_is_told_and_saves_both_changes(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    url = page(Node, "change", node.pk)
    mine = edited(opened(admin_client, url), Node, taints=[("mine", "", "NoSchedule")])
    assert save(admin_client, node, labels=[("by", "other")]).status_code == 302
    answer = admin_client.post(url, mine)
    assert "Somebody changed this object while you edited it: metadata.labels[kubernetes.io/hostname], " in str(
        errors(answer)
    )
    assert "both changes together" in str(errors(answer))
    assert admin_client.post(url, fields_of(answer)).status_code == 302
    node.refresh_from_db()
    assert node.manifest["metadata"]["labels"]["by"] == "other"
    assert node.manifest["spec"]["taints"] == [{"key": "mine", "effect": "NoSchedule"}]


def test_a_field_that_both_editors_changed_is_named(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    url = page(Node, "change", node.pk)
    mine = edited(opened(admin_client, url), Node, labels=[("team", "mine")])
    save(admin_client, node, labels=[("team", "theirs")])
    answer = admin_client.post(url, mine)
    assert "You both changed metadata.labels.team" in str(errors(answer))
    assert '<span class="diff-in">+    team: theirs</span>' in answer.content.decode()


def test_a_save_that_is_overtaken_at_the_last_moment_is_told_as_well(cluster, admin_client, monkeypatch):
    node, real = Node.objects.get(cluster=cluster), objects.manifest_of
    monkeypatch.setattr(objects, "manifest_of", lambda *key: {**real(*key), "changed": "by another process"})
    answer = save(admin_client, node, labels=[("team", "mine")])
    assert errors(answer)["__all__"] == ["Node node-0 has changed meanwhile; nothing was written."]
    assert fields_of(answer)["labels-value"] == ["mine", ""]


def test_what_a_save_is_refused_for_is_told_in_the_form(cluster, admin_client, monkeypatch):
    def refuse(*_):
        raise objects.Refused("Not now.")

    monkeypatch.setattr("scheduler.admin.base.object_replace", refuse)
    answer = save(admin_client, Node.objects.get(cluster=cluster), labels=[("team", "red")])
    assert errors(answer)["__all__"] == ["Not now."]
    assert fields_of(answer)["labels-value"] == ["red", ""]


def test_a_damaged_form_is_refused(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    for damaged in ("!!!", "bm90IHpsaWI="):
        assert "did not arrive whole" in str(errors(save(admin_client, node, base=damaged)))


def test_a_per_cent_sign_is_told_as_it_was_typed(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    answer = save(admin_client, node, labels=[("100%s", "a"), ("100%s", "b")])
    assert errors(answer)["labels"] == ['Row 2: Duplicate value: "100%s"']
    assert "100%%" not in answer.content.decode()


def test_what_was_wrong_in_one_form_is_not_told_in_the_next(cluster, admin_client):
    pod = the_pod(cluster)
    wrong = save(admin_client, pod, containers=[("main", "", "lots", "", "", "0")])
    assert "containers" in errors(wrong)
    assert "data-row data-fault" in wrong.content.decode()
    assert "data-row data-fault" not in admin_client.get(page(Pod, "change", pod.pk)).content.decode()
