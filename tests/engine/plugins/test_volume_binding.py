"""VolumeBinding by examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.engine.framework import Nodes
from scheduler.engine.plugins.volume_binding import VolumeBinding
from scheduler.engine.volumes.matching import matched, unmatched
from tests.engine.builders import a_cycle, a_node, a_pod, verdicts
from tests.engine.storage_builders import (
    a_claim,
    a_class,
    a_csi_node,
    a_volume,
    ephemeral,
    using,
    without_mode,
    zone_term,
)

UNREACHABLE = "node(s) didn't match PersistentVolume's node affinity"
NO_VOLUME = "node(s) didn't find available persistent volumes to bind"
NO_ROOM = "node(s) did not have enough free storage"
GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
IMMEDIATE = "pod has unbound immediate PersistentVolumeClaims"
ZONES = [a_node("n1", labels={"zone": "a"}), a_node("n2", labels={"zone": "b"})]
STATIC = a_class(provisioner="kubernetes.io/no-provisioner")
LATE = {"storageClassName": "late"}
SELECTED = "volume.kubernetes.io/selected-node"


def free(name, size="10Gi", **more):
    return a_volume(name, size=size, **{"phase": "Available", **LATE, **more})


def said(*objects, claims=("data",), nodes=ZONES):
    return verdicts(a_cycle(a_pod(volumes=using(*claims)), *nodes, *objects), "VolumeBinding")


# --- PreFilter --------------------------------------------------------------------------------------------------------


def refusal(*objects, volumes=None):
    cycle = a_cycle(a_pod(uid="u", volumes=volumes or using("data")), a_node(), *objects)
    cycle.pre_filter()
    assert cycle.pre_filter_status.plugin in ("", "VolumeBinding")
    return cycle.pre_filter_status.message


def owned_by(uid):
    return [{"kind": "Pod", "name": "p", "uid": uid, "controller": True}]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        pytest.param(a_claim(), IMMEDIATE, id="no class"),
        pytest.param(a_claim(storageClassName="unknown"), IMMEDIATE, id="unknown class"),
        pytest.param(a_claim(storageClassName="soon"), IMMEDIATE, id="immediate class"),
        pytest.param(a_claim(volume="pv", annotations={}, **LATE), IMMEDIATE, id="binding not completed"),
        pytest.param(
            a_claim(phase="Lost", volume="pv"),
            'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv"',
            id="lost",
        ),
        pytest.param(
            a_claim(deletionTimestamp="2025-01-01T00:00:00Z", volume="pv"),
            'persistentvolumeclaim "data" is being deleted',
            id="being deleted",
        ),
        pytest.param(a_claim(**LATE), "", id="waits for its first consumer"),
        pytest.param(
            a_claim(annotations={"volume.beta.kubernetes.io/storage-class": "late"}, storageClassName="soon"),
            "",
            id="the annotation names the class",
        ),
    ],
)
def test_what_a_claim_must_be_for_a_pod_to_be_scheduled(claim, message):
    assert refusal(claim, a_class(), a_class("soon", mode="Immediate"), a_volume()) == message


def test_an_ephemeral_volume_needs_its_own_claim():
    missing = 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-scratch"'
    assert refusal(a_class(), volumes=ephemeral()) == missing
    foreign = a_claim("p-scratch", ownerReferences=owned_by("other"), **LATE)
    not_owner = "PVC default/p-scratch was not created for pod default/p (pod is not owner)"
    assert refusal(a_class(), foreign, volumes=ephemeral()) == not_owner
    own = a_claim("p-scratch", ownerReferences=owned_by("u"), **LATE)
    assert refusal(a_class(), own, volumes=ephemeral()) == ""


def test_an_attempt_with_an_unbound_claim_says_so_and_does_not_preempt():
    decision = a_cycle(a_pod(volumes=using("data")), a_node(), a_claim()).run()
    assert decision.message == f"0/1 nodes are available: {IMMEDIATE}. not found"
    assert decision.unschedulable_plugins == ("VolumeBinding",)


def test_a_class_that_no_api_server_has_completed_is_an_error():
    cycle = without_mode(a_cycle(a_pod(volumes=using("data")), a_claim(**LATE), a_class(), a_node()))
    status = VolumeBinding().pre_filter(cycle).status
    assert status.code.label == "Error"
    assert status.message == 'VolumeBindingMode not set for StorageClass "late"'


def test_a_pod_without_claims_skips_filter_and_score():
    cycle = a_cycle(a_pod(volumes=[{"name": "c", "configMap": {"name": "c"}}]), *ZONES)
    cycle.run()
    assert "VolumeBinding" in cycle.skipped_filters
    assert "VolumeBinding" in cycle.skipped_scores


# --- bound claims -----------------------------------------------------------------------------------------------------


def test_a_bound_volume_must_reach_the_node():
    assert said(a_claim(volume="pv"), a_volume(zone="b")) == {"n1": UNREACHABLE, "n2": ""}


def test_a_volume_that_does_not_exist_refuses_every_node():
    cycle = a_cycle(a_pod(volumes=using("data")), *ZONES, a_claim(volume="pv"))
    claim = cycle.snapshot.kind("PersistentVolumeClaim")["default/data"]
    plugin = VolumeBinding()
    assert plugin.pre_filter(cycle).status.is_success, claim
    verdict = plugin.filter(cycle, cycle.snapshot.columns.all_nodes)
    assert {verdict.statuses[number].message for number in verdict.index} == {GONE}


def test_the_first_bad_claim_decides():
    objects = [a_claim("a", volume="far"), a_claim("b", volume="gone"), a_volume("far", zone="b")]
    plugin, found = VolumeBinding(), {}
    for claims in (("a", "b"), ("b", "a")):
        cycle = a_cycle(a_pod(volumes=using(*claims)), *ZONES, *objects)
        plugin.pre_filter(cycle)
        verdict = plugin.filter(cycle, cycle.snapshot.columns.all_nodes)
        found[claims] = [verdict.statuses[number].message for number in verdict.index]
    assert found == {("a", "b"): [UNREACHABLE, GONE], ("b", "a"): [GONE, GONE]}


def test_fields_of_a_volume_s_affinity_are_not_looked_at():
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]}
    volume = a_volume(nodeAffinity={"required": {"nodeSelectorTerms": [term]}})
    assert said(a_claim(volume="pv"), volume) == {"n1": "", "n2": ""}


def test_where_a_driver_took_over_its_own_label_tells_the_zone():
    zone, driver_zone = "topology.kubernetes.io/zone", "topology.ebs.csi.aws.com/zone"
    affinity = {"required": {"nodeSelectorTerms": [zone_term("a", key=zone)]}}
    disk = a_volume(nodeAffinity=affinity, awsElasticBlockStore={"volumeID": "vol-1"})
    nodes = [a_node("old", labels={zone: "a"}), a_node("new", labels={zone: "b", driver_zone: "a"})]
    migrated = a_csi_node("new", migrated="kubernetes.io/aws-ebs")
    assert said(a_claim(volume="pv"), disk, migrated, nodes=nodes) == {"old": "", "new": ""}
    assert said(a_claim(volume="pv"), disk, nodes=nodes) == {"old": "", "new": UNREACHABLE}


ZONE = "topology.kubernetes.io/zone"


@pytest.mark.parametrize(
    ("plugin", "source", "zones", "text"),
    [
        (
            "aws-ebs",
            {"awsElasticBlockStore": {"volumeID": "aws://z/disk-1"}},
            "a",
            "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://z/disk-1)",
        ),
        (
            "gce-pd",
            {"gcePersistentDisk": {"pdName": "d"}},
            "us-east1-b__us-west1-c",
            "failed to get region from zones: "
            "multiple or no regions gotten from zones, got: map[us-east1:{} us-west1:{}]",
        ),
        (
            "gce-pd",
            {"gcePersistentDisk": {"pdName": "d"}},
            "us-east1-b__",
            "failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: ",
        ),
        (
            "azure-disk",
            {"azureDisk": {"diskName": "d", "diskURI": "/d", "kind": "Dedicated"}},
            "a",
            "kind(Dedicated) is not supported in csi migration",
        ),
    ],
)
def test_a_bound_volume_that_a_driver_has_taken_over_but_cannot_serve_fails_the_attempt(plugin, source, zones, text):
    """Only where the driver has: elsewhere the volume is what it is. What an earlier claim says comes first."""
    disk = a_volume(labels={ZONE: zones}, **source)
    objects = [a_claim(volume="pv"), disk, a_claim("far", volume="far"), a_volume("far", zone="b")]
    migrated = a_csi_node("n1", migrated=f"kubernetes.io/{plugin}")
    cycle = a_cycle(a_pod(volumes=using("data")), *ZONES, *objects, migrated)
    cycle.run()
    assert cycle.error == f'running "VolumeBinding" filter plugin: could not translate pv: {text}'
    assert said(*objects) == {"n1": "", "n2": ""}
    assert said(*objects, migrated, claims=("far", "data")) == {"n1": UNREACHABLE, "n2": ""}


def test_both_sorts_of_claims_can_be_in_the_way():
    objects = [a_claim("a", volume="far"), a_volume("far", zone="b"), a_claim("b", **LATE), STATIC]
    assert said(*objects, claims=("a", "b")) == {"n1": f"{UNREACHABLE}, {NO_VOLUME}", "n2": NO_VOLUME}


# --- matching ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "volume", "is_match"),
    [
        pytest.param({}, {}, True, id="plain"),
        pytest.param({"size": "10Gi"}, {}, True, id="exactly as large"),
        pytest.param({"size": "11Gi"}, {}, False, id="too small"),
        pytest.param({}, {"phase": "Bound"}, False, id="not available"),
        pytest.param({}, {"volumeMode": "Block"}, False, id="other volume mode"),
        pytest.param({}, {"storageClassName": "other"}, False, id="other class"),
        pytest.param({}, {"volumeAttributesClassName": "gold"}, False, id="other attributes"),
        pytest.param({"volumeAttributesClassName": ""}, {}, True, id="no attributes twice"),
        pytest.param({"accessModes": ["ReadWriteMany"]}, {}, False, id="access mode not offered"),
        pytest.param({}, {"accessModes": ["ReadOnlyMany", "ReadWriteOnce"]}, True, id="more access modes"),
        pytest.param({"selector": {"matchLabels": {"d": "x"}}}, {"labels": {"d": "x"}}, True, id="selected"),
        pytest.param({"selector": {"matchLabels": {"d": "x"}}}, {"labels": {"d": "y"}}, False, id="not selected"),
        pytest.param({}, {"claimRef": {"namespace": "default", "name": "other"}}, False, id="another's"),
    ],
)
def test_which_volume_serves_a_claim(claim, volume, is_match):
    found = said(a_claim(**{**LATE, **claim}), STATIC, free("pv", **volume))
    assert found == dict.fromkeys(("n1", "n2"), "" if is_match else NO_VOLUME)


@pytest.mark.parametrize(
    ("reference", "is_match"),
    [
        pytest.param({}, True, id="without uid"),
        pytest.param({"uid": "uid-pvc-default-data"}, True, id="same uid"),
        pytest.param({"uid": "earlier"}, False, id="a claim of that name that is gone"),
    ],
)
def test_a_volume_reserved_for_the_claim_need_not_be_available_nor_selected(reference, is_match):
    claim_ref = {"namespace": "default", "name": "data", **reference}
    volume = free("pv", phase="Pending", claimRef=claim_ref, accessModes=["ReadOnlyMany"])
    found = said(a_claim(selector={"matchLabels": {"d": "x"}}, **LATE), STATIC, volume)
    assert found == dict.fromkeys(("n1", "n2"), "" if is_match else NO_VOLUME)


def test_nothing_replaces_a_reserved_volume_that_does_not_reach_the_node():
    reserved = free("mine", zone="b", claimRef={"namespace": "default", "name": "data"})
    assert said(a_claim(**LATE), STATIC, reserved, free("any")) == {"n1": NO_VOLUME, "n2": ""}


def test_each_volume_serves_one_claim_and_small_claims_choose_first():
    small, large = a_claim("small", size="1Gi", **LATE), a_claim("large", size="5Gi", **LATE)
    volumes = [free("five", "5Gi", zone="a"), free("one", "1Gi"), free("six", "6Gi", zone="b")]
    found = said(large, small, STATIC, *volumes, claims=("large", "small"))
    assert found == {"n1": "", "n2": ""}
    assert said(large, small, STATIC, volumes[0], claims=("large", "small")) == {"n1": NO_VOLUME, "n2": NO_VOLUME}
    assert said(large, small, STATIC, volumes[2], volumes[1], claims=("large", "small"))["n2"] == ""


# --- provisioning -----------------------------------------------------------------------------------------------------


def capacity(size, zone="a", **more):
    topology = {"matchLabels": {"zone": zone}} if zone else None
    return {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": f"c-{zone}", "namespace": "default"},
        "storageClassName": "late",
        "nodeTopology": topology,
        "capacity": size,
        **more,
    }


DRIVER = {"kind": "CSIDriver", "metadata": {"name": "disk.test"}, "spec": {"storageCapacity": True}}


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        pytest.param(None, ["", ""], id="anywhere"),
        pytest.param([("zone", ["a"])], ["", NO_VOLUME], id="one zone"),
        pytest.param([("zone", ["a"]), ("zone", ["b"])], ["", ""], id="either"),
        pytest.param([()], [NO_VOLUME, NO_VOLUME], id="an empty term holds nowhere"),
    ],
)
def test_where_a_class_makes_volumes(terms, expected):
    allowed = terms and [
        {"matchLabelExpressions": [{"key": term[0], "values": term[1]}] if term else []} for term in terms
    ]
    found = said(a_claim(**LATE), a_class(allowedTopologies=allowed))
    assert list(found.values()) == expected


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([DRIVER, capacity("1Gi")], ["", NO_ROOM], id="exactly enough, in one zone"),
        pytest.param([DRIVER, capacity("1023Mi")], [NO_ROOM, NO_ROOM], id="not enough"),
        pytest.param([DRIVER], [NO_ROOM, NO_ROOM], id="nothing reported"),
        pytest.param([capacity("1Mi")], ["", ""], id="an unknown driver is not asked"),
        pytest.param([DRIVER | {"spec": {"storageCapacity": False}}], ["", ""], id="nor one that does not track"),
        pytest.param([DRIVER, capacity("9Gi", maximumVolumeSize="1Mi")], [NO_ROOM, NO_ROOM], id="largest volume"),
        pytest.param([DRIVER, capacity("9Gi", zone="")], [NO_ROOM, NO_ROOM], id="without topology"),
    ],
)
def test_where_there_is_room_for_a_new_volume(objects, expected):
    assert list(said(a_claim(**LATE), a_class(), *objects).values()) == expected


def test_a_claim_with_a_selected_node_is_provisioned_there_or_nowhere():
    claim = a_claim(annotations={SELECTED: "n2"}, **LATE)
    assert said(claim, a_class()) == {"n1": NO_VOLUME, "n2": ""}
    assert said(claim, STATIC, free("pv")) == {"n1": NO_VOLUME, "n2": NO_VOLUME}


# --- Reserve ----------------------------------------------------------------------------------------------------------

SIZES = st.sampled_from(["1Gi", "3Gi", "5Gi"])
VOLUMES = st.lists(st.tuples(SIZES, st.sampled_from(["", "a", "b"]), st.sampled_from([None, "c0", "c1"])), max_size=5)


@given(st.lists(SIZES, min_size=1, max_size=3), VOLUMES)
def test_reserve_finds_on_one_node_what_filter_found_on_all(claims, volumes):
    objects = [a_claim(f"c{number}", size=size, **LATE) for number, size in enumerate(claims)]
    for number, (size, zone, owner) in enumerate(volumes):
        reserved = {"claimRef": {"namespace": "default", "name": owner}} if owner else {}
        objects.append(free(f"pv{number}", size=size, zone=zone, **reserved))
    cycle = a_cycle(a_pod(volumes=using(*(f"c{number}" for number in range(len(claims))))), *ZONES, *objects, STATIC)
    cycle.pre_filter()
    waiting, nodes = cycle.state["VolumeBinding"].waiting, cycle.snapshot.columns.all_nodes
    missing = {claim.name: rows for claim, rows in unmatched(cycle.snapshot, nodes, waiting)}
    for row in range(len(ZONES)):
        found = list(matched(cycle.snapshot, Nodes(nodes.columns, np.array([row])), waiting))
        assert {claim.name: volume is None for claim, volume in found} == {
            name: bool(rows[row]) for name, rows in missing.items()
        }
        taken = [volume.name for _, volume in found if volume is not None]
        assert len(taken) == len(set(taken))
