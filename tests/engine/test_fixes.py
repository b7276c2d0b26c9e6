"""What would make a pod fit: for each sort of hindrance a change is found, and an independent run agrees with it."""

from typing import Any

import pytest

from scheduler.engine.codec import codec
from scheduler.engine.commands import ActivatePods, AddObject, AdvanceToNextTimer, Schedule
from scheduler.engine.errors import Refused
from scheduler.engine.fixes.change import Clone, Patch, Put, Restart
from scheduler.engine.fixes.changes import changes
from scheduler.engine.fixes.combining import merged
from scheduler.engine.fixes.edits import commands
from scheduler.engine.fixes.search import Search, Tried, ranked
from scheduler.engine.fixes.told import told
from scheduler.engine.fixes.trial import look_up_in, try_out
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import Manifest, Scenario, a_node, a_pod, with_metadata
from tests.engine.workload_world import World, a_template, a_workload

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
WEB = {"labelSelector": {"matchLabels": {"app": "web"}}}
APART = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": HOST, **WEB}]}
OWNER = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u", "controller": True}]


def in_zone(name: str, zone: str, cpu: str = "4", **spec: Any) -> Manifest:
    return with_metadata(a_node(name, cpu, **spec), labels={ZONE: zone, HOST: name})


def web(name: str, **spec: Any) -> Manifest:
    return with_metadata(a_pod(name, **spec), labels={"app": "web"}, ownerReferences=OWNER)


def with_port(name: str, port: int, **spec: Any) -> Manifest:
    container = {"name": "main", "image": "app:1", "ports": [{"containerPort": 80, "hostPort": port}]}
    return a_pod(name, **spec) | {"spec": {"containers": [container], "priority": 0, **spec}}


def volume(zone: str) -> list[Manifest]:
    claim_ref = {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "data"}
    resources = {"requests": {"storage": "1Gi"}}
    modes = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk"}
    return [
        {
            "kind": "PersistentVolume",
            "metadata": {"name": "pv-1", "labels": {ZONE: zone}},
            "spec": {"capacity": {"storage": "1Gi"}, "claimRef": claim_ref, **modes},
        },
        {
            "kind": "PersistentVolumeClaim",
            "status": {"phase": "Bound"},
            "metadata": {
                "name": "data",
                "namespace": "default",
                "annotations": {"pv.kubernetes.io/bind-completed": "yes"},
            },
            "spec": {"volumeName": "pv-1", "resources": resources, **modes},
        },
    ]


SPREAD = {
    "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", **WEB}]
}
DATA = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}

CASES: dict[str, tuple[list[Manifest], str, list[str]]] = {
    "too little cpu": (
        [
            a_node("n1"),
            a_node("n2", "6"),
            a_pod("a", "3", nodeName="n1"),
            a_pod("b", "1", nodeName="n2"),
            a_pod("x", "5500m"),
        ],
        "request",
        ["request", "add-node", "move"],
    ),
    "untolerated taint": (
        [a_node("n1", taints=[{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]), a_pod("x")],
        "tolerate",
        ["tolerate", "untaint"],
    ),
    "missing label": ([a_node("n1"), a_pod("x", nodeSelector={"disk": "ssd"})], "label", ["label", "no-selector"]),
    "misspelled label": (
        [in_zone("n1", "north-1"), a_pod("x", nodeSelector={ZONE: "nort-1"})],
        "selector-slip",
        ["selector-slip"],
    ),
    "node affinity": (
        [
            in_zone("n1", "a"),
            a_pod(
                "x",
                affinity={
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [
                                {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["west", "east"]}]}
                            ]
                        }
                    }
                },
            ),
        ],
        "add-node",
        ["add-node", "affinity-value", "no-affinity"],
    ),
    "spread": (
        [in_zone("n1", "a"), in_zone("n2", "b", unschedulable=True), web("a", nodeName="n1"), web("x", **SPREAD)],
        "max-skew",
        ["max-skew", "schedule-anyway", "uncordon"],
    ),
    "spread over tainted nodes": (
        [
            in_zone("n1", "a"),
            in_zone("n2", "b", taints=[{"key": "k", "effect": "NoSchedule"}]),
            web("a", nodeName="n1"),
            web("x", **SPREAD),
        ],
        "taints-policy",
        ["taints-policy", "max-skew"],
    ),
    "anti-affinity": (
        [in_zone("n1", "a"), web("a", nodeName="n1"), web("x", affinity={"podAntiAffinity": APART})],
        "prefer-apart",
        ["prefer-apart", "add-node"],
    ),
    "anti-affinity of others": (
        [in_zone("n1", "a"), web("a", nodeName="n1", affinity={"podAntiAffinity": APART}), web("x")],
        "add-node",
        ["add-node", "prefer-apart-there"],
    ),
    "pod affinity": (
        [in_zone("n1", "a"), a_pod("x", affinity={"podAffinity": APART})],
        "prefer-near",
        ["prefer-near"],
    ),
    "host port": (
        [a_node("n1"), with_port("a", 80, nodeName="n1"), with_port("x", 80)],
        "host-port",
        ["host-port", "no-host-port", "add-node"],
    ),
    "volume zone": (
        [in_zone("n1", "a"), *volume("b"), a_pod("x", **DATA)],
        "add-node",
        ["add-node", "restore-volume"],
    ),
    "pod limit": (
        [
            a_node("n1") | {"status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "1"}}},
            web("a", nodeName="n1"),
            a_pod("x"),
        ],
        "pod-limit",
        ["pod-limit", "add-node"],
    ),
    "fragmentation": (
        [
            a_node("n1"),
            a_node("n2"),
            web("a", nodeName="n1"),
            web("b", nodeName="n2"),
            a_pod("c", nodeName="n2", cpu="2"),
            a_pod("x", cpu="4"),
        ],
        "request",
        ["request", "move", "add-node"],
    ),
    "cordoned": ([a_node("n1", unschedulable=True), a_pod("x")], "uncordon", ["uncordon"]),
    "priority": (
        [a_node("n1"), a_pod("a", "4", nodeName="n1", priority=10), a_pod("x", "4")],
        "add-node",
        ["priority", "delete"],
    ),
    "preemption policy": (
        [a_node("n1"), a_pod("a", "4", nodeName="n1"), a_pod("x", "4", priority=5, preemptionPolicy="Never")],
        "add-node",
        ["preempt"],
    ),
    "gate": ([a_node("n1"), a_pod("x", schedulingGates=[{"name": "g"}])], "gate", ["gate"]),
    "scheduler": ([a_node("n1"), a_pod("x", schedulerName="other")], "scheduler", ["scheduler"]),
    "too large": ([a_node("n1"), a_pod("x", "40")], "larger-node", ["larger-node", "request"]),
    "two hindrances": (
        [a_node("n1", taints=[{"key": "k", "effect": "NoSchedule"}]), a_pod("x", "5", tolerations=[])],
        "tolerate+request",
        ["tolerate+request"],
    ),
}


def waiting(manifests: list[Manifest], configuration: Manifest | None = None) -> Simulation:
    scenario = Scenario(configuration=configuration)
    scenario.add(*manifests)
    while scenario.simulation.queue.head() is not None:
        scenario.schedule()
    return scenario.simulation


def tried(simulation: Simulation) -> list[Tried]:
    return ranked(list(Search(simulation, "default/x").tried()))


def lands_on(simulation: Simulation, one: Tried) -> str:
    """Where the pod goes with the fix, by the plain engine on a state of its own."""
    copy = codec.decode_checkpoint(codec.encode_checkpoint(simulation))
    first, _ = commands(simulation, one.fix.edits, look_up_in(simulation))
    for command in first:
        copy.handle(command)
    copy.handle(ActivatePods(("default/x",)))
    for _ in range(60):
        if copy.pods["default/x"].node_name:
            return copy.pods["default/x"].node_name
        if not copy.handle(Schedule()):
            copy.handle(AdvanceToNextTimer())
    return ""


@pytest.mark.parametrize("name", CASES)
def test_at_least_one_verified_fix_is_found(name):
    manifests, best, kinds = CASES[name]
    simulation = waiting(manifests)
    stored = codec.encode_checkpoint(simulation)
    found = tried(simulation)
    helpful = [one for one in found if one.result.fits]
    assert helpful[0].fix.kind == best, [(one.fix.kind, one.fix.title) for one in found]
    assert set(kinds) <= {one.fix.kind for one in helpful}, [(one.fix.kind, one.result) for one in found]
    for one in helpful:
        assert lands_on(simulation, one) == one.result.node, one.fix.title
    assert codec.encode_checkpoint(simulation) == stored


def test_pods_that_move_find_another_node_and_keep_their_budgets():
    budget = {
        "kind": "PodDisruptionBudget", "metadata": {"name": "web", "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": WEB["labelSelector"]}, "status": {"disruptionsAllowed": 0},
    }  # fmt: skip
    simulation = waiting([*CASES["fragmentation"][0], budget])
    assert not [one for one in tried(simulation) if any(isinstance(edit, Restart) for edit in one.fix.edits)]
    moved = next(one for one in tried(waiting(CASES["fragmentation"][0])) if one.fix.kind == "move")
    assert [(one.pod, one.before, one.after) for one in moved.result.moved] == [("default/a", "n1", "n2")]


@pytest.mark.parametrize(
    ("others", "text"),
    [
        (0, "Lands on `n1`"),
        (1, "Lands on `n1`; `default/y0` fits then as well"),
        (5, "Lands on `n1`; `default/y4`, `default/y3`, `default/y2` and 2 more fit then as well"),
    ],
)
def test_other_waiting_pods_that_fit_then_are_named(others, text):
    shut = [a_node("n1", "8", unschedulable=True), a_pod("x"), *(a_pod(f"y{at}") for at in range(others))]
    uncordon = next(one for one in tried(waiting(shut)) if one.fix.kind == "uncordon")
    assert told(uncordon) == text


def test_pods_that_a_controller_makes_anew_are_followed_to_their_node():
    """Two nodes of 4 cpu with a pod of a ReplicaSet on each; `x` needs a whole node."""
    world = World(nodes=0)
    for name in ("n1", "n2"):
        world.add("Node", a_node(name))
    world.add("ReplicaSet", a_workload("ReplicaSet", replicas=2, template=a_template(cpu="1")))
    world.run(5)
    assert sorted(pod.node_name for pod in world.pods) == ["n1", "n2"]
    world.do(AddObject("Pod", a_pod("x", cpu="4")))
    world.run(2)
    moved = next(one for one in tried(world.simulation) if one.fix.kind == "move").result
    [way] = moved.moved
    assert {moved.node, way.after} == {"n1", "n2"}
    assert way.before == moved.node


def test_where_nothing_helps_nothing_is_said_to_help():
    """There is no node, so nothing that could be changed or added to."""
    simulation = waiting([a_pod("x")])
    assert tried(simulation) == []


def test_a_pod_that_fits_as_it_is_needs_no_change():
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("x"))
    search = Search(scenario.simulation, "default/x")
    assert search.candidates == []
    assert search.as_it_is().node == "n1"


@pytest.mark.parametrize("state", ["both wait", "the other is tried now"])
def test_where_another_pod_takes_the_new_node_a_larger_one_is_offered_that_has_room_for_both(state):
    """A node of the pod's own size would do for it, but another one of higher priority waits for it as well."""
    simulation = waiting([a_node("n1", "1"), a_pod("first", "4", priority=9), a_pod("x", "4")])
    if state == "the other is tried now":
        simulation.handle(ActivatePods(("default/first",)))
    search = Search(simulation, "default/x")
    (place,) = [at for at, one in enumerate(search.candidates) if one[0].kind == "larger-node"]
    (alone,) = search.candidates[place]
    refused = try_out(simulation, "default/x", alone.edits)
    assert (refused.outcome, refused.rivals) == ("no help", (("default/first", "n1-copy"),))
    found = search.try_candidate(place)
    assert found.result.fits
    assert found.fix.title == "Add one node like `n1`, but with **8** cpu"
    assert found.fix.note == "`default/first` goes first: the node needs room for both."
    assert lands_on(simulation, found) == "n1-copy"
    assert search.fix(found.fix.id) == found.fix


@pytest.mark.parametrize(
    "pod", [a_pod("x", nodeName="n1"), with_metadata(a_pod("x"), deletionTimestamp="2025-01-01T00:00:00Z")]
)
def test_only_pods_that_wait_are_asked_about(pod):
    scenario = Scenario()
    scenario.add(a_node("n1"), pod)
    with pytest.raises(Refused):
        Search(scenario.simulation, "default/x")


def test_an_edit_finds_what_those_before_it_have_made():
    """What is done and what is shown are the same, and a clone of a changed node has the change."""
    node, copy = ("Node", "", "n1"), ("Node", "", "n1-copy")
    label, taint = Put(("metadata", "labels"), {"a": "b"}), Put(("spec", "taints"), [{"key": "k"}])
    cordon = Put(("spec", "unschedulable"), True)
    edits = merged([Clone(node, copy[2], (label,)), Patch(copy, (taint,)), Patch(node, (cordon,))])
    assert edits == (Patch(node, (cordon,)), Clone(node, copy[2], (label, taint)))
    look_up = {node: a_node("n1")}.__getitem__
    orders, _ = commands(Scenario().simulation, edits, look_up)
    made = orders[-1].manifest
    assert (made["metadata"]["name"], made["metadata"]["labels"]) == ("n1-copy", {"a": "b"})
    assert (made["spec"]["taints"], made["spec"]["unschedulable"]) == ([{"key": "k"}], True)
    shown = list(changes(edits, look_up))
    assert [one.after for one in shown] == [order.manifest for order in orders]
    assert shown[1].before == shown[0].after


def test_what_is_changed_of_a_clone_becomes_a_part_of_it():
    node, label, taint = ("Node", "", "n1"), Put(("metadata", "labels"), {"a": "b"}), Put(("spec", "taints"))
    edits = [Clone(node, "n1-copy", (label,)), Patch(("Node", "", "n1-copy"), (taint,))]
    assert merged(edits) == (Clone(node, "n1-copy", (label, taint)),)
