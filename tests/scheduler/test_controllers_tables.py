"""Controllers through the services: what they make and change is in the tables, and is what the log says."""

import pytest

from scheduler import services, store
from scheduler.engine.commands import AdvanceToNextTimer, Schedule
from scheduler.engine.simulation.settings import Settings
from scheduler.models import KubeObject, Pod, UnitedDeployment
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment
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
