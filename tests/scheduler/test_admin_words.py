"""What pages of the admin say where Django would name rows and fields, and where there is nothing to show."""

import pytest
from django.contrib.auth.models import Group, Permission, User

from scheduler.models import Event, Job, KubeObject, Node, Pod, QueueEntry
from scheduler.services import cycle_step
from tests.scheduler.admin_page import add, errors, page
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]


@pytest.fixture
def cluster():
    return a_cluster(nodes=1, pods=0, bound=0, more=[a_pod("huge", cpu="99")])


def said(client, url: str) -> str:
    return client.get(url).content.decode()


@pytest.mark.parametrize(
    ("model", "query", "words"),
    [
        pytest.param(Pod, "?q=zzz", "No pod matches “zzz”.", id="search"),
        pytest.param(Pod, "?status=Failed", "No pod matches the filter.", id="filter"),
        pytest.param(KubeObject, "", "There are none yet.", id="nothing"),
    ],
)
def test_an_empty_list_says_why_and_has_no_actions(cluster, admin_client, model, query, words):
    html = said(admin_client, page(model) + query)
    assert words in html
    assert 'name="action"' not in html
    assert ("Show all" in html) == bool(query)


def test_what_a_waiting_pod_is_refused_by_is_told_in_words_and_when_in_time(cluster, admin_client):
    cycle_step(cluster.pk)
    entry = QueueEntry.objects.get(cluster=cluster)
    html = said(admin_client, page(QueueEntry, "change", entry.pk))
    assert ">NodeResourcesFit<" in html
    assert str(entry.timestamp_us) not in html


def test_a_user_is_deleted_by_one_sentence_not_by_rows_of_tables(admin_client):
    user = User.objects.create_user("mira")
    user.user_permissions.add(*Permission.objects.all()[:3])
    user.groups.add(team := Group.objects.create(name="team"))
    for view in (f"user/{user.pk}/change/", "user/add/", f"group/{team.pk}/change/", "group/add/"):
        assert "related-widget-wrapper-link" not in said(admin_client, f"/admin/auth/{view}")
    told = said(admin_client, f"/admin/auth/user/{user.pk}/delete/")
    assert "mira cannot log in any more." in told
    assert "relationship" not in told
    assert "team: 1 member loses what it permits." in said(admin_client, f"/admin/auth/group/{team.pk}/delete/")
    admin_client.post(f"/admin/auth/user/{user.pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(username="mira")


def test_a_wrong_amount_of_a_new_node_is_told_once_where_it_was_written(cluster, admin_client):
    answer = add(admin_client, Node, cluster=cluster.pk, name="n2", allocatable=[("cpu", "4 cores")])
    assert list(errors(answer)) == ["allocatable"]


def test_a_new_object_of_any_kind_is_one_page_without_tabs(cluster, admin_client):
    html = said(admin_client, page(KubeObject, "add"))
    assert "data-tab-of" not in html
    assert "kind: Service" in html


def test_what_has_no_namespace_is_found_as_it_is_shown(cluster, admin_client):
    name = Node.objects.get(cluster=cluster).name
    html = said(admin_client, page(Event) + f"?q=Node/{name}")
    assert f">Node/{name}<" in html
    assert f"Node//{name}<" not in html


def test_faults_of_a_user_are_named_and_the_history_tells_the_edit(admin_client, admin_user):
    asked = {"username": admin_user.username, "usable_password": "true", "password1": "a", "password2": "b"}
    refused = admin_client.post("/admin/auth/user/add/", asked).content.decode()
    assert "Mend what is marked: Username, Password again." in refused
    refused = admin_client.post("/admin/password_change/", {"old_password": "x"}).content.decode()
    assert "Mend what is marked: Old password, New password, New password confirmation." in refused
    admin_client.post("/admin/auth/group/add/", {"name": "team"})
    told = said(admin_client, f"/admin/auth/group/{Group.objects.get().pk}/history/")
    assert "1 edit in the admin, newest first." in told
    assert f"by {admin_user.username}" in told


def test_an_import_counts_its_objects_not_the_steps_of_its_last_stage(admin_client):
    report = {"total": {"found": 60_004, "ignored": 4}}
    Job.objects.create(cluster_name="big", state="done", total=1, result={"cluster": "big", "report": report})
    assert ">60,000<" in said(admin_client, page(Job))


def test_nodes_that_are_cordoned_already_are_not_counted(cluster, admin_client):
    node = Node.objects.get(cluster=cluster)
    asked = {"action": "cordon", "_selected_action": [node.pk]}
    assert "Cordoned 1 node." in admin_client.post(page(Node), asked, follow=True).content.decode()
    assert "Cordoned none: they were so already." in admin_client.post(page(Node), asked, follow=True).content.decode()


def test_a_running_import_tells_its_stage_and_no_whole_that_it_does_not_know(admin_client):
    running = {"kind": "import", "state": Job.State.RUNNING}
    Job.objects.create(cluster_name="a", stage="Reading cluster.json", done=1234, **running)
    Job.objects.create(cluster_name="b", stage="Waiting for another import to end", **running)
    text = admin_client.get("/admin/scheduler/job/").content.decode()
    assert "Running: reading cluster.json" in text
    assert "1,234<" in text
    assert "of 0" not in text
