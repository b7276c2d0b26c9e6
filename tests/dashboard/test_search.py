"""The search over the lists of pods and nodes."""

from functools import partial

import pytest
from django.test import Client

from dashboard.search import search
from dashboard.views.find import EACH
from scheduler.models import Node, Pod
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster():
    more = [
        a_pod("web-9", namespace="shop", nodeName="node-0"),
        a_pod("db-1", namespace="shop"),
        a_node("spot-1", zone="zone-9", pool="spot"),
    ]
    return a_cluster(nodes=2, pods=1, bound=0, more=more)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["web-0", "db-1", "web-9"]),
        ("web", ["web-0", "web-9"]),
        ("po/web-9", ["web-9"]),
        ("shop/w", ["web-9"]),
        ("-n shop", ["db-1", "web-9"]),
        ("-n=shop", ["db-1", "web-9"]),
        ("--namespace shop web", ["web-9"]),
        ("-l app=web", ["web-0", "web-9"]),
        ("-l app!=web", ["db-1"]),
        ("-l app=web -n shop", ["web-9"]),
        ("-l app", ["web-0", "db-1", "web-9"]),
        ("-l !app", []),
        ("-l app=we", []),
        ("spec.nodeName=node-0", ["web-9"]),
        ("spec.nodeName!=node-0", ["web-0", "db-1"]),
        ("status=Pending", ["web-0", "db-1"]),
        ("pending", ["web-0", "db-1"]),
        ("Running", ["web-9"]),
        ("nobody", []),
        ("%", []),
    ],
)
def test_pods_are_found(cluster, text, found):
    rows = search(Pod.objects.filter(cluster=cluster), text).order_by("namespace", "name")
    assert [pod.name for pod in rows] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no/spot", ["spot-1"]),
        ("-l pool=spot", ["spot-1"]),
        ("zone=zone-0", ["node-0"]),
        ("-n shop", ["node-0", "node-1", "spot-1"]),
        ("status.phase=x", []),
    ],
)
def test_nodes_are_found(cluster, text, found):
    rows = search(Node.objects.filter(cluster=cluster), text).order_by("name")
    assert [node.name for node in rows] == found


def test_the_palette_finds_a_few_pods_and_nodes_of_any_page(cluster):
    client = Client(SERVER_NAME="localhost")
    ask = partial(client.get, f"/c/{cluster.name}/find.json")
    assert ask({"q": "web-9"}).json() == {"pods": [{"key": "shop/web-9", "note": "Running, node-0"}], "nodes": []}
    assert [one["name"] for one in ask({"q": "spot"}).json()["nodes"]] == ["spot-1"]
    assert ask({"q": " "}).json() == {"pods": [], "nodes": []}
    assert ask({"q": "web", "at": cluster.seq}).json()["pods"] == ask({"q": "web"}).json()["pods"]
    many = a_cluster(nodes=9, pods=9, bound=0)
    found = client.get(f"/c/{many.name}/find.json?q=-").json()
    assert (len(found["pods"]), len(found["nodes"])) == (EACH, EACH)
