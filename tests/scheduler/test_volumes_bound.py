"""The tables show what binding a pod wrote into its claims and volumes, and keep the rest of their manifests."""

import pytest

from scheduler.models import Event, KubeObject, Pod
from scheduler.services import cycle_step, objects_apply
from scheduler.services.projection import differences
from tests.scheduler.builders import a_claim, a_cluster, a_pod, a_storage_class, a_volume

pytestmark = pytest.mark.django_db(transaction=True)
MOUNTS = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in ("old", "new")]


def manifest(cluster, kind, name):
    return KubeObject.objects.get(cluster=cluster, kind=kind, name=name).manifest


@pytest.fixture
def cluster():
    cluster = a_cluster(nodes=2, pods=0, bound=0)
    classes = [a_storage_class("made"), a_storage_class("static", provisioner="kubernetes.io/no-provisioner")]
    claims = [a_claim("old", "static"), a_claim("new", "made")]
    objects_apply(cluster.pk, [*classes, a_volume("pv", "static"), *claims, a_pod("user", volumes=MOUNTS)])
    cycle_step(cluster.pk)
    assert Pod.objects.get(cluster=cluster, name="user").node_name
    return cluster


def test_rows_of_claims_and_volumes_are_bound_and_lose_nothing(cluster):
    claim, volume = manifest(cluster, "PersistentVolumeClaim", "old"), manifest(cluster, "PersistentVolume", "pv")
    assert (claim["spec"]["volumeName"], claim["status"]["phase"]) == ("pv", "Bound")
    assert claim["spec"]["resources"] == {"requests": {"storage": "1Gi"}}
    assert (volume["spec"]["claimRef"]["name"], volume["status"]["phase"]) == ("old", "Bound")
    assert volume["spec"]["hostPath"] == {"path": "/disks/pv"}


def test_a_made_volume_has_a_row(cluster):
    claim = manifest(cluster, "PersistentVolumeClaim", "new")
    volume = manifest(cluster, "PersistentVolume", f"pvc-{claim['metadata']['uid']}")
    assert claim["spec"]["volumeName"] == volume["metadata"]["name"]
    assert volume["spec"]["capacity"] == {"storage": "1Gi"}


def test_the_rows_are_what_the_log_says(cluster):
    assert Event.objects.filter(cluster=cluster, kind="ObjectPatched").count() == 3
    patched = Event.objects.get(cluster=cluster, object_key="PersistentVolume//pv", kind="ObjectPatched")
    assert KubeObject.objects.get(cluster=cluster, name="pv").changed_seq == patched.seq
    assert differences(cluster.pk) == []
