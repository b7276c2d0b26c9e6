"""UnitedDeployments at work: from the object to pods on nodes, on the virtual clock."""

import msgspec
import pytest

from scheduler.engine.commands import UpdateObject
from scheduler.engine.uniteddeployment.status import UPDATED
from tests.engine.workload_world import SUBSET, World, a_united_deployment
from tests.scheduler.cases import load

KINDS = ["cloneSet", "deployment", "statefulSet", "advancedStatefulSet"]


def in_zone(name, zone, **more):
    expression = {"key": "zone", "operator": "In", "values": [zone]}
    return {"name": name, "nodeSelectorTerm": {"matchExpressions": [expression]}, **more}


@pytest.mark.parametrize("kind", KINDS)
def test_replicas_are_spread_over_subsets_and_scheduled_there(kind):
    world = World()
    world.add("UnitedDeployment", a_united_deployment(5, (in_zone("a", "z0"), in_zone("b", "z1")), kind))
    world.run(15)
    assert world.counts() == {"a": 2, "b": 3}
    assert {(pod.labels[SUBSET], pod.node_name) for pod in world.pods} == {
        ("a", "n0"),
        ("b", "n1"),
    }
    status = world.status("UnitedDeployment", "ud")
    assert (status["replicas"], status["readyReplicas"], status["updatedReadyReplicas"]) == (5, 5, 5)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_scaled(kind):
    world = World()
    world.add("UnitedDeployment", a_united_deployment(2, kind=kind))
    world.run(8)
    world.update("UnitedDeployment", a_united_deployment(6, kind=kind))
    world.run(15)
    assert world.counts() == {"a": 3, "b": 3}


@pytest.mark.parametrize("kind", ["cloneSet", "statefulSet", "advancedStatefulSet"])
def test_partitions_roll_one_subset_after_the_other(kind):
    """First b is updated whole and a keeps its two old pods; then a follows."""
    world = World()
    world.add("UnitedDeployment", a_united_deployment(4, kind=kind))
    world.run(12)

    def roll(**partitions):
        strategy = {"type": "Manual", "manualUpdate": {"partitions": partitions}}
        world.update("UnitedDeployment", a_united_deployment(4, kind=kind, image="app:2", updateStrategy=strategy))
        world.run(20)
        images = {}
        for pod in world.pods:
            images.setdefault(pod.labels[SUBSET], []).append(pod.spec.containers[0].image)
        return {name: sorted(found) for name, found in images.items()}

    assert roll(a=2, b=0) == {"a": ["app:1", "app:1"], "b": ["app:2", "app:2"]}
    assert world.status("UnitedDeployment", "ud")["updatedReplicas"] == 2
    assert roll(a=1) == {"a": ["app:1", "app:2"], "b": ["app:2", "app:2"]}
    assert roll() == {"a": ["app:2", "app:2"], "b": ["app:2", "app:2"]}
    status = world.status("UnitedDeployment", "ud")
    assert status["currentRevision"] == status["updatedRevision"]
    assert [one["status"] for one in status["conditions"] if one["type"] == UPDATED] == ["True"]


def test_a_subset_that_is_taken_out_loses_its_pods():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(4))
    world.run(8)
    world.update("UnitedDeployment", a_united_deployment(4, ("a",)))
    world.run(8)
    assert world.counts() == {"a": 4}
    assert "Normal SuccessfulUpdateSubset: Delete 1 Subset (CloneSet)" in world.said("ud")


def test_another_kind_of_template_replaces_all_workloads():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(4, kind="deployment"))
    world.run(8)
    world.update("UnitedDeployment", a_united_deployment(4, kind="cloneSet"))
    world.run(10)
    assert not list(world.simulation.objects("Deployment"))
    assert world.counts() == {"a": 2, "b": 2}


def test_pods_move_on_when_their_subset_is_full():
    """A published question: 3 of 4 pods go to a subset with room for one; 30 s later two move to the other."""
    case = next(case for case in load("cases") if case.path.stem == "53-ud-adaptive-moves-pods")
    world = World(nodes=0)
    for manifest in case.objects:
        world.add(manifest["kind"], manifest)
    world.run(20)
    assert world.counts() == case.spec["expect"]["subsets"]["before"]
    world.run(15)
    assert world.counts() == case.spec["expect"]["subsets"]["after"]
    assert all(pod.node_name for pod in world.pods)
    entry = next(
        one for one in world.status("UnitedDeployment", "adapt")["subsetStatuses"] if one["name"] == "subset-a"
    )
    assert [(one["type"], one["status"], one["reason"]) for one in entry["conditions"]] == [
        ("Schedulable", "False", "reschedule")
    ]
    world.run(320)
    entry = next(
        one for one in world.status("UnitedDeployment", "adapt")["subsetStatuses"] if one["name"] == "subset-a"
    )
    assert entry["conditions"][0]["reason"] == "recover"


def test_reserved_pods_wait_while_others_stand_in():
    strategy = {"type": "Adaptive", "adaptive": {"reserveUnschedulablePods": True}}
    subsets = (in_zone("a", "z0", maxReplicas=3), in_zone("b", "z1"))
    world = World()
    world.add("UnitedDeployment", a_united_deployment(3, subsets, cpu="3", topology={"scheduleStrategy": strategy}))
    world.run(60)
    assert world.counts()["a"] == 3
    reserved = [pod for pod in world.pods if pod.labels.get("apps.kruise.io/united-deployment-reserved-pod") == "true"]
    assert len(reserved) == 2
    assert all(not pod.node_name for pod in reserved)
    assert world.counts()["b"] >= 1


def test_a_workload_without_the_label_of_its_subset_fails_the_pass_until_it_has_it():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(2))
    world.run(6)
    clone = next(iter(world.simulation.objects("CloneSet")))
    plain = msgspec.to_builtins(clone)
    world.do(UpdateObject("CloneSet", {**plain, "metadata": {**plain["metadata"], "labels": {"app": "web"}}}))
    world.update("UnitedDeployment", a_united_deployment(4))
    world.run(3)
    told = f"CloneSet {clone.name} has no label {SUBSET}"
    reasons = ("FailedFindSubsets", "Failed FindSubsets")
    assert [f"Warning {reason}: {told}" for reason in reasons] == world.said("ud")[-2:]
    assert sum(world.counts().values()) == 2
    world.do(UpdateObject("CloneSet", plain))
    world.run(30)
    assert world.counts() == {"a": 2, "b": 2}


def test_a_failing_create_stops_the_batches_and_is_tried_again():
    names = tuple(f"s{number}" for number in range(7))
    failing = {"podium.dev/fail-create": "s2"}
    world = World()
    world.add("UnitedDeployment", a_united_deployment(7, names, annotations=failing))
    world.run(0.15)
    made = sorted(one.labels[SUBSET] for one in world.simulation.objects("CloneSet"))
    assert made == ["s0", "s1"]
    assert any("fail to create Subset (CloneSet) s2: injected create error" in line for line in world.said("ud"))
    world.update("UnitedDeployment", a_united_deployment(7, names))
    world.run(10)
    assert sum(world.counts().values()) == 7


def test_contradicting_numbers_change_nothing():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(2, ({"name": "a", "replicas": 5}, "b")))
    world.run(5)
    assert world.pods == []
    assert any("Failed SpecifySubsetReplicas" in line for line in world.said("ud"))
    assert world.status("UnitedDeployment", "ud") == {}


SETTLED = [case for case in load("cases") if "ud" in case.path.stem.split("-") and "error" not in case.spec["expect"]]


@pytest.mark.parametrize("case", SETTLED, ids=lambda case: case.path.stem)
def test_public_questions_end_with_the_settled_numbers_of_scheduled_pods(case):
    world = World(nodes=0)
    for manifest in case.objects:
        world.add(manifest["kind"], manifest)
    world.run(90)
    expected = case.spec["expect"]["subsets"]
    assert world.counts() == {name: count for name, count in expected.get("after", expected).items() if count}
    assert all(pod.node_name for pod in world.pods)
