"""Binding a pod binds its claims: volumes are promised once, and what is written can be folded."""

import msgspec
import pytest

from scheduler.engine.codec import codec
from scheduler.engine.commands import DeleteObject, Schedule
from scheduler.engine.cycle.decision import ClaimBinding, Decision
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import Scenario, a_node, a_pod, kinds, with_metadata
from tests.engine.storage_builders import a_claim, a_class, a_volume, using

LATE = {"storageClassName": "late"}
STATIC = a_class(provisioner="kubernetes.io/no-provisioner")
NO_VOLUME = "node(s) didn't find available persistent volumes to bind"
KEY = "topology.disk.test/zone"


def waiting(name, **more):
    return a_claim(name, **{**LATE, **more})


def free(name, **more):
    return a_volume(name, **{"phase": "Available", **LATE, **more})


def a_scenario(*objects, nodes=("n1",), labels=None):
    scenario = Scenario()
    scenario.add(*(with_metadata(a_node(name), labels=labels or {}) for name in nodes), *objects)
    return scenario


def claim(scenario, name="data"):
    return scenario.simulation.cluster.get("PersistentVolumeClaim", "default", name)


def volume(scenario, name):
    return scenario.simulation.cluster.get("PersistentVolume", "", name)


def user(name, *claims, **spec):
    return a_pod(name, volumes=using(*claims or ("data",)), **spec)


# --- existing volumes -------------------------------------------------------------------------------------------------


def test_a_bound_pod_binds_its_claim_to_the_volume_and_the_volume_to_the_claim():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), user("a"))
    assert scenario.schedule() == "n1"
    bound, reference = claim(scenario), volume(scenario, "pv").spec.claim_ref
    assert (bound.spec.volume_name, bound.status.phase) == ("pv", "Bound")
    assert bound.annotations["pv.kubernetes.io/bind-completed"] == "yes"
    assert (reference.namespace, reference.name, reference.uid) == ("default", "data", bound.uid)
    assert volume(scenario, "pv").status.phase == "Bound"
    assert volume(scenario, "pv").spec.capacity == {"storage": "10Gi"}, "what is not patched stays"


def test_the_volume_comes_before_the_claim_and_both_after_the_end_of_the_cycle():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), user("a"))
    scenario.schedule()
    written = [event for event in scenario.log if event.kind in ("CycleFinished", "ObjectPatched")]
    assert [getattr(one.happening, "object_kind", "") for one in written] == [
        "",
        "PersistentVolume",
        "PersistentVolumeClaim",
    ]


def test_a_volume_is_promised_once():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), waiting("more"), user("a"), user("b", "more"))
    assert scenario.schedule() == "n1"
    assert scenario.schedule() == ""
    assert scenario.simulation.last_message("default/b").startswith(f"0/1 nodes are available: 1 {NO_VOLUME}.")
    assert claim(scenario, "more").spec.volume_name in (None, "")


def test_a_second_pod_follows_the_bound_claim_to_its_node():
    zoned = [with_metadata(a_node(name), labels={"zone": zone}) for name, zone in (("n1", "a"), ("n2", "b"))]
    scenario = Scenario()
    scenario.add(*zoned, STATIC, free("pv", zone="b"), waiting("data"), user("a"), user("b"))
    assert [scenario.schedule(), scenario.schedule()] == ["n2", "n2"]


def test_each_claim_gets_the_smallest_volume_that_is_left():
    volumes = [free("big", size="9Gi"), free("small", size="2Gi"), free("middle", size="5Gi")]
    scenario = a_scenario(STATIC, *volumes, waiting("x", size="3Gi"), waiting("y", size="1Gi"), user("a", "x", "y"))
    scenario.schedule()
    assert [claim(scenario, name).spec.volume_name for name in ("x", "y")] == ["middle", "small"]


def test_a_volume_reserved_beforehand_is_taken_and_not_called_the_controllers_work():
    reserved = free("mine", claimRef={"namespace": "default", "name": "data"})
    scenario = a_scenario(STATIC, free("small", size="1Gi"), reserved, waiting("data"), user("a"))
    scenario.schedule()
    assert claim(scenario).spec.volume_name == "mine"
    assert volume(scenario, "mine").spec.claim_ref.uid == claim(scenario).uid
    assert "pv.kubernetes.io/bound-by-controller" not in volume(scenario, "mine").annotations


# --- provisioned volumes ----------------------------------------------------------------------------------------------


def a_csi_node(*keys):
    driver = {"name": "disk.test", "nodeID": "n1", "topologyKeys": list(keys)}
    return {"kind": "CSINode", "metadata": {"name": "n1"}, "spec": {"drivers": [driver]}}


def test_a_claim_without_a_volume_gets_one_made():
    scenario = a_scenario(a_class(), waiting("data", size="3Gi"), user("a"))
    assert scenario.schedule() == "n1"
    bound = claim(scenario)
    made = volume(scenario, f"pvc-{bound.uid}")
    assert bound.spec.volume_name == made.name
    assert bound.annotations["volume.kubernetes.io/selected-node"] == "n1"
    assert made.spec.capacity == {"storage": "3Gi"}
    assert made.spec.csi == {"driver": "disk.test", "volumeHandle": made.name}
    assert (made.spec.claim_ref.name, made.spec.storage_class_name, made.status.phase) == ("data", "late", "Bound")
    assert made.spec.access_modes == ["ReadWriteOnce"]
    assert made.spec.node_affinity is None


@pytest.mark.parametrize(
    "told",
    [
        [a_class(), a_csi_node(KEY)],
        [a_class(allowedTopologies=[{"matchLabelExpressions": [{"key": KEY, "values": ["x", "a"]}]}])],
    ],
    ids=["driver", "class"],
)
def test_a_made_volume_is_reached_where_the_topology_of_its_node_says(told):
    scenario = a_scenario(*told, waiting("data"), user("a"), labels={KEY: "a"})
    scenario.add(with_metadata(a_node("n2", cpu="64"), labels={KEY: "x"}))
    scenario.add(user("c", nodeSelector={KEY: "x"}))
    scenario.pop()
    scenario.finish("bound", node="n1", volumes=(ClaimBinding("default/data"),))
    (term,) = volume(scenario, f"pvc-{claim(scenario).uid}").spec.node_affinity.required.node_selector_terms
    assert [(one.key, one.operator, one.values) for one in term.match_expressions] == [(KEY, "In", ["a"])]
    assert scenario.schedule() == ""
    assert "didn't match PersistentVolume's node affinity" in scenario.simulation.last_message("default/c")


def test_an_in_tree_class_makes_volumes_of_the_driver_that_serves_it():
    scenario = a_scenario(a_class(provisioner="kubernetes.io/aws-ebs"), waiting("data"), user("a"))
    scenario.schedule()
    assert volume(scenario, f"pvc-{claim(scenario).uid}").spec.csi["driver"] == "ebs.csi.aws.com"


def test_a_volume_of_that_name_ends_the_attempt_with_an_error():
    scenario = a_scenario(a_class(), waiting("data"), user("a"))
    scenario.add(a_volume(f"pvc-{claim(scenario).uid}"))
    assert scenario.schedule() == ""
    assert scenario.simulation.last_message("default/a").endswith("exists already")
    assert scenario.place("a") == "error_backoff"


# --- what changes while the pod is in flight --------------------------------------------------------------------------


def promised(scenario):
    scenario.pop()
    return scenario.simulation.cycle_for_open().run()


def test_a_volume_taken_meanwhile_fails_in_reserve():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), user("a"))
    decision = promised(scenario)
    assert decision.volumes == (ClaimBinding("default/data", "pv"),)
    scenario.update(free("pv", claimRef={"namespace": "default", "name": "other"}))
    scenario.finish(**msgspec.structs.asdict(decision))
    message = 'running Reserve plugin "VolumeBinding": persistentvolume "pv" has changed since the pod was popped'
    assert scenario.simulation.last_message("default/a") == message
    assert (scenario.node_of("a"), scenario.place("a")) == ("", "error_backoff")
    assert claim(scenario).spec.volume_name in (None, "")


@pytest.mark.parametrize("made", [False, True], ids=["existing", "made"])
def test_a_claim_deleted_meanwhile_fails_in_reserve(made):
    scenario = a_scenario(a_class() if made else STATIC, free("pv", size="1Mi" if made else "10Gi"), waiting("data"))
    scenario.add(user("a"))
    decision = promised(scenario)
    assert decision.volumes == (ClaimBinding("default/data", "" if made else "pv"),)
    scenario.delete("PersistentVolumeClaim", "data")
    scenario.finish(**msgspec.structs.asdict(decision))
    assert 'persistentvolumeclaim "default/data" has changed' in scenario.simulation.last_message("default/a")


def test_a_class_deleted_meanwhile_fails_before_binding():
    scenario = a_scenario(a_class(), waiting("data"), user("a"))
    decision = promised(scenario)
    scenario.do(DeleteObject("StorageClass", "", "late"))
    scenario.finish(**msgspec.structs.asdict(decision))
    said = 'running PreBind plugin "VolumeBinding": binding volumes: storageclass.storage.k8s.io "late" not found'
    assert scenario.simulation.last_message("default/a") == said


def test_other_changes_meanwhile_do_no_harm():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), user("a"))
    decision = promised(scenario)
    scenario.add(free("other"), waiting("else"))
    scenario.finish(**msgspec.structs.asdict(decision))
    assert scenario.node_of("a") == "n1"


# --- who wakes, and the log -------------------------------------------------------------------------------------------


def test_a_made_volume_and_a_bound_claim_wake_pods_that_volumes_kept_waiting():
    scenario = a_scenario(a_class(), a_class("slow", mode="Immediate"), waiting("data"))
    scenario.add(a_claim("late-comer", storageClassName="slow"), user("kept", "late-comer", priority=5), user("a"))
    assert scenario.schedule() == ""
    assert scenario.place("kept") == "unschedulable"
    events = scenario.do(Schedule())
    moved = [one.happening for one in events if one.kind == "PodMoved"]
    assert [(one.pod, one.cause, one.hint) for one in moved] == [
        ("default/kept", "PersistentVolumeAdd", "VolumeBinding")
    ]


def test_a_pod_without_claims_writes_nothing_more():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), a_pod("plain"))
    events = scenario.do(Schedule())
    assert kinds(events) == ["CycleStarted", "CycleFinished"]
    assert "volumes" not in events[-1].happening.decision


def test_the_fold_of_the_log_is_the_life_also_from_a_checkpoint():
    scenario = a_scenario(STATIC, a_class("made"), free("pv"), waiting("data"))
    scenario.add(waiting("more", storageClassName="made"))
    middle = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    first = scenario.simulation.seq
    scenario.add(user("a", "data", "more"))
    scenario.pop()
    in_flight, at = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation)), scenario.simulation.seq
    scenario.schedule()
    folded = Simulation()
    for event in [codec.event_from_row(**_stored(event)) for event in scenario.log]:
        folded.apply(event)
    for event in scenario.log:
        if event.seq > first:
            middle.apply(event)
        if event.seq > at:
            in_flight.apply(event)
    for one in (folded, middle, in_flight):
        one.validate()
        assert _storage(one) == _storage(scenario.simulation)
    assert claim(scenario, "more").spec.volume_name == f"pvc-{claim(scenario, 'more').uid}"


def test_an_attempt_taken_from_a_checkpoint_still_binds():
    scenario = a_scenario(STATIC, free("pv"), waiting("data"), user("a"))
    scenario.pop()
    scenario.simulation = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    assert scenario.schedule() == "n1"
    assert claim(scenario).spec.volume_name == "pv"


def test_a_decision_survives_storage():
    decision = Decision("bound", node="n1", volumes=(ClaimBinding("default/a", "pv"), ClaimBinding("default/b")))
    assert Decision.from_data(decision.to_data()) == decision


def _stored(event):
    row = codec.event_to_row(event)
    return {name: row[name] for name in ("seq", "at_us", "version", "kind", "payload")}


def _storage(simulation):
    return {kind: dict(simulation.cluster.objects[kind]) for kind in ("PersistentVolume", "PersistentVolumeClaim")}
