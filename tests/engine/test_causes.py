"""Every event of the queue has plain words: what plugins listen to, what objects do, and the queue's own causes."""

import pytest

from scheduler.engine.explain.causes import OWN, meaning, meaning_for, unasked
from scheduler.engine.hints import event
from scheduler.engine.hints.event import ASSIGNED_POD, NODE, POD, RESOURCES, Action, event_of
from scheduler.engine.hints.table import _TABLE, events_of
from scheduler.engine.simulation import moves

CHANGES = (Action.ADD, Action.DELETE, Action.UPDATE)


@pytest.mark.parametrize("plugin", sorted(_TABLE))
def test_whatever_a_plugin_listens_to_has_words(plugin):
    assert [name for name in events_of(plugin) if not meaning(name)] == []


def test_every_change_of_every_kind_has_words_under_the_label_of_the_log():
    resources = (POD, ASSIGNED_POD, NODE, *RESOURCES.values())
    labels = [event_of(resource, action).label for resource in resources for action in CHANGES]
    assert [label for label in labels if not meaning(label)] == []


def test_the_causes_of_the_queue_itself_have_words():
    own = {event.POD_ADD, event.POD_UPDATE, event.ATTEMPT_FAILURE, event.BACKOFF_COMPLETE}
    own |= {event.UNSCHEDULABLE_TIMEOUT.label, event.FORCE_ACTIVATE.label}
    assert set(OWN) == own | {moves.POP, moves.POP_FROM_BACKOFF, moves.BIND, moves.REMOVE}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("UnschedulablePodAdd", "a new pod"),
        ("NodeUpdateNodeTaint", "a node's taints changed"),
        ("AssignedPodDelete", "a placed pod was deleted"),
        ("storage.k8s.io/CSINodeAdd", "a node's list of CSI drivers was added"),
        ("Node/Add", "a node was added"),
        ("Pod/UpdatePodSchedulingGatesEliminated", "the last gate of a pod opened"),
        ("UnschedulablePodUpdatePodToleration", "the waiting pod's tolerations changed"),
        ("NoSuchEvent", ""),
    ],
)
def test_the_words_say_what_happened(name, words):
    assert meaning(name) == words


@pytest.mark.parametrize(
    ("event", "plugin", "words"),
    [
        (
            "NodeUpdateNodeTaint",
            "NodeResourcesFit",
            "; NodeResourcesFit refused it, and gets its pods back at any such",
        ),
        ("NodeUpdateNodeTaint", "NodeAffinity", "; NodeAffinity refused it"),
        ("NodeUpdateNodeTaint", "TaintToleration", ""),
        ("NodeUpdateNodeTaint", "PodTopologySpread", ""),
        ("NodeUpdateNodeTaint", "", ""),
        ("NodeAdd", "NodeResourcesFit", ""),
    ],
)
def test_a_plugin_that_never_asked_for_changed_taints_is_not_said_to_have_looked_at_them(event, plugin, words):
    """`buildQueueingHintMap` of v1.34.1 gives them to whoever hears of new nodes, with the hint that always queues."""
    assert unasked(event, plugin) is bool(words)
    assert meaning_for(event, plugin).startswith(meaning(event) + words)
