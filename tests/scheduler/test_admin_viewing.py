"""Pages of the admin site for people who may only look: they hold all that the forms hold, and no field to write in."""

import html
import re

import pytest
import yaml
from django.contrib.auth.models import Permission, User

from scheduler.engine.config.decode import API_VERSION, KIND
from scheduler.models import KubeObject, Node, Pod, Profile
from scheduler.services import objects_apply, profile_change
from tests.scheduler.admin_page import page
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
WEIGHTED = {"schedulerName": "batch", "plugins": {"multiPoint": {"enabled": [{"name": "ImageLocality", "weight": 7}]}}}
TAINT = {"key": "dedicated", "value": "batch", "effect": "NoExecute"}


@pytest.fixture
def cluster():
    return a_cluster(nodes=1)


@pytest.fixture
def viewer(client):
    user = User.objects.create(username="vera", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


def seen(client, row) -> tuple[str, dict[str, list[list[str]]]]:
    """The page, and its tables by the name of their field."""
    answer = client.get(page(type(row), "change", row.pk))
    assert answer.status_code == 200
    text = answer.content.decode()
    parts = re.findall(r'class="form-row field-(\w+)">(.*?)</dd>', text, re.S)
    return text, {name: [cells(row) for row in re.findall("<tr>(.*?)</tr>", part, re.S)[1:]] for name, part in parts}


def cells(row: str) -> list[str]:
    return [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td[^>]*>(.*?)</td>", row, re.S)]


def whole(text: str):
    """The YAML of the object, read again."""
    found = re.search(r'<pre[^>]*aria-label="(?:Manifest|Configuration)">(.*?)</pre>', text, re.S)
    assert found
    return yaml.safe_load(html.unescape(found[1]))


def test_rows_and_the_manifest_of_a_node_are_shown(cluster, viewer):
    objects_apply(cluster.pk, [{**a_node("n", cpu="250m", team="red"), "spec": {"taints": [TAINT]}}])
    node = Node.objects.get(cluster=cluster, name="n")
    text, tables = seen(viewer, node)
    assert "You may look at it, not change it." in text
    assert tables["labels"] == [["kubernetes.io/hostname", "n"], ["team", "red"]]
    assert tables["taints"] == [["dedicated", "batch", "NoExecute"]]
    assert ["cpu", "250m = 0.25 CPU"] in tables["allocatable"] == tables["capacity"]
    assert whole(text) == node.manifest


def test_containers_tolerations_and_annotations_of_a_pod_are_shown(cluster, viewer):
    toleration = {"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 9}
    made = a_pod("rich", cpu="500m", tolerations=[toleration])
    made["metadata"]["annotations"] = {"note": "two\n<b>lines"}
    objects_apply(cluster.pk, [made])
    pod = Pod.objects.get(cluster=cluster, name="rich")
    text, tables = seen(viewer, pod)
    assert [row[2] for row in tables["containers"]] == ["500m = 0.5 CPU"]
    assert tables["tolerations"] == [["k", "Exists", "–", "NoExecute", "9"]]
    assert tables["annotations"] == [["note", "two\n<b>lines"]]
    assert whole(text) == pod.manifest


def test_other_objects_and_profiles_are_shown_whole(cluster, viewer):
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}}
    objects_apply(cluster.pk, [service])
    profiles = [{"schedulerName": "default-scheduler"}, WEIGHTED]
    profile_change(cluster.pk, {"apiVersion": API_VERSION, "kind": KIND, "profiles": profiles})
    assert whole(seen(viewer, KubeObject.objects.get(cluster=cluster))[0])["spec"] == service["spec"]
    assert whole(seen(viewer, Profile.objects.get(cluster=cluster, scheduler_name="batch"))[0]) == WEIGHTED


@pytest.mark.parametrize("model", [Node, Pod, Profile])
def test_there_is_nothing_to_write_in_and_what_is_sent_is_refused(model, cluster, viewer):
    url = page(model, "change", model.objects.filter(cluster=cluster).first().pk)
    text = viewer.get(url).content.decode()
    main = text[text.index('id="content-main"') :]
    assert not re.search(r"<textarea|<select|<input type=\"(?!hidden)", main)
    assert viewer.post(url, {"manifest": "{}"}).status_code == 403


def test_who_may_change_it_has_the_form_instead(cluster, admin_client):
    answer = admin_client.get(page(Node, "change", Node.objects.get(cluster=cluster).pk))
    assert answer.context["viewed"] is None
    assert b"<textarea" in answer.content
