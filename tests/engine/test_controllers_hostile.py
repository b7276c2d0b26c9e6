"""Controllers and what people may write: a workload that makes no sense fails alone, and time goes on."""

import copy

import msgspec
import pytest

from scheduler.engine.commands import AddObject, AdvanceClock, DeleteObject
from scheduler.engine.controllers import daemons, making
from scheduler.engine.simulation import time as simulation_time
from scheduler.engine.simulation.objects import read
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.validation import validate
from scheduler.engine.workloads.amounts import BURST
from tests.engine.workload_world import World, a_united_deployment, a_workload

KINDS = ["Deployment", "ReplicaSet", "StatefulSet", "AdvancedStatefulSet", "CloneSet", "DaemonSet", "Job"]
LIST_TERM = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": ["a"]}}}


def added_unchecked(kind, manifest, seconds=5):
    """As an import of yesterday, or another version, may have left it in the log."""
    world = World()
    world.do(AddObject(kind, manifest))
    world.run(seconds)
    assert len(world.log) < 1000
    assert world.folded().seq == world.simulation.seq
    return world


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "template",
    [
        {"metadata": 7},
        {"spec": "x"},
        {"spec": {"containers": 7}},
        {"metadata": {"labels": ["a"]}},
        {"spec": {"affinity": LIST_TERM}},
    ],
    ids=str,
)
def test_a_template_of_another_shape_fails_its_workload_alone(kind, template):
    world = World()
    world.do(AddObject(kind, a_workload(kind, template=template)))
    world.add("ReplicaSet", a_workload("ReplicaSet", 1, name="sound"))
    world.run(5)
    assert [pod.name.rpartition("-")[0] for pod in world.pods] == ["sound"]
    assert any("Failed" in said for said in world.said("web"))
    assert len(world.log) < 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["strategy", "updateStrategy", "ordinals"])
@pytest.mark.parametrize(
    "value", [{"rollingUpdate": "x"}, {"rollingUpdate": {"maxSurge": []}}, {"start": "x"}], ids=str
)
def test_a_strategy_of_another_shape_stops_nothing(kind, field, value):
    added_unchecked(kind, a_workload(kind, **{field: value}))


@pytest.mark.parametrize("status", [{"succeeded": "x"}, {"currentRevision": ["x"]}, {"succeeded": 2**70}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_a_status_that_somebody_made_up_stops_nothing(kind, status):
    template = {"metadata": {"annotations": {"podium.dev/duration": "1s"}, "labels": {"app": "web"}}}
    template["spec"] = {"containers": [{"name": "main", "image": "app"}]}
    added_unchecked(kind, {**a_workload(kind, template=template), "status": status})


def test_an_annotation_that_should_be_a_number_counts_as_none():
    world = World()
    one = a_workload("ReplicaSet", 0, name="web-old")
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "controller": True}
    annotations = {"deployment.kubernetes.io/revision": "x", "deployment.kubernetes.io/desired-replicas": "²"}
    one["metadata"] |= {"annotations": annotations, "ownerReferences": [reference]}
    world.add("Deployment", a_workload("Deployment"))
    world.add("ReplicaSet", one)
    world.run(5)
    assert len(world.pods) == 3


@pytest.mark.parametrize("kind", ["cloneSet", "deployment", "statefulSet", "advancedStatefulSet"])
@pytest.mark.parametrize(
    "change",
    [
        {"replicas": -1},
        {"selector": {"matchExpressions": []}},
        {"selector": None},
        {"template": None},
        {"template": {"cloneSetTemplate": 7, "statefulSetTemplate": "x"}},
        {"topology": {"subsets": [{"name": "a", "patch": {"$patch": 7}}]}},
        {"topology": {"subsets": [{"name": "a", "patch": {"spec": {"containers": [7]}}}]}},
        {"topology": {"subsets": [{"name": "a", "patch": {"spec": {"containers": [{"$patch": "delete"}]}}}]}},
        {"topology": {"subsets": [{"name": "a", "replicas": "200%"}, {"name": "b"}]}},
        {"topology": {"subsets": [{"name": "a", "nodeSelectorTerm": {"matchExpressions": "x"}}]}},
        {"topology": {"subsets": [{"name": "a"}, {"name": "a"}]}},
        {"updateStrategy": {"type": "Manual", "manualUpdate": {"partitions": {"nobody": 2**40}}}},
    ],
    ids=str,
)
def test_a_united_deployment_that_the_webhook_would_refuse_stops_nothing(kind, change):
    manifest = a_united_deployment(4, kind=kind)
    manifest["spec"] |= change
    added_unchecked("UnitedDeployment", {key: value for key, value in manifest.items() if value is not None})


@pytest.mark.parametrize("kind", ["ReplicaSet", "Deployment", "CloneSet", "StatefulSet", "Job"])
def test_one_look_makes_so_many_pods_and_no_more(kind):
    world = World(0)
    given = {"podManagementPolicy": "Parallel"} if kind == "StatefulSet" else {}
    given |= {"parallelism": 2**31 - 1, "completions": 2**31 - 1} if kind == "Job" else {}
    world.add(kind, a_workload(kind, 2**31 - 1, **given))
    for _ in range(30):
        before = len(world.pods)
        world.simulation.handle(AdvanceClock(world.simulation.next_timer_us))
        assert len(world.pods) - before <= BURST
        if len(world.pods) > BURST:
            return
    raise AssertionError("the next look did not go on")


def test_controllers_leave_a_full_cluster_as_it_is(monkeypatch):
    monkeypatch.setattr(making, "MOST_PODS", 4)
    world = World()
    world.add("ReplicaSet", a_workload("ReplicaSet", 9))
    world.run(3)
    assert len(world.pods) == 4
    assert world.status("ReplicaSet", "web")["replicas"] == 4
    assert any("no more are made" in said for said in world.said("web"))


def test_what_is_said_has_an_end():
    world = World()
    container = {"name": "x" * 5000, "image": "a"}
    world.do(AddObject("ReplicaSet", a_workload("ReplicaSet", template={"spec": {"containers": [container]}})))
    world.run(1)
    assert max(map(len, world.said("web"))) < 1100


def test_owners_may_follow_one_another_for_long_and_in_a_ring():
    world = World()
    length = 3000
    for number in range(length):
        one = a_workload("ReplicaSet", 0, name=f"set-{number}")
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"set-{(number - 1) % length}"}
        one["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
        world.simulation.handle(AddObject("ReplicaSet", one))
    world.simulation.handle(DeleteObject("ReplicaSet", "default", "set-0"))
    assert not list(world.simulation.objects("ReplicaSet"))


def test_a_command_on_the_clock_ends_where_controllers_do_not(monkeypatch):
    """A pass that always fails is tried again for ever; the years until the clock ends are not lived at once."""
    monkeypatch.setattr(simulation_time, "MOST_MOMENTS", 50)
    world = World()
    world.add(
        "ReplicaSet",
        a_workload("ReplicaSet", template={"spec": {"priorityClassName": "nobody", "containers": [{"name": "a"}]}}),
    )
    start = world.simulation.now_us
    world.do(AdvanceClock(start + 10**15))
    assert start < world.simulation.now_us < start + 10**15
    assert len(world.log) < 400


def test_a_command_on_the_clock_ends_where_too_much_happens(monkeypatch):
    monkeypatch.setattr(simulation_time, "MOST_EVENTS", 100)
    world = World(0)
    world.add("ReplicaSet", a_workload("ReplicaSet", 2**31 - 1))
    start = world.simulation.now_us
    events = world.simulation.handle(AdvanceClock(start + 3600 * SECOND_US))
    assert len(world.pods) == BURST
    assert len(events) < 3 * BURST
    world.simulation.handle(AdvanceClock(start + 3600 * SECOND_US))
    assert len(world.pods) == 2 * BURST


def test_nothing_is_planned_beyond_the_end_of_the_clock():
    world = World()
    world.do(AddObject("ReplicaSet", a_workload("ReplicaSet", minReadySeconds=2**62)))
    world.run(5)
    assert world.simulation.next_timer_us is None
    world.checkpoint()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("template",), {"spec": []}, "spec.template.spec"),
        (("template",), {"metadata": 7}, "spec.template.metadata"),
        (("replicas",), 2**40, "spec.replicas"),
        (("replicas",), -1, "spec.replicas"),
        (("minReadySeconds",), -1, "spec.minReadySeconds"),
        (("strategy",), {"rollingUpdate": 7}, "spec.strategy.rollingUpdate"),
        (
            ("updateStrategy",),
            {"rollingUpdate": {"maxUnavailable": []}},
            "spec.updateStrategy.rollingUpdate.maxUnavailable",
        ),
        (("updateStrategy",), {"rollingUpdate": {"partition": -1}}, "spec.updateStrategy.rollingUpdate.partition"),
        (("ordinals",), {"start": -1}, "spec.ordinals.start"),
        (("volumeClaimTemplates",), [{"spec": "x"}], "spec.volumeClaimTemplates[0].spec"),
    ],
    ids=str,
)
def test_the_api_refuses_workloads_of_another_shape(kind, path, value, where):
    manifest = copy.deepcopy(a_workload(kind))
    manifest["spec"][path[0]] = value
    assert [fault.path for fault in validate(kind, manifest)] == [where]


def test_a_daemon_set_looks_for_its_nodes_once_until_one_of_them_changes(monkeypatch):
    reads = []
    monkeypatch.setattr(daemons, "read", lambda kind, manifest: reads.append(kind) or read(kind, manifest))
    world = World(0)
    for number in range(1000):
        world.simulation.handle(AddObject("Node", {"metadata": {"name": f"node-{number}"}}))
    world.add("DaemonSet", a_workload("DaemonSet"))
    events = world.simulation.handle(AdvanceClock(world.simulation.now_us + SECOND_US))
    assert len(world.pods) == 1000
    assert sum(event.kind == "Reconciled" for event in events) > len(reads) == 1
    world.add("Node", {"metadata": {"name": "one-more"}})
    world.run(1)
    assert (len(world.pods), len(reads)) == (1001, 2)


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet", "CloneSet"])
def test_what_a_controller_makes_is_checked_like_what_people_write(kind):
    world = World()
    bad = {"metadata": {"labels": {"not a key": "not a value!"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    world.do(AddObject(kind, a_workload(kind, 1, template=bad)))
    world.run(3)
    assert not world.pods
    for made in ("ReplicaSet", "ControllerRevision"):
        for one in world.simulation.objects(made):
            assert not validate(made, msgspec.to_builtins(one))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"template": {"cloneSetTemplate": "x"}}, "spec.template[...]"),
        ({"template": {"cloneSetTemplate": {"metadata": {"labels": 7}}}}, "spec.template[...].metadata.labels"),
        (
            {"template": {"cloneSetTemplate": {"spec": {"template": {"spec": []}}}}},
            "spec.template.cloneSetTemplate.spec.template.spec",
        ),
        ({"selector": {"matchLabels": ["a"]}}, "spec.selector.matchLabels"),
        ({"topology": {"subsets": [{"name": "a", "tolerations": [7]}]}}, "spec.topology.subsets[0].tolerations[0]"),
        (
            {"topology": {"subsets": [{"name": "a", "nodeSelectorTerm": {"matchExpressions": "x"}}]}},
            "spec.topology.subsets[0].nodeSelectorTerm.matchExpressions",
        ),
        ({"replicas": "x"}, "spec.replicas"),
    ],
    ids=str,
)
def test_the_api_refuses_united_deployments_of_another_shape(change, where):
    manifest = a_united_deployment(4)
    manifest["spec"] |= change
    assert [fault.path for fault in validate("UnitedDeployment", manifest)] == [where]
