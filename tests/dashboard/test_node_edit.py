"""A node's resources in the form of the dashboard and of the admin: what is written, whom it wakes, doubts."""

import re

import pytest

from scheduler import services
from scheduler.models import Node
from scheduler.services.node_changes import over_capacity
from tests.scheduler.builders import a_node, a_pod

pytestmark = pytest.mark.django_db
EDIT = "/c/lab/nodes/n/edit/"


@pytest.fixture
def lab():
    node = a_node("n", cpu="4")
    node["status"]["capacity"] = dict(node["status"]["allocatable"])
    made = services.cluster_create("lab", [node, a_pod("big", cpu="6"), a_pod("huge", cpu="64")])
    for _ in range(2):
        services.cycle_step(made.pk)
    return made


def allocatable():
    return Node.objects.get(name="n").manifest["status"]["allocatable"]


def sent(**amounts):
    return {"resource-key": list(amounts), "resource-value": list(amounts.values())}


def test_more_cpu_wakes_whom_it_helps_and_the_notice_names_and_links_them(lab, admin_client):
    before = allocatable()
    assert 'value="cpu"' in admin_client.get(EDIT).content.decode()
    answer = admin_client.post(EDIT, sent(**{**before, "cpu": "8"}), follow=True).content.decode()
    assert allocatable() == {**before, "cpu": "8"}
    told = re.search(r"1 waiting pod was moved to \w+: (<a.*?</a>)\. \(<a[^>]*>event \d+</a>\)\s*<button", answer)
    assert told[1] == '<a href="/c/lab/pods/default/big/">default/big</a>'
    assert "Allocatable is more than the node has: cpu 8 (capacity 4)." in answer


def test_the_admin_tells_a_save_as_the_dashboard_does(lab, admin_client):
    pk = Node.objects.get(name="n").pk
    form = admin_client.get(f"/admin/scheduler/node/{pk}/change/").context["adminform"].form
    manifest = form["manifest"].value().replace("cpu: '4'", "cpu: '8'", 1).replace('cpu: "4"', 'cpu: "8"', 1)
    fields = {"manifest": manifest, "base": form["base"].value(), "drawn": form["drawn"].value(), "tab": "yaml"}
    answer = admin_client.post(f"/admin/scheduler/node/{pk}/change/", fields, follow=True).content.decode()
    assert allocatable()["cpu"] == "8"
    assert re.search(r"1 waiting pod was moved to \w+: <a[^>]*>default/big</a>\. \(event \d+\)\s*<button", answer)
    assert "Allocatable is more than the node has" in answer


@pytest.mark.parametrize(
    ("amounts", "fault"),
    [
        pytest.param(
            {"cpu": "12 cores"}, "The quantity of cpu, &quot;12 cores&quot;, cannot be read", id="no quantity"
        ),
        pytest.param({"memory": ""}, "The quantity of memory, &quot;&quot;, cannot be read", id="nothing"),
        pytest.param({"cpu": "-1"}, "The quantity of cpu, -1, is less than 0.", id="negative"),
    ],
)
def test_what_is_no_quantity_is_refused_in_words_and_kept_in_the_form(lab, admin_client, amounts, fault):
    before = allocatable()
    answer = admin_client.post(EDIT, sent(**amounts))
    assert (answer.status_code, allocatable()) == (400, before)
    assert fault in answer.content.decode()


def test_a_form_without_resources_leaves_them_alone(lab, admin_client):
    before = allocatable()
    admin_client.post(EDIT, {"label-key": ["a"], "label-value": ["b"]})
    assert allocatable() == before


def test_only_what_is_above_the_capacity_is_doubted():
    status = {
        "capacity": {"cpu": "8", "memory": "1Gi"},
        "allocatable": {"cpu": "8000m", "memory": "1024Mi", "x/y": "9"},
    }
    assert over_capacity({"status": status}) == over_capacity({}) == ""
    status["allocatable"]["cpu"] = "8001m"
    assert "cpu 8001m (capacity 8)." in over_capacity({"status": status})
