"""Who comes into the admin from a page of the dashboard is led back to it, and only to pages of this site."""

import html
import re

import pytest
from django.http import QueryDict
from django.utils.http import urlencode

from scheduler.admin.origin import above, place
from scheduler.models import Cluster, Node, Pod, UnitedDeployment
from scheduler.services.addresses import own_address
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.admin_page import add, edited, opened, page
from tests.scheduler.builders import a_cluster

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
PODS = "/c/one/pods/?q=web&page=2"
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example/",
    "javascript:alert(1)",
    "c/",
)


@pytest.fixture
def cluster():
    a_cluster(nodes=1, pods=1, name="other")
    return a_cluster(nodes=2, pods=3, bound=1, name="one", more=[a_united_deployment(1)])


def came(model, name, *args, **query) -> str:
    return f"{page(model, name, *args)}?{urlencode(query)}"


def post(client, url, **changed):
    return client.post(url, edited(opened(client, url), Pod, **changed))


def said(client, url) -> str:
    found = re.findall(r"data-message-text>(.*?)</(?:p|span)>", client.get(url).content.decode())
    return re.sub(r"\s+", " ", " ".join(found))


def test_a_new_pod_leads_back_and_is_named_and_linked_there(cluster, admin_client):
    url = came(Pod, "add", cluster="one", next=PODS)
    answer = post(admin_client, url, name="new")
    assert answer.url == PODS
    assert Pod.objects.get(name="new").cluster == cluster
    told = said(admin_client, PODS)
    assert 'Added pod <a href="/c/one/pods/default/new/">default/new</a>.' in told
    assert 'formaction="/c/one/undo/"' in told


def test_the_way_back_outlives_saves_that_stay(cluster, admin_client):
    pod = Pod.objects.filter(cluster=cluster).first()
    url = came(Pod, "change", pod.pk, next=PODS)
    answer = post(admin_client, url, priority_class="", _continue="1")
    assert answer.url == f"{page(Pod, 'change', pod.pk)}?{urlencode({'next': PODS})}"
    assert html.unescape(admin_client.get(answer.url).content.decode()).count(f'href="{PODS}"') == 2  # back, and cancel
    assert post(admin_client, answer.url).url == PODS
    assert "Nothing was changed in pod" in said(admin_client, PODS)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_other_site_is_led_to(address, cluster, admin_client):
    assert own_address(address) == ""
    answer = post(admin_client, came(Pod, "add", cluster="one", next=address), name="new")
    assert answer.url.startswith(page(Pod))


def test_a_delete_leads_back_or_above_what_is_gone(cluster, admin_client):
    pods = list(Pod.objects.filter(cluster=cluster))
    for pod, origin, then in (
        (pods[0], PODS, PODS),
        (pods[1], f"/c/one/pods/default/{pods[1].name}/?attempt=1", "/c/one/pods/"),
        (pods[2], "", f"{page(Pod)}?cluster__id__exact={cluster.pk}"),
    ):
        url = came(Pod, "delete", pod.pk, **({"next": origin} if origin else {}))
        assert admin_client.post(url, {"post": "yes"}).url == then
    assert admin_client.post(came(Cluster, "delete", cluster.pk, next="/c/one/"), {"post": "yes"}).url == "/"


def test_within_the_admin_a_list_is_come_back_to_as_it_was(cluster, admin_client):
    for filters in ("p=1", f"cluster__id__exact={cluster.pk}&q=node"):
        listed = admin_client.get(page(Node) + ("" if filters == "p=1" else f"?{filters}"))
        node = Node.objects.filter(cluster=cluster).first()
        url = came(Node, "change", node.pk, _changelist_filters=filters)
        assert html.escape(url) in listed.content.decode()
        url = url.replace("/change/", "/delete/")
        assert admin_client.post(url, {"post": "yes"}).url == f"{page(Node)}?{filters}"
    filters = f"cluster__id__exact={cluster.pk}"
    assert opened(admin_client, came(Node, "add", _changelist_filters=filters))["cluster"] == [str(cluster.pk)]
    assert add(admin_client, Node, cluster=str(cluster.pk), name="n9").url == f"{page(Node)}?{filters}"


@pytest.mark.parametrize(
    "path", ["pods/?q=x", "nodes/", "uniteddeployments/", "uniteddeployments/default/{united}/", "pods/default/{pod}/"]
)
def test_links_into_the_admin_name_the_page_they_stand_on(path, cluster, admin_client):
    path = path.format(pod=Pod.objects.filter(cluster=cluster).first().name, united=UnitedDeployment.objects.get().name)
    text = admin_client.get(f"/c/one/{path}").content.decode()
    links = [html.unescape(one) for one in re.findall(r'href="(/admin/scheduler/[^"]+)"', text)]
    assert {QueryDict(link.partition("?")[2])["next"] for link in links} == {f"/c/one/{path}"}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/c/one/", "the board of one"),
        ("/c/one/pods/?q=1", "pods of one"),
        ("/c/one/pods/default/web-1/", "web-1"),
        ("/learn/", ""),
        ("/nowhere", ""),
    ],
)
def test_the_page_to_go_back_to_has_a_name(address, name):
    assert place(address) == name


def test_only_what_is_gone_is_left_for_the_list_above():
    assert above("/c/one/nodes/n1/?x=1", "/c/one/nodes/n1/") == "/c/one/nodes/"
    assert above("/c/one/nodes/n10/", "/c/one/nodes/n1/") == "/c/one/nodes/n10/"
    assert above("/c/one/", "/c/one/") == "/c/one/"


def test_what_the_admin_says_is_in_the_words_of_the_other_pages(cluster, admin_client):
    node = Node.objects.get(cluster=cluster, name="node-1")
    change, listed = page(Node, "change", node.pk), page(Node, "changelist")
    admin_client.post(change, edited(opened(admin_client, change), Node, unschedulable="on", _continue="1"))
    assert re.search("Changed node <a href=[^>]*>node-1</a>. You may edit it again below.", said(admin_client, change))
    for stays, there in (({"_continue": "1"}, change), ({}, listed)):
        answer = admin_client.post(change, edited(opened(admin_client, change), Node, **stays))
        assert answer.url.partition("?")[0] == there
        assert "Nothing was changed in node" in said(admin_client, there)
    admin_client.post(page(Node, "delete", node.pk), {"post": "yes"})
    assert "Deleted node node-1." in said(admin_client, listed)
