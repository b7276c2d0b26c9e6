"""NodeVolumeLimits by examples."""

import pytest

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.filtering import first_failure_with
from scheduler.engine.errors import Invalid
from scheduler.engine.explain.steps import evaluate
from scheduler.engine.framework import Step
from scheduler.engine.objects import decode
from scheduler.engine.profile import Profiles
from scheduler.engine.volumes.csi import IN_TREE
from tests.engine.builders import a_cluster, a_cycle, a_node, a_pod, only, verdicts
from tests.engine.storage_builders import (
    a_claim,
    a_class,
    a_csi_node,
    a_volume,
    an_attachment,
    ephemeral,
    using,
)

EXCEEDED = "node(s) exceed max volume count"
PLUGIN = "NodeVolumeLimits"
ALONE = only(PLUGIN)


def bound(*names, driver="disk.test"):
    """Claims and their volumes, of the same names."""
    return [
        one for name in names for one in (a_claim(name, volume=f"pv-{name}"), a_volume(f"pv-{name}", driver=driver))
    ]


def said(*objects, claims=("new",), limit=2, volumes=None):
    pod = a_pod(volumes=volumes or using(*claims))
    return verdicts(a_cycle(pod, a_node(), a_csi_node(disk_test=limit), *objects), PLUGIN)["n1"]


def used(*claims, name="used", node="n1"):
    return a_pod(name, node=node, volumes=using(*claims))


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [
        pytest.param(2, "", id="exactly full"),
        pytest.param(1, EXCEEDED, id="one over"),
        pytest.param(0, EXCEEDED, id="none at all"),
        pytest.param(None, "", id="no limit"),
    ],
)
def test_attached_and_new_volumes_against_the_limit(limit, verdict):
    assert said(*bound("old", "new"), used("old"), limit=limit) == verdict


def test_a_node_without_a_csi_node_has_no_limit():
    objects = [*bound("a", "b", "new"), used("a", "b")]
    cycle = a_cycle(a_pod(volumes=using("new")), a_node("n1"), a_node("n2"), a_csi_node("n2", disk_test=0), *objects)
    assert verdicts(cycle, PLUGIN) == {"n1": "", "n2": EXCEEDED}


def test_a_volume_of_two_pods_counts_once():
    objects = [*bound("old", "new"), used("old"), used("old", name="too")]
    assert said(*objects, limit=2) == ""


def test_volumes_of_other_drivers_do_not_count():
    objects = [*bound("old", driver="other.test"), *bound("new"), used("old")]
    assert said(*objects, limit=1) == ""


def test_a_volume_in_use_on_the_node_is_not_new_there_and_its_driver_is_not_checked():
    assert said(*bound("new"), used("new"), limit=0) == ""


def test_a_volume_that_is_attached_but_unused_counts_twice_for_the_pod_that_brings_it():
    assert said(*bound("new"), an_attachment("pv-new"), limit=1) == EXCEEDED
    assert said(*bound("new"), an_attachment("pv-new"), limit=2) == ""
    assert said(*bound("new"), an_attachment("pv-new", node="n2"), limit=1) == ""


def test_an_attachment_of_a_used_volume_counts_once():
    objects = [*bound("old", "new"), used("old"), an_attachment("pv-old")]
    assert said(*objects, limit=2) == ""


def test_attachments_of_unknown_or_other_volumes_do_not_count():
    in_tree = a_volume("pv-tree", awsElasticBlockStore={"volumeID": "vol-1"})
    objects = [*bound("new"), in_tree, an_attachment("gone"), an_attachment("pv-tree"), an_attachment("pv-new", "", "")]
    assert said(*objects, limit=1) == ""


def test_unbound_claims_count_for_the_driver_of_their_class():
    waiting = {"storageClassName": "late"}
    objects = [a_class(), a_claim("new", **waiting), a_claim("old", **waiting), used("old")]
    assert said(*objects, limit=1) == EXCEEDED
    assert said(*objects, limit=2) == ""
    assert said(a_claim("new", storageClassName="late"), a_class(provisioner="other.test"), limit=0) == ""


def test_a_missing_claim_of_a_placed_pod_is_passed_over():
    assert said(*bound("new"), used("gone"), limit=1) == ""


def test_a_missing_claim_of_the_pod_itself_is_hopeless():
    cycle = a_cycle(a_pod(volumes=using("gone")), a_node(), profile=ALONE)
    message = 'looking up PVC default/gone: persistentvolumeclaim "gone" not found'
    assert verdicts(cycle, PLUGIN) == {"n1": message}
    assert cycle.trace.all_failures(0)[0].code.label == "UnschedulableAndUnresolvable"


@pytest.mark.parametrize(
    ("volumes", "objects", "text"),
    [
        pytest.param(using(""), [], "PersistentVolumeClaim had no name", id="no name"),
        pytest.param(
            ephemeral(),
            [a_claim("p-scratch")],
            "PVC default/p-scratch was not created for pod default/p (pod is not owner)",
            id="not its own",
        ),
        pytest.param(
            [{"name": "d", "awsElasticBlockStore": {"volumeID": "aws://z/bad"}}],
            [],
            "converting volume(d) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID "
            "Invalid format for AWS volume (aws://z/bad)",
            id="not translatable",
        ),
        pytest.param(
            [{"name": "d", "azureDisk": {"diskURI": "/d"}}],
            [],
            "converting volume(d) from inline to csi: kind(Shared) is not supported in csi migration",
            id="disk that does not say its kind is Shared",
        ),
    ],
)
def test_what_fails_the_attempt(volumes, objects, text):
    cycle = a_cycle(a_pod(volumes=volumes), a_node(), a_csi_node(disk_test=1), *objects, profile=ALONE)
    cycle.run()
    assert cycle.error == f'running "{PLUGIN}" filter plugin: {text}'


def test_an_ephemeral_claim_of_another_fails_the_attempt_on_nodes_with_a_limit_only():
    objects = [*bound("new"), a_claim("used-scratch"), a_pod("used", node="n1", volumes=ephemeral())]
    pod = a_pod(volumes=using("new"))
    cycle = a_cycle(pod, a_node(), a_csi_node(disk_test=9), *objects, profile=ALONE)
    cycle.run()
    assert cycle.error.endswith("PVC default/used-scratch was not created for pod default/used (pod is not owner)")
    cycle = a_cycle(pod, a_node(), a_csi_node(disk_test=None), *objects, profile=ALONE)
    assert cycle.run().outcome == "bound"


# --- in-tree volumes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "driver", "migrated", "verdict"),
    [
        pytest.param({"awsElasticBlockStore": {"volumeID": "v"}}, "ebs_csi_aws_com", "", EXCEEDED, id="ebs"),
        pytest.param({"gcePersistentDisk": {"pdName": "v"}}, "pd_csi_storage_gke_io", "", EXCEEDED, id="gce"),
        pytest.param(
            {"azureDisk": {"diskURI": "v", "kind": "Managed"}}, "disk_csi_azure_com", "", EXCEEDED, id="azure disk"
        ),
        pytest.param({"cinder": {"volumeID": "v"}}, "cinder_csi_openstack_org", "", EXCEEDED, id="cinder"),
        pytest.param({"azureFile": {"shareName": "v"}}, "file_csi_azure_com", "", "", id="azure file never"),
        pytest.param({"vsphereVolume": {"volumePath": "v"}}, "csi_vsphere_vmware_com", "", "", id="vsphere never"),
        pytest.param({"portworxVolume": {"volumeID": "v"}}, "pxd_portworx_com", "", "", id="portworx in tree"),
        pytest.param(
            {"portworxVolume": {"volumeID": "v"}},
            "pxd_portworx_com",
            "kubernetes.io/portworx-volume",
            EXCEEDED,
            id="portworx migrated",
        ),
    ],
)
def test_which_in_tree_volumes_count(source, driver, migrated, verdict):
    csi_node = a_csi_node(migrated=migrated, **{driver: 0})
    inline = a_cycle(a_pod(volumes=[{"name": "d", **source}]), a_node(), csi_node)
    assert verdicts(inline, PLUGIN) == {"n1": verdict}
    objects = [a_claim(volume="pv"), a_volume(**source), csi_node]
    assert verdicts(a_cycle(a_pod(volumes=using("data")), a_node(), *objects), PLUGIN) == {"n1": verdict}


@pytest.mark.parametrize(
    ("field", "source", "labels", "handle"),
    [
        pytest.param("aws_elastic_block_store", {"volumeID": "vol-1"}, {}, "vol-1", id="ebs"),
        pytest.param("aws_elastic_block_store", {"volumeID": "aws://us-east-1a/vol-1"}, {}, "vol-1", id="ebs as url"),
        pytest.param(
            "gce_persistent_disk", {"pdName": "d"}, {}, "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d", id="gce"
        ),
        pytest.param(
            "gce_persistent_disk",
            {"pdName": "d"},
            {"topology.kubernetes.io/zone": "us-central1-a"},
            "projects/UNSPECIFIED/zones/us-central1-a/disks/d",
            id="gce in a zone",
        ),
        pytest.param(
            "gce_persistent_disk",
            {"pdName": "d"},
            {"topology.kubernetes.io/zone": "us-central1-a__us-central1-b"},
            "projects/UNSPECIFIED/regions/us-central1/disks/d",
            id="gce in a region",
        ),
    ],
)
def test_the_csi_handle_of_an_in_tree_volume(field, source, labels, handle):
    assert IN_TREE[field].handle(source, labels) == handle


def test_a_regional_disk_in_two_regions_has_no_handle():
    zones = {"topology.kubernetes.io/zone": "us-central1-a__us-east1-b"}
    with pytest.raises(Invalid):
        IN_TREE["gce_persistent_disk"].handle({"pdName": "d"}, zones)


# --- the rest ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("volumes", [None, [{"name": "c", "configMap": {"name": "c"}}], [{"name": "i", "iscsi": {}}]])
def test_other_volumes_skip_the_filter(volumes):
    cycle = a_cycle(a_pod(volumes=volumes), a_node())
    cycle.pre_filter()
    assert PLUGIN in cycle.skipped_filters


def test_the_numbers_of_a_verdict_can_be_recomputed():
    objects = [*bound("a", "b", "new"), used("a", "b"), a_csi_node(disk_test=2)]
    cycle = a_cycle(a_pod(volumes=using("new")), a_node(), *objects)
    cycle.run()
    plugin = next(one for one in cycle.active_filters if one.name == PLUGIN)
    steps = plugin.explain_filter(cycle, 0)
    assert steps[:-1] == [Step("disk.test", "attachable", (1, 2, 2), False)]
    assert evaluate(steps) == ("node(s) exceed max volume count",)


def test_a_node_has_room_again_once_a_pod_is_taken_away():
    objects = [
        *bound("a", "b", "new"),
        used("a"),
        used("b", name="too"),
        an_attachment("pv-b"),
        a_csi_node(disk_test=2),
    ]
    cycle = a_cycle(a_pod(volumes=using("new")), a_node(), *objects)
    cycle.pre_filter()
    one, other = cycle.snapshot.infos[0].pods
    assert first_failure_with(cycle, 0, added=[]).message == EXCEEDED
    assert first_failure_with(cycle, 0, added=[], removed=[one]).is_success
    # This one's volume stays attached and goes on counting.
    assert first_failure_with(cycle, 0, added=[], removed=[other]).message == EXCEEDED


def test_kept_counts_follow_pods_and_claims():
    cluster = a_cluster(a_node(), a_csi_node(disk_test=2), *bound("a", "new"), a_pod(volumes=using("new")))
    pod, profile = cluster.get("Pod", "default", "p"), Profiles.default().first

    def feasible():
        return Cycle(cluster.snapshot(), profile, pod).run().outcome == "bound"

    assert feasible()
    cluster.add("Pod", decode("Pod", used("a", "b")))
    assert feasible()
    for one in bound("b"):
        cluster.add(one["kind"], decode(one["kind"], one))
    assert not feasible()
    cluster.delete("Pod", "default", "used")
    assert feasible()
