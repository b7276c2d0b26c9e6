"""Controllers at work in a simulation: pods come, are scheduled, become ready, and go, all by events."""

import msgspec
import pytest

from scheduler.engine.codec.codec import decode_checkpoint, encode_checkpoint
from scheduler.engine.commands import DeleteObject
from scheduler.engine.events import ObjectDeleted
from scheduler.engine.values.requests import pod_requests
from tests.engine.workload_world import World, a_template, a_united_deployment, a_workload

ROLLING = ["Deployment", "StatefulSet", "AdvancedStatefulSet", "CloneSet"]
KINDS = ["ReplicaSet", *ROLLING]


@pytest.mark.parametrize("kind", KINDS)
def test_a_workload_gets_its_pods_and_they_are_scheduled(kind):
    world = World()
    world.add(kind, a_workload(kind))
    world.run(10)
    assert [bool(pod.node_name) for pod in world.pods] == [True] * 3
    assert world.status(kind, "web")["readyReplicas"] == 3


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_scaled_up_and_down(kind):
    world = World()
    world.add(kind, a_workload(kind, 2))
    world.run(6)
    world.update(kind, a_workload(kind, 5))
    world.run(10)
    assert len(world.pods) == 5
    world.update(kind, a_workload(kind, 1))
    world.run(10)
    assert len(world.pods) == 1


@pytest.mark.parametrize("kind", ROLLING)
def test_a_new_template_replaces_every_pod(kind):
    world = World()
    world.add(kind, a_workload(kind))
    world.run(6)
    before = {pod.uid for pod in world.pods}
    world.update(kind, a_workload(kind, template=a_template("app:2")))
    world.run(20)
    assert [pod.spec.containers[0].image for pod in world.pods] == ["app:2"] * 3
    assert not before & {pod.uid for pod in world.pods}
    assert world.status(kind, "web")["updatedReplicas"] == 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_pod_that_is_deleted_comes_back(kind):
    world = World()
    world.add(kind, a_workload(kind))
    world.run(6)
    gone = world.names()[0]
    world.delete("Pod", gone)
    world.run(3)
    assert len(world.pods) == 3
    assert (gone in world.names()) is kind.endswith("StatefulSet")


@pytest.mark.parametrize("kind", [*KINDS, "Job", "DaemonSet"])
def test_what_a_workload_owns_goes_with_it(kind):
    world = World()
    world.add(kind, a_workload(kind))
    world.run(6)
    assert world.pods
    world.delete(kind, "web")
    assert world.pods == []
    assert not any(world.simulation.objects(one) for one in ("ReplicaSet", "ControllerRevision") if one != kind)
    world.run(5)
    assert world.pods == []


def test_pods_of_a_stateful_set_have_their_own_claims():
    world = World()
    claim = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "1Gi"}}}}
    world.add("StatefulSet", a_workload("StatefulSet", 1, volumeClaimTemplates=[claim]))
    world.run(1)
    assert [one.name for one in world.simulation.objects("PersistentVolumeClaim")] == ["data-web-0"]
    assert world.pods[0].spec.volumes[0].persistent_volume_claim.claim_name == "data-web-0"


def test_a_job_runs_to_its_end():
    world = World()
    template = a_template()
    template["metadata"]["annotations"] = {"podium.dev/duration": "5s"}
    world.add("Job", a_workload("Job", template=template, parallelism=2, completions=5))
    world.run(3)
    assert len(world.pods) == 2
    world.run(40)
    assert world.pods == []
    assert world.status("Job", "web")["succeeded"] == 5


def test_a_daemon_set_follows_the_nodes():
    world = World(nodes=2)
    world.add("DaemonSet", a_workload("DaemonSet"))
    world.run(5)
    assert sorted(pod.node_name for pod in world.pods) == ["n0", "n1"]
    world.add("Node", {"metadata": {"name": "late"}, "status": {"allocatable": {"cpu": "4", "pods": "10"}}})
    world.run(5)
    assert sorted(pod.node_name for pod in world.pods) == ["late", "n0", "n1"]


def test_a_daemon_set_passes_over_tainted_nodes():
    world = World(nodes=1)
    tainted = {"metadata": {"name": "tainted"}, "spec": {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}}
    world.add("Node", {**tainted, "status": {"allocatable": {"cpu": "4", "pods": "10"}}})
    world.add("DaemonSet", a_workload("DaemonSet"))
    world.run(5)
    assert [pod.node_name for pod in world.pods] == ["n0"]


def test_a_pod_that_cannot_be_is_told_and_tried_again():
    world = World()
    template = a_template()
    template["spec"]["priorityClassName"] = "missing"
    world.add("ReplicaSet", a_workload("ReplicaSet", 1, template=template))
    world.run(2)
    assert world.pods == []
    assert any("no PriorityClass with name missing" in line for line in world.said("web"))


def test_pods_get_what_the_cluster_adds_to_new_ones():
    world = World()
    world.add("RuntimeClass", {"metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "250m"}}})
    limits = [{"type": "Container", "default": {"memory": "1Gi"}}]
    world.add("LimitRange", {"metadata": {"name": "l", "namespace": "default"}, "spec": {"limits": limits}})
    template = a_template()
    template["spec"]["runtimeClassName"] = "kata"
    world.add("ReplicaSet", a_workload("ReplicaSet", 1, template=template))
    world.run(3)
    (pod,) = world.pods
    assert pod_requests(pod) == {"cpu": 350, "memory": 2**30}
    assert pod.metadata.creation_timestamp


def test_without_controllers_nothing_is_made():
    world = World(controllers=False)
    world.add("Deployment", a_workload("Deployment"))
    world.run(5)
    assert world.pods == []


@pytest.mark.parametrize("kind", [*KINDS, "UnitedDeployment"])
def test_the_log_alone_gives_the_same_state_and_the_same_future(kind):
    world = World()
    manifest = a_united_deployment() if kind == "UnitedDeployment" else a_workload(kind)
    world.add(kind, manifest)
    world.run(2.3)
    folded = world.folded()
    assert encode_checkpoint(folded) == world.checkpoint()
    restored = decode_checkpoint(world.checkpoint())
    world.run(3)
    for other in (folded, restored):
        again = World()
        again.simulation, again.log = other, []
        again.run(3)
        assert again.checkpoint() == world.checkpoint()


@pytest.mark.parametrize("kind", ["StatefulSet", "CloneSet", "UnitedDeployment"])
def test_what_goes_with_its_owner_goes_in_one_order_also_after_a_checkpoint(kind):
    world = World()
    for image in ("app:1", "app:2"):
        template = a_template(image)
        is_united = kind == "UnitedDeployment"
        manifest = a_united_deployment(image=image) if is_united else a_workload(kind, template=template)
        (world.update if image == "app:2" else world.add)(kind, manifest)
        world.run(6)
    restored = decode_checkpoint(world.checkpoint())
    delete = DeleteObject(kind, "default", "ud" if is_united else "web")
    assert restored.handle(delete) == world.simulation.handle(delete)


def test_the_same_seed_gives_the_same_names():
    def names():
        world = World()
        world.add("CloneSet", a_workload("CloneSet"))
        world.run(3)
        return world.names()

    assert names() == names()
    assert len(set(names())) == 3


def test_a_deletion_tells_who_wanted_it_and_why():
    world = World()
    world.add("ReplicaSet", a_workload("ReplicaSet", 2))
    world.run(3)
    world.update("ReplicaSet", a_workload("ReplicaSet", 1))
    world.run(1)
    gone = [event.happening for event in world.log if isinstance(event.happening, ObjectDeleted)]
    assert [(one.cause, one.by) for one in gone] == [("scaled down", "ReplicaSet/web")]


@pytest.mark.parametrize("kind", ["CloneSet", "StatefulSet", "DaemonSet"])
def test_what_controllers_keep_of_pods_is_held_against_the_pods(kind):
    """A change that nobody told them of is found by the invariants, which every other test here checks."""
    world = World()
    world.add(kind, a_workload(kind))
    world.run(5)
    pod = world.pods[0]
    world.simulation.cluster.update("Pod", msgspec.structs.replace(pod, status=None))
    with pytest.raises(AssertionError, match="changed without a mark"):
        world.simulation.validate()
