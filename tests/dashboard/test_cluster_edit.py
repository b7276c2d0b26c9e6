"""A cluster is described and deleted by those who may, and deleted only if its name is typed."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from scheduler.models import Cluster, Event
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db


def logged_in(*permissions: str) -> Client:
    user = User.objects.create_user("ben", password="only-for-tests-1")
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


@pytest.fixture
def cluster():
    return a_cluster(nodes=1, pods=1, bound=0, name="demo", description="as it was")


def test_the_list_offers_to_edit_only_to_those_who_may(cluster):
    assert "/c/demo/edit/" in logged_in("change_cluster").get("/").content.decode()
    assert "/c/demo/edit/" not in Client(SERVER_NAME="localhost").get("/").content.decode()


def test_a_description_is_saved_and_is_no_event(cluster):
    browser = logged_in("change_cluster")
    answer = browser.post("/c/demo/edit/", {"description": " for the workshop "}, follow=True)
    page = answer.content.decode()
    assert "Saved the description of demo." in page
    assert "for the workshop" in page
    seq = cluster.seq
    cluster.refresh_from_db()
    assert (cluster.description, cluster.seq) == ("for the workshop", seq)


def test_a_description_that_is_too_long_is_told_and_kept_in_the_form(cluster):
    answer = logged_in("change_cluster").post("/c/demo/edit/", {"description": "x" * 201})
    assert answer.status_code == 400
    assert "at most 200 characters" in answer.content.decode()
    cluster.refresh_from_db()
    assert cluster.description == "as it was"


def test_deleting_asks_for_the_name_and_says_what_goes(cluster):
    browser = logged_in("delete_cluster")
    page = browser.get("/c/demo/edit/").content.decode()
    events = Event.objects.filter(cluster=cluster).count()
    assert f"This deletes 1 node, 1 pod and the log of {events} events." in page
    assert 'name="description"' not in page
    answer = browser.post("/c/demo/delete/", {"name": "other"})
    assert (answer.status_code, Cluster.objects.count()) == (400, 1)
    assert "This is not its name, so nothing was deleted." in answer.content.decode()


def test_with_its_name_the_cluster_and_its_log_are_gone(cluster):
    answer = logged_in("delete_cluster").post("/c/demo/delete/", {"name": "demo"}, follow=True)
    assert "Deleted demo with its log." in answer.content.decode()
    assert (Cluster.objects.count(), Event.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("permissions", "method", "address"),
    [
        pytest.param((), "get", "/c/demo/edit/", id="nobody special opens the form"),
        pytest.param((), "post", "/c/demo/delete/", id="nobody special deletes"),
        pytest.param(("change_cluster",), "post", "/c/demo/delete/", id="who may change may not delete"),
        pytest.param(("delete_cluster",), "post", "/c/demo/edit/", id="who may delete may not change"),
    ],
)
def test_without_the_permission_nothing_happens(cluster, permissions, method, address):
    answer = getattr(logged_in(*permissions), method)(address, {"name": "demo", "description": "mine"})
    cluster.refresh_from_db()
    assert (answer.status_code, cluster.description) == (403, "as it was")


def test_a_visitor_is_asked_to_log_in(cluster):
    answer = Client(SERVER_NAME="localhost").post("/c/demo/delete/", {"name": "demo"})
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/")
    assert Client(SERVER_NAME="localhost").get("/c/demo/delete/").status_code == 405


def test_every_page_names_the_same_scheduler(cluster):
    browser = Client(SERVER_NAME="localhost")
    for address in ("/c/demo/", "/c/demo/pods/", "/c/demo/queue/", "/c/demo/profiles/"):
        page = browser.get(address).content.decode()
        assert '<profile-name>default-scheduler <span class="dim">v1.34</span></profile-name>' in page, address
