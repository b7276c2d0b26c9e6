"""Every page at an earlier event shows what was then, says so, keeps to it, and writes nothing."""

import pytest
from django.test import Client

from dashboard.build.past import as_of, rows_of
from dashboard.time_form import KIND
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services import cycle_step, object_delete, objects_apply, profile_change
from tests.scheduler.builders import a_cluster, a_node

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lived():
    """A cluster of which everything has changed since the returned event."""
    cluster = a_cluster(pods=3)
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    then = cluster.seq
    cycle_step(cluster.pk)
    object_delete(cluster.pk, "Pod", "default", "web-0")
    objects_apply(cluster.pk, [a_node("node-9"), a_node("node-0", cpu="32")])
    profile_change(cluster.pk, {**KIND, "podMaxBackoffSeconds": 33})
    cluster.refresh_from_db()
    return cluster, then


def page(client: Client, cluster: Cluster, path: str, at: int | None) -> str:
    answer = client.get(f"/c/{cluster.name}/{path}", {"at": at} if at else {})
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "",
        "queue/",
        "pods/",
        "pods/default/web-0/",
        "nodes/",
        "nodes/node-0/",
        "cycles/",
        "cycles/1/",
        "profiles/",
        "time/",
    ],
)
def test_every_page_opens_in_the_past_and_says_so(admin_client, lived, path):
    cluster, then = lived
    text = page(admin_client, cluster, path, then)
    assert "You are in the past" in text
    assert f'href="/c/{cluster.name}/pods/?at={then}"' in text
    assert f'data-at="{then}"' in text


def test_rows_of_the_past_are_those_that_the_tables_held_then():
    cluster = a_cluster(pods=4)
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    skipped = {"id", "_state", "cpu_share", "memory_share", "_cluster_cache"}

    def plain(rows):
        return [{k: v for k, v in vars(row).items() if k not in skipped} for row in rows]

    stored = {model: plain(model.objects.filter(cluster=cluster).order_by("name")) for model in (Node, Pod)}
    at = cluster.seq
    cycle_step(cluster.pk)
    object_delete(cluster.pk, "Node", "", "node-1")
    cluster.refresh_from_db()
    for model in (Node, Pod):
        assert plain(rows_of(model, as_of(cluster, at)).order_by("name")) == stored[model]


def test_a_pod_that_is_gone_stands_where_it_stood(admin_client, lived):
    cluster, then = lived
    assert admin_client.get(f"/c/{cluster.name}/pods/default/web-0/").status_code == 404
    assert "placed on" in page(admin_client, cluster, "pods/default/web-0/", then).lower()


def test_filters_and_orders_work_on_the_past(admin_client, lived):
    cluster, then = lived
    narrowed = admin_client.get(f"/c/{cluster.name}/pods/", {"at": then, "q": "status=Pending", "sort": "-name"})
    assert [row["pod"].name for row in narrowed.context["rows"]] == ["web-2", "web-1"]
    wish = {"at": then, "q": "-l kubernetes.io/hostname=node-1", "view": "table"}
    nodes = admin_client.get(f"/c/{cluster.name}/nodes/", wish)
    assert [row["node"].name for one in nodes.context["sections"] for row in one["rows"]] == ["node-1"]


def test_a_node_offers_what_it_offered(admin_client, lived):
    cluster, then = lived
    assert "node-9" in page(admin_client, cluster, "nodes/", None)
    assert "node-9" not in page(admin_client, cluster, "nodes/", then)
    resources = admin_client.get(f"/c/{cluster.name}/nodes/node-0/", {"at": then}).context["resources"]
    assert resources[0].allocatable == "4"


def test_cycles_that_came_later_are_not_there_yet(admin_client, lived):
    cluster, then = lived
    assert [
        row["record"].number for row in admin_client.get(f"/c/{cluster.name}/cycles/", {"at": then}).context["rows"]
    ] == [1]
    assert admin_client.get(f"/c/{cluster.name}/cycles/2/", {"at": then}).status_code == 404


def test_profiles_are_those_of_then(admin_client, lived):
    cluster, then = lived
    assert admin_client.get(f"/c/{cluster.name}/profiles/", {"at": then}).context["shared"].max_backoff_seconds == 10


@pytest.mark.parametrize("path", ["profiles/", "time/"])
def test_a_form_of_the_past_is_refused(admin_client, lived, path):
    cluster, then = lived
    answer = admin_client.post(f"/c/{cluster.name}/{path}?at={then}", {"form": "undo"})
    assert answer.status_code == 403
    assert "which is the past" in answer.content.decode()
    cluster.refresh_from_db()
    assert Event.objects.filter(cluster=cluster).count() == cluster.seq


def test_a_command_of_the_past_is_refused(admin_client, lived):
    cluster, then = lived
    order = {"command": "step", "at": then}
    answer = admin_client.post(f"/c/{cluster.name}/commands/", order, content_type="application/json")
    assert (answer.status_code, "nothing can be written there" in answer.json()["error"]) == (409, True)
