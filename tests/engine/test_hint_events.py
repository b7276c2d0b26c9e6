"""Which event a change of an object is, and whom it interests."""

import pytest

from scheduler.engine.hints.changes import node_changes, pod_changes
from scheduler.engine.hints.decide import Hints
from scheduler.engine.hints.event import Action, event_of, matches
from scheduler.engine.profile import Profiles
from tests.engine.typed import labelled, node, pod

PLUGINS = list(dict.fromkeys(name for names in Profiles.default().first.plugins.values() for name in names))
HINTS = Hints({"default-scheduler": PLUGINS})


@pytest.mark.parametrize(
    ("resource", "action", "interest"),
    [
        ("Node", Action.ADD, True),
        ("Node", Action.UPDATE_NODE_CONDITION, False),
        ("Node", Action.UPDATE_NODE_ANNOTATION, False),
        ("AssignedPod", Action.UPDATE, False),
        ("UnschedulablePod", Action.UPDATE, False),
        ("PersistentVolumeClaim", Action.DELETE, False),
        ("storage.k8s.io/VolumeAttachment", Action.DELETE, True),
        ("storage.k8s.io/CSIDriver", Action.ADD, False),
    ],
)
def test_which_events_interest_the_default_plugins(resource, action, interest):
    assert HINTS.is_of_interest(event_of(resource, action)) is interest


def test_a_generic_update_is_more_than_any_registered_one():
    registered = event_of("Pod", Action.UPDATE_POD_LABEL | Action.ADD)
    assert matches(registered, event_of("AssignedPod", Action.UPDATE_POD_LABEL))
    assert not matches(registered, event_of("AssignedPod", Action.UPDATE))
    assert not matches(registered, event_of("Node", Action.ADD))


@pytest.mark.parametrize(
    ("old", "new", "labels"),
    [
        (node(), node(), []),
        (node(unschedulable=True), node(), ["NodeUpdateNodeTaint"]),
        (node(), node(unschedulable=True), []),
        (node(), node(cpu="8", labels={"zone": "a"}), ["NodeUpdateNodeAllocatable", "NodeUpdateNodeLabel"]),
        (node(cpu="4"), node(cpu="4000m"), []),
        (node(), node(taints=[{"key": "k", "effect": "NoSchedule"}]), ["NodeUpdateNodeTaint"]),
    ],
)
def test_what_a_nodes_update_stands_for(old, new, labels):
    assert [event.label for event in node_changes(old, new)] == labels


@pytest.mark.parametrize(
    ("old", "new", "labels"),
    [
        (pod(), pod(), ["UnschedulablePodUpdate"]),
        (pod(cpu="2"), pod(cpu="1"), ["UnschedulablePodUpdatePodScaleDown"]),
        (pod(cpu="1"), pod(cpu="2"), ["UnschedulablePodUpdate"]),
        (pod(schedulingGates=[{"name": "g"}]), pod(), ["UnschedulablePodUpdatePodSchedulingGatesEliminated"]),
        (pod(), pod(tolerations=[{"operator": "Exists"}]), ["UnschedulablePodUpdatePodToleration"]),
        (pod(nodeName="n"), labelled({"app": "db"}, "web", nodeName="n"), ["AssignedPodUpdatePodLabel"]),
    ],
)
def test_what_a_pods_update_stands_for(old, new, labels):
    assert [event.label for event in pod_changes(old, new)] == labels
