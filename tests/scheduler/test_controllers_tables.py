"""Controllers through the services: what they make and change is in the tables, and is what the log says."""

import io

import pytest

from scheduler import services, store
from scheduler.engine.commands import AdvanceToNextTimer, Schedule
from scheduler.engine.errors import Refused
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.export import cluster_objects, write_json
from scheduler.manifests.sources import Source
from scheduler.models import Event, KubeObject, Pod, UnitedDeployment
from scheduler.services.imports import cluster_import, rollout_create
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment, a_workload
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


def run(cluster_id, seconds):
    with store.reading(cluster_id) as simulation:
        end = simulation.now_us + round(seconds * 1_000_000)
    while True:
        with store.reading(cluster_id) as simulation:
            due = simulation.next_timer_us
            active = simulation.queue.counts()["active"]
        if active:
            services.execute(cluster_id, *[Schedule()] * active)
        elif due is None or due > end:
            return
        else:
            services.execute(cluster_id, AdvanceToNextTimer())


@pytest.fixture
def cluster():
    return a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True))


@pytest.mark.parametrize("kind", ["cloneSet", "deployment", "statefulSet"])
def test_pods_of_a_united_deployment_have_rows_on_nodes_and_are_ready(cluster, kind):
    services.objects_apply(cluster.pk, [a_united_deployment(4, kind=kind)])
    run(cluster.pk, 15)
    pods = list(Pod.objects.filter(cluster=cluster))
    assert [(bool(pod.node_name), pod.status) for pod in pods] == [(True, "Running")] * 4
    for pod in pods:
        conditions = {one["type"]: one["status"] for one in pod.manifest["status"]["conditions"]}
        assert conditions["Ready"] == "True"
        assert pod.manifest["spec"]["nodeName"] == pod.node_name
        assert pod.manifest["spec"]["containers"][0]["image"] == "app:1"
    row = UnitedDeployment.objects.get(cluster=cluster)
    assert row.manifest["status"]["readyReplicas"] == 4
    assert differences(cluster.pk) == []


def test_scaling_down_takes_rows_away(cluster):
    services.objects_apply(cluster.pk, [a_united_deployment(4)])
    run(cluster.pk, 10)
    services.objects_apply(cluster.pk, [a_united_deployment(1)])
    run(cluster.pk, 10)
    assert Pod.objects.filter(cluster=cluster).count() == 1
    assert KubeObject.objects.filter(cluster=cluster, kind="CloneSet").count() == 2
    assert UnitedDeployment.objects.get(cluster=cluster).replicas == 1
    assert differences(cluster.pk) == []


def test_a_cold_fold_goes_on_where_the_warm_one_was(cluster):
    services.objects_apply(cluster.pk, [a_united_deployment(4)])
    run(cluster.pk, 0.5)
    store.forget()
    run(cluster.pk, 10)
    assert Pod.objects.filter(cluster=cluster).exclude(node_name="").count() == 4
    assert differences(cluster.pk) == []


def test_an_exported_rollout_goes_on_where_it_is_imported():
    """Its CloneSets and pods are found again, so nothing is made anew."""
    origin = rollout_create("origin")
    run(origin.pk, 15)
    out = io.StringIO()
    write_json(cluster_objects(origin), out)
    copied = cluster_import("copied", [Source("all.json", content=out.getvalue().encode())]).cluster
    services.controllers_switch(copied.pk, on=True)
    run(copied.pk, 15)
    names = [set(Pod.objects.filter(cluster=one).values_list("name", flat=True)) for one in (origin, copied)]
    assert names[0] == names[1]
    assert len(names[0]) == 8


def test_what_went_with_its_owner_is_no_fault_of_whoever_deletes_both(cluster):
    services.objects_apply(cluster.pk, [a_workload("Deployment")])
    run(cluster.pk, 5)
    keys = [
        (row.kind, row.namespace, row.name) for row in KubeObject.objects.filter(cluster=cluster, kind="ReplicaSet")
    ]
    services.objects_delete(cluster.pk, [("Deployment", "default", "web"), *keys])
    assert not KubeObject.objects.filter(cluster=cluster, kind__in=("Deployment", "ReplicaSet")).exists()
    assert not Pod.objects.filter(cluster=cluster).exists()
    assert differences(cluster.pk) == []
    with pytest.raises(Refused):
        services.objects_delete(cluster.pk, keys)


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "CloneSet", "DaemonSet", "ReplicaSet", "Job"])
@pytest.mark.parametrize("length", [253, 240, 59])
def test_names_as_long_as_can_be_lead_to_names_that_can_be(cluster, kind, length):
    """Columns are as wide as names; what would be too long a name is refused, and told."""
    services.objects_apply(cluster.pk, [a_workload(kind, 1, name="x" * length)])
    run(cluster.pk, 3)
    for table in (Pod, KubeObject):
        for name in table.objects.filter(cluster=cluster).values_list("name", flat=True):
            assert len(name) <= 253
    made = Pod.objects.filter(cluster=cluster).exists()
    told = Event.objects.filter(cluster=cluster, kind="EventRecorded", payload__contains="Failed").exists()
    assert made or told
    assert differences(cluster.pk) == []


def test_the_log_has_room_for_the_longest_key():
    names = [KubeObject._meta.get_field(name).max_length for name in ("kind", "namespace", "name")]
    assert Event._meta.get_field("object_key").max_length >= sum(names) + 2
