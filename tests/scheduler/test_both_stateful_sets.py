"""A cluster holds StatefulSets of `apps/v1` and of OpenKruise under one name: tables, admin, files in and out."""

import io
import json

import pytest

from scheduler import services
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.export import cluster_objects, write_json, write_yaml
from scheduler.manifests.sources import Source
from scheduler.models import Event, KubeObject, Pod
from scheduler.services.imports import cluster_import
from scheduler.services.projection import differences
from tests.engine.workload_world import a_workload
from tests.scheduler.builders import a_cluster
from tests.scheduler.test_admin import errors, page, save
from tests.scheduler.test_controllers_tables import run

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {"StatefulSet": "apps/v1", "AdvancedStatefulSet": "apps.kruise.io/v1beta1"}


@pytest.fixture
def cluster():
    cluster = a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True))
    plain = a_workload("StatefulSet", 2, ordinals={"start": 5})
    advanced = a_workload("AdvancedStatefulSet", 2)
    services.objects_apply(
        cluster.pk,
        [{**plain, "apiVersion": KINDS["StatefulSet"]}, {**advanced, "apiVersion": KINDS["AdvancedStatefulSet"]}],
    )
    run(cluster.pk, 8)
    return cluster


def rows(cluster):
    found = KubeObject.objects.filter(cluster=cluster, kind__endswith="StatefulSet")
    return {row.kind: row for row in found}


def pods(cluster):
    return set(Pod.objects.filter(cluster=cluster).values_list("name", "owner", "status"))


@pytest.mark.parametrize("write", [write_json, write_yaml])
def test_both_are_kept_exported_and_imported(cluster, write):
    assert {kind: row.manifest["apiVersion"] for kind, row in rows(cluster).items()} == KINDS
    assert {row.manifest["kind"] for row in rows(cluster).values()} == {"StatefulSet"}
    assert pods(cluster) == {
        ("web-0", "AdvancedStatefulSet/web", "Running"),
        ("web-1", "AdvancedStatefulSet/web", "Running"),
        ("web-5", "StatefulSet/web", "Running"),
        ("web-6", "StatefulSet/web", "Running"),
    }
    out = io.StringIO()
    write(cluster_objects(cluster), out)
    imported = cluster_import("copied", [Source("all", content=out.getvalue().encode())])
    assert {kind: count.taken for kind, count in imported.report.kinds.items() if kind in KINDS} == dict.fromkeys(
        KINDS, 1
    )
    copied = imported.cluster
    assert {kind: row.manifest for kind, row in rows(copied).items()} == {
        kind: row.manifest for kind, row in rows(cluster).items()
    }
    services.controllers_switch(copied.pk, on=True)
    run(copied.pk, 10)
    assert pods(copied) == pods(cluster)
    assert not Event.objects.filter(cluster=copied, kind="ObjectDeleted", object_key__startswith="Pod/").exists()
    assert differences(copied.pk) == differences(cluster.pk) == []


@pytest.mark.usefixtures("plain_static")
def test_each_is_scaled_by_its_own_form_in_the_admin(cluster, admin_client):
    row = rows(cluster)["AdvancedStatefulSet"]
    assert save(admin_client, row, manifest=json.dumps(scaled(row.manifest, 1))).status_code == 302
    run(cluster.pk, 5)
    assert {name for name, *_ in pods(cluster)} == {"web-0", "web-5", "web-6"}
    row.refresh_from_db()
    answer = save(admin_client, row, manifest=json.dumps({**row.manifest, "apiVersion": "apps/v1"}))
    assert "cannot be changed" in str(errors(answer))
    listed = admin_client.get(page(KubeObject), {"kind": "AdvancedStatefulSet"})
    assert [one.kind for one in listed.context["cl"].result_list] == ["AdvancedStatefulSet"]
    assert save(admin_client, row, manifest=json.dumps({**row.manifest, "apiVersion": 1})).status_code == 200


def scaled(manifest, replicas):
    return {**manifest, "spec": {**manifest["spec"], "replicas": replicas}}
