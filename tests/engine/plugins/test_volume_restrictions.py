"""VolumeRestrictions by examples."""

import pytest

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.filtering import first_failure_with
from scheduler.engine.objects import Volume, decode
from scheduler.engine.volumes.disks import conflict
from tests.engine.builders import a_cycle, a_node, a_pod, verdicts
from tests.engine.storage_builders import a_claim, a_volume, ephemeral, using

NO_DISK = "node(s) had no available disk"
IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)
GCE = {"pdName": "d"}
RBD = {"monitors": ["a", "b"], "image": "i"}
ALONE = {"accessModes": ["ReadWriteOncePod"], "volume": "pv"}


@pytest.mark.parametrize(
    ("source", "a", "b", "is_conflict"),
    [
        pytest.param("gce_persistent_disk", GCE, GCE, True, id="gce: both write"),
        pytest.param("gce_persistent_disk", GCE, GCE | {"readOnly": True}, True, id="gce: one writes"),
        pytest.param("gce_persistent_disk", GCE | {"readOnly": True}, GCE | {"readOnly": True}, False, id="gce: read"),
        pytest.param("gce_persistent_disk", GCE, {"pdName": "e"}, False, id="gce: other disk"),
        pytest.param("aws_elastic_block_store", {"volumeID": "v"}, {"volumeID": "v"}, True, id="ebs"),
        pytest.param(
            "aws_elastic_block_store",
            {"volumeID": "v", "readOnly": True},
            {"volumeID": "v", "readOnly": True},
            True,
            id="ebs: reading makes no difference",
        ),
        pytest.param("iscsi", {"iqn": "q", "lun": 0}, {"iqn": "q", "lun": 1}, True, id="iscsi: any lun"),
        pytest.param("iscsi", {"iqn": "q", "readOnly": True}, {"iqn": "q", "readOnly": True}, False, id="iscsi: read"),
        pytest.param("rbd", RBD, RBD | {"monitors": ["b", "c"]}, True, id="rbd: monitors overlap"),
        pytest.param("rbd", RBD, RBD | {"monitors": ["c"]}, False, id="rbd: other monitors"),
        pytest.param("rbd", RBD, RBD | {"pool": "rbd"}, True, id="rbd: the pool is rbd by default"),
        pytest.param("rbd", RBD, RBD | {"pool": "p"}, False, id="rbd: other pool"),
        pytest.param("rbd", RBD | {"readOnly": True}, RBD | {"readOnly": True}, False, id="rbd: read"),
    ],
)
def test_when_two_disks_conflict(source, a, b, is_conflict):
    assert conflict(Volume(**{source: a}), Volume(**{source: b})) is is_conflict
    assert conflict(Volume(**{source: b}), Volume(**{source: a})) is is_conflict


def test_disks_of_different_sorts_do_not_conflict():
    assert not conflict(Volume(gce_persistent_disk=GCE), Volume(iscsi={"iqn": "d"}))


def disk(name="d"):
    return [{"name": "disk", "gcePersistentDisk": {"pdName": name}}]


def test_a_disk_in_use_refuses_its_node_alone():
    used = [a_pod("used", node="n1", volumes=disk()), a_pod("other", node="n2", volumes=disk("e"))]
    cycle = a_cycle(a_pod(volumes=disk()), a_node("n1"), a_node("n2"), *used)
    assert verdicts(cycle, "VolumeRestrictions") == {"n1": NO_DISK, "n2": ""}


def test_a_missing_claim_ends_the_attempt():
    cycle = a_cycle(a_pod(volumes=using("gone")), a_node())
    decision = cycle.run()
    assert cycle.pre_filter_status.plugin == "VolumeRestrictions"
    assert decision.message == '0/1 nodes are available: persistentvolumeclaim "gone" not found. not found'


def test_a_claim_for_one_pod_refuses_every_node_while_it_is_used_anywhere():
    objects = [a_claim(**ALONE), a_volume(), a_pod("used", node="n2", volumes=using("data"))]
    cycle = a_cycle(a_pod(volumes=using("data")), a_node("n1"), a_node("n2"), *objects)
    assert verdicts(cycle, "VolumeRestrictions") == {"n1": IN_USE, "n2": IN_USE}


def test_a_claim_for_one_pod_that_nobody_uses_skips_the_filter():
    other = a_pod("other", node="n1", namespace="team", volumes=using("data"))
    objects = [a_claim(**ALONE), a_claim(namespace="team", **ALONE), a_volume(), other]
    cycle = a_cycle(a_pod(volumes=using("data")), a_node(), *objects)
    cycle.pre_filter()
    assert "VolumeRestrictions" in cycle.skipped_filters


def test_removing_the_user_of_a_claim_frees_it_and_so_does_a_namesake_in_another_namespace():
    users = [a_pod("used", node="n1", volumes=using("data"))]
    users += [a_pod("namesake", node="n1", namespace="team", volumes=using("data"))]
    objects = [a_claim(**ALONE), a_claim(namespace="team", volume="pv"), a_volume(), *users]
    cycle = a_cycle(a_pod(volumes=using("data")), a_node(), *objects)
    cycle.pre_filter()
    for user in users:
        removed = PodInfo(decode("Pod", user))
        assert first_failure_with(cycle, 0, added=[], removed=[removed]).is_success
    assert first_failure_with(cycle, 0, added=[]).message == IN_USE


@pytest.mark.parametrize("volumes", [None, [{"name": "config", "configMap": {"name": "c"}}], ephemeral()])
def test_other_volumes_skip_the_filter(volumes):
    cycle = a_cycle(a_pod(volumes=volumes), a_node())
    cycle.pre_filter()
    assert "VolumeRestrictions" in cycle.skipped_filters
