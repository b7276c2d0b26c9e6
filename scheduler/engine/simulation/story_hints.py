"""Why a waiting pod was, or was not, retried after an event of the log: every refusing plugin's answer, asked anew.

Only moves are in the log. What left a pod where it was is recomputed here, from the state just before the event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from scheduler.engine import events
from scheduler.engine.events import Happening
from scheduler.engine.explain.because import Asked, because
from scheduler.engine.hints.changes import node_changes, pod_changes
from scheduler.engine.hints.decide import Hints
from scheduler.engine.hints.event import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE,
    RESOURCES,
    Action,
    ClusterEvent,
    event_of,
)
from scheduler.engine.hints.table import events_of
from scheduler.engine.objects import KubernetesObject, Node, Pod, decode, key_of, patched
from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.simulation.objects import is_ours
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

Change: TypeAlias = tuple[ClusterEvent, KubernetesObject | None, KubernetesObject | None]


class Answer(msgspec.Struct, frozen=True):
    """What one plugin that refused the pod says to an event. `helps` None: it never asked to hear of such events."""

    event: str
    plugin: str
    helps: bool | None

    @property
    def sentence(self) -> str:
        if self.helps is None:
            return f"{self.plugin} does not listen to {self.event}."
        verdict = "may help the pod" if self.helps else "does not help the pod"
        return f"{self.plugin} says that {self.event} {verdict}."


class Reasoned(NamedTuple):
    """An answer, and why it is so: a sentence about the objects, without its full stop.

    `is_asked`: whether the plugin looked at the event; else the yes is kube-scheduler's own.
    """

    answer: Answer
    because: str
    is_asked: bool = True


UNASKED = "it is not asked: what hears of new nodes is retried at any change of a node's taints, and a cordon is one"


def answers(before: Simulation, happening: Happening, pod: str) -> list[Answer]:
    """The answers for the pod `namespace/name`; [] unless it was unschedulable or gated.

    `before`: the state to which the event is to be applied next; it stays as it is.
    """
    return [one.answer for one in reasoned(before, happening, pod)]


def reasoned(before: Simulation, happening: Happening, pod: str) -> list[Reasoned]:
    """As `answers`, each with its reason."""
    queued = before.queue.waiting(pod)
    if queued is None or queued.place not in (UNSCHEDULABLE, GATED):
        return []
    told = [
        _reasoned(before.control.hints, plugin, queued.pod, change)
        for change in changes(before, happening, uid_of(queued.pod))
        for plugin in dict.fromkeys(queued.rejectors)
    ]
    return list(dict.fromkeys(told))


def _reasoned(hints: Hints, plugin: str, pod: Pod, change: Change) -> Reasoned:
    event, old, new = change
    helps = hints.ask(plugin, pod, event, old, new)
    answer = Answer(event.label, plugin, helps)
    if not hints.enabled:
        return Reasoned(answer, "queueing hints are off, so nobody is asked and any event of the cluster will do")
    if helps is None:
        heard = listed(events_of(plugin)) or "nothing"
        return Reasoned(answer, f"no such event can undo its refusal: it hears of {heard}")
    if hints.is_unasked(plugin, pod, event):
        return Reasoned(answer, UNASKED, is_asked=False)
    return Reasoned(answer, because(plugin, Asked(pod, old, new, hints.context_of(pod), helps)))


def changes(before: Simulation, happening: Happening, uid: str) -> list[Change]:
    """The cluster events that an event of the log means for a waiting pod with this uid, in order."""
    if isinstance(happening, events.ObjectAdded):
        return _added(decode(happening.object_kind, happening.manifest), happening.object_kind)
    if isinstance(happening, events.ObjectUpdated):
        old = before.cluster.get(*key_of(happening.object_kind, happening.manifest))
        new = decode(happening.object_kind, happening.manifest)
        return [] if old is None else _updated(old, new, happening.object_kind, uid)
    if isinstance(happening, events.ObjectPatched):
        kind = happening.object_kind
        old = before.cluster.get(kind, happening.namespace, happening.name)
        return [] if old is None else _updated(old, patched(kind, old, happening.patch), kind, uid)
    if isinstance(happening, events.ObjectDeleted):
        gone = before.cluster.get(happening.object_kind, happening.namespace, happening.name)
        return [] if gone is None else _deleted(before, gone, happening.object_kind)
    if isinstance(happening, events.CycleFinished) and happening.decision["outcome"] == "bound":
        pod = before.pods[happening.pod]
        spec = msgspec.structs.replace(pod.spec, node_name=happening.decision["node"])
        return [(ASSIGNED_POD_ADD, None, msgspec.structs.replace(pod, spec=spec))]
    return []


def _added(new: KubernetesObject, kind: str) -> list[Change]:
    if isinstance(new, Pod):
        return [(ASSIGNED_POD_ADD, None, new)] if _is_assigned(new) else []
    return [(event, None, new) for event in _events(kind, Action.ADD)]


def _deleted(before: Simulation, old: KubernetesObject, kind: str) -> list[Change]:
    if isinstance(old, Pod):
        had_room = bool(old.nominated_node_name) and not old.is_finished and is_ours(before, old)
        return [(ASSIGNED_POD_DELETE, old, None)] if _is_assigned(old) or had_room else []
    return [(event, old, None) for event in _events(kind, Action.DELETE)]


def _updated(old: KubernetesObject, new: KubernetesObject, kind: str, uid: str) -> list[Change]:
    if isinstance(old, Pod) and isinstance(new, Pod):
        if _is_assigned(old) and new.is_finished:
            return [(ASSIGNED_POD_DELETE, old, None)]
        if not _is_assigned(old) and _is_assigned(new):
            return [(ASSIGNED_POD_ADD, None, new)]
        concerned = _is_assigned(old) or uid_of(new) == uid
        return [(event, old, new) for event in pod_changes(old, new)] if concerned else []
    if isinstance(old, Node) and isinstance(new, Node):
        return [(event, old, new) for event in node_changes(old, new)]
    return [(event, old, new) for event in _events(kind, Action.UPDATE)]


def _is_assigned(pod: Pod) -> bool:
    return bool(pod.node_name) and not pod.is_finished


def _events(kind: str, action: int) -> list[ClusterEvent]:
    resource = NODE if kind == NODE else RESOURCES.get(kind)
    return [event_of(resource, action)] if resource else []
