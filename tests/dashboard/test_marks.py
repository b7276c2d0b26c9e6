"""The timeline tells of scenarios and controllers, in words."""

import pytest

from dashboard.build.board import board_state
from dashboard.build.marks import marks
from dashboard.payloads.board import Mark
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.scenario import read_scenario
from scheduler.models import Event
from scheduler.services import clock_advance, cycle_step, object_create, scenario_cancel, scenario_load
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db

STEPS = """\
- {at: 1s, object: {kind: Pod, metadata: {name: rush}, spec: {containers: [{name: main}]}}}
- {at: 2s, action: delete, object: {kind: Pod, metadata: {name: nobody}}}
- {at: 9s, action: delete, object: {kind: Pod, metadata: {name: rush}}}
"""
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main", "image": "a"}]}},
    },
}


def titles(cluster, sign: str) -> list[str]:
    cluster.refresh_from_db()
    found = marks(cluster.pk, cluster.seq)
    assert [fault for one in found for fault in faults(one, Mark)] == []
    return [one["title"] for one in found if one["sign"] == sign]


def test_the_first_mark_leads_to_the_cluster_as_it_was_made():
    cluster = a_cluster()
    born, made = cluster.seq, board_state(cluster)
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    first = marks(cluster.pk, cluster.seq)[0]
    assert (first["seq"], first["title"]) == (born, "Cluster created")
    then = board_state(cluster, first["seq"])
    assert (then["cluster"]["node_count"], then["lanes"]) == (made["cluster"]["node_count"], made["lanes"])
    assert then["cluster"]["pod_count"] > 0
    assert then["cycle"] is None


def test_marks_before_an_event_are_given_down_to_the_first(admin_client):
    cluster = a_cluster(pods=2)
    born = cluster.seq
    cycle_step(cluster.pk)
    cycle_step(cluster.pk)
    newest = admin_client.get(f"/c/{cluster.name}/marks.json").json()
    last = newest["marks"][-1]["seq"]
    older = admin_client.get(f"/c/{cluster.name}/marks.json?before={last}").json()["marks"]
    assert (newest["first_seq"], older) == (born, newest["marks"][:-1])
    assert admin_client.get(f"/c/{cluster.name}/marks.json?before={born}").json()["marks"] == []


def test_a_scenario_has_marks_from_its_plan_to_its_end():
    cluster = a_cluster(pods=0)
    scenario_load(cluster.pk, read_scenario("rush.yaml", STEPS))
    clock_advance(cluster.pk, cluster.now_us + 3_000_000)
    scenario_cancel(cluster.pk)
    assert titles(cluster, "scenario") == [
        "Scenario rush planned: 3 steps",
        "Scenario step 0: add Pod default/rush",
        "Scenario step 1: delete Pod default/nobody, refused: Pod default/nobody does not exist",
        "Scenario cancelled: 1 step will not be played",
    ]


def test_controllers_have_marks_where_they_act():
    cluster = a_cluster(pods=0, settings=Settings(controllers=True))
    object_create(cluster.pk, DEPLOYMENT)
    for _ in range(5):
        clock_advance(cluster.pk, None)
    acted = titles(cluster, "controller")
    looks = Event.objects.filter(cluster=cluster, kind="Reconciled").count()
    assert acted[0] == "The controller of Deployment default/web acted"
    assert 0 < len(acted) < looks  # not where all was as it should be
    assert titles(cluster, "error") == []


def test_a_warning_of_a_controller_has_a_mark_with_its_text():
    cluster = a_cluster(pods=0, settings=Settings(controllers=True))
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main", "image": "a"}]}}
    template["spec"]["priorityClassName"] = "nobody"
    object_create(cluster.pk, DEPLOYMENT | {"spec": DEPLOYMENT["spec"] | {"template": template}})
    for _ in range(5):
        clock_advance(cluster.pk, None)
    (first, *_) = titles(cluster, "error")
    assert first.startswith("ReplicaSet default/web-")
    assert ": FailedCreate: Error creating: Pod " in first
    assert "nobody" in first
