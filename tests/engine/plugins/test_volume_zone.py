"""VolumeZone by examples."""

import pytest

from scheduler.engine.plugins.volume_zone import VolumeZone
from tests.engine.builders import a_cycle, a_node, a_pod, only, verdicts
from tests.engine.storage_builders import a_claim, a_class, a_volume, using, without_mode

ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
ELSEWHERE = "node(s) had no available volume zone"


@pytest.mark.parametrize(
    ("of_volume", "of_node", "verdict"),
    [
        pytest.param({ZONE: "a"}, {ZONE: "a"}, "", id="same"),
        pytest.param({ZONE: "a"}, {ZONE: "b"}, ELSEWHERE, id="other"),
        pytest.param({ZONE: "a__b"}, {ZONE: "b"}, "", id="one of two"),
        pytest.param({ZONE: "a__ b "}, {ZONE: "b"}, "", id="trimmed"),
        pytest.param({ZONE: "a__"}, {ZONE: "b"}, "", id="a label with an empty zone is not read"),
        pytest.param({ZONE: "a"}, {}, "", id="the node tells nothing"),
        pytest.param({ZONE: "a"}, {REGION: "a"}, ELSEWHERE, id="the node tells its region only"),
        pytest.param({OLD_ZONE: "a"}, {ZONE: "a"}, "", id="the new label stands for the old one"),
        pytest.param({OLD_ZONE: "a"}, {OLD_ZONE: "b", ZONE: "a"}, ELSEWHERE, id="the old one goes first"),
        pytest.param({ZONE: "a"}, {OLD_ZONE: "a"}, ELSEWHERE, id="not the other way round"),
        pytest.param({ZONE: "a", REGION: "r"}, {ZONE: "a", REGION: "s"}, ELSEWHERE, id="all must hold"),
    ],
)
def test_zones_of_volume_and_node(of_volume, of_node, verdict):
    objects = [a_claim(volume="pv"), a_volume(labels=of_volume)]
    cycle = a_cycle(a_pod(volumes=using("data")), a_node(labels=of_node), a_node("other"), *objects)
    assert verdicts(cycle, "VolumeZone") == {"n1": verdict, "other": ""}


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        pytest.param([], 'persistentvolumeclaim "data" not found', id="no claim"),
        pytest.param([a_claim(volume="pv")], 'persistentvolume "pv" not found', id="no volume"),
        pytest.param([a_claim()], "PersistentVolumeClaim had no pv name and storageClass name", id="neither"),
        pytest.param(
            [a_claim(storageClassName="c")], 'storageclass.storage.k8s.io "c" not found', id="no storage class"
        ),
        pytest.param(
            [a_claim(storageClassName="late"), a_class(mode="Immediate")],
            "PersistentVolume had no name",
            id="not bound at once",
        ),
    ],
)
def test_what_ends_the_attempt(objects, message):
    cycle = a_cycle(a_pod(volumes=using("data")), a_node(), *objects, profile=only("VolumeZone"))
    cycle.pre_filter()
    assert cycle.pre_filter_status.message == message
    assert cycle.pre_filter_status.is_rejected


def test_a_claim_without_a_name_ends_the_attempt():
    cycle = a_cycle(a_pod(volumes=using("")), a_node(), profile=only("VolumeZone"))
    cycle.pre_filter()
    assert cycle.pre_filter_status.message == "PersistentVolumeClaim had no name"


def test_a_class_that_no_api_server_has_completed_ends_the_attempt():
    cycle = without_mode(a_cycle(a_pod(volumes=using("data")), a_claim(storageClassName="late"), a_class(), a_node()))
    plugin = VolumeZone()
    assert plugin.pre_filter(cycle).status.message == 'VolumeBindingMode not set for StorageClass "late"'


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param([a_claim(storageClassName="late"), a_class()], id="waits for its first consumer"),
        pytest.param([a_claim(volume="pv"), a_volume()], id="no labels"),
        pytest.param([a_claim(volume="pv"), a_volume(labels={ZONE: ""})], id="no readable label"),
    ],
)
def test_claims_without_a_zone_skip_the_filter(objects):
    cycle = a_cycle(a_pod(volumes=using("data")), a_node(), *objects)
    cycle.pre_filter()
    assert "VolumeZone" in cycle.skipped_filters
