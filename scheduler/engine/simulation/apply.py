"""What each event does to the state. Folding a log and living through it are this one code; nothing here decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler.engine import events
from scheduler.engine.controllers import marks
from scheduler.engine.hints.event import POD_ADD, POD_UPDATE, ClusterEvent
from scheduler.engine.objects import KubernetesObject, Pod, PodStatus, decode, key_of, patched
from scheduler.engine.queue.entry import ACTIVE, IN_FLIGHT
from scheduler.engine.queue.in_flight import Change
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.simulation import clock
from scheduler.engine.simulation.parts import OpenCycle

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

DURATION_ANNOTATION = "podium.dev/duration"
_replace = msgspec.structs.replace


def apply(state: Simulation, happening: events.Happening) -> None:
    _APPLY[type(happening)](state, happening)


# --- the cluster ------------------------------------------------------------------------------------------------------


def _cluster_created(state: Simulation, happening: events.ClusterCreated) -> None:
    state.name, state.seed, state.start_us = happening.name, happening.seed, happening.start_us
    state.configure(happening.configuration, happening.settings)


def _profile_changed(state: Simulation, happening: events.ProfileChanged) -> None:
    state.configure(happening.configuration, happening.settings)


def _object_added(state: Simulation, happening: events.ObjectAdded) -> None:
    kind = happening.object_kind
    new = state.cluster.add(kind, decode(kind, happening.manifest))
    state.changes.objects.add(key_of(kind, happening.manifest))
    if isinstance(new, Pod):
        _arrive(state, new)
    marks.added(state, kind, new)


def _object_updated(state: Simulation, happening: events.ObjectUpdated) -> None:
    kind = happening.object_kind
    key = key_of(kind, happening.manifest)
    old = state.cluster.get(*key)
    new = state.cluster.update(kind, decode(kind, happening.manifest))
    state.changes.objects.add(key)
    if isinstance(new, Pod) and isinstance(old, Pod):
        _leave_node(state, old)
        _arrive(state, new)
        _pod_replaced(state, old, new)
    marks.updated(state, kind, old, new)


def _object_patched(state: Simulation, happening: events.ObjectPatched) -> None:
    kind, namespace, name = happening.object_kind, happening.namespace, happening.name
    old = state.cluster.get(kind, namespace, name)
    if old is None:
        raise ValueError(f"{kind} {namespace}/{name} was patched without being there")
    new = state.cluster.update(kind, patched(kind, old, happening.patch))
    state.changes.objects.add((kind, namespace, name))
    if isinstance(new, Pod) and isinstance(old, Pod):
        _pod_replaced(state, old, new)
    marks.patched(state, kind, new, is_status=set(happening.patch) == {"status"})


def _object_deleted(state: Simulation, happening: events.ObjectDeleted) -> None:
    kind, namespace, name = happening.object_kind, happening.namespace, happening.name
    old = state.cluster.get(kind, namespace, name)
    state.cluster.delete(kind, namespace, name)
    state.changes.objects.add((kind, namespace, name))
    if isinstance(old, Pod):
        state.queue.nominator.remove(old)
        state.messages.pop(old.key, None)
        _leave_node(state, old)
    if old is not None:
        marks.deleted(state, kind, old)


def _arrive(state: Simulation, pod: Pod) -> None:
    """A pod is on a node now: its usage counts, and its lifetime, if it has one, begins."""
    if not pod.node_name or pod.is_finished:
        return
    state.changes.nodes.add(pod.node_name)
    lifetime = pod.annotations.get(DURATION_ANNOTATION)
    if lifetime and (duration := clock.duration_us(lifetime)) is not None:
        state.departures.add(pod.key, state.now_us + duration)


def _leave_node(state: Simulation, pod: Pod) -> None:
    if pod.node_name:
        state.changes.nodes.add(pod.node_name)
        state.departures.remove(pod.key)


def _pod_replaced(state: Simulation, old: Pod, new: Pod) -> None:
    queue = state.queue
    if new.node_name or new.is_finished:
        queue.nominator.remove(old)
    elif queue.get(new.key) is not None:  # what another scheduler nominates is not known here
        queue.nominator.update(old, new)
    if queue.replace_pod(old, new) is not None:
        state.changes.pods.add(new.key)


# --- the queues -------------------------------------------------------------------------------------------------------


def _pod_moved(state: Simulation, happening: events.PodMoved) -> None:
    pod = state.pods[happening.pod]
    state.queue.put(pod, happening.entry, happening.target)
    state.changes.pods.add(happening.pod)
    marks.tried(state, happening.pod)
    if happening.target == ACTIVE and happening.cause in (POD_ADD, POD_UPDATE):
        state.queue.nominator.add(pod)


def _pod_unqueued(state: Simulation, happening: events.PodUnqueued) -> None:
    if happening.source != IN_FLIGHT:
        state.queue.remove(happening.pod)
    state.changes.pods.add(happening.pod)
    marks.tried(state, happening.pod)


def _cluster_event_recorded(state: Simulation, happening: events.ClusterEventRecorded) -> None:
    event = ClusterEvent(happening.resource, happening.action, happening.label)
    old, new = _object(happening.old_kind, happening.old), _object(happening.new_kind, happening.new)
    state.queue.record(Change(event, old, new) if happening.in_flight else None, is_move=happening.is_move)


def _object(kind: str, manifest: dict[str, Any] | None) -> KubernetesObject | None:
    return None if manifest is None else decode(kind, manifest)


def _pod_nominated(state: Simulation, happening: events.PodNominated) -> None:
    old = state.pods[happening.pod]
    status = _replace(old.status or PodStatus(), nominated_node_name=happening.node or None)
    new = state.cluster.update_pod(_replace(old, status=status))
    state.changes.objects.add(("Pod", old.namespace or "default", old.name))
    state.queue.nominator.remove(old)
    state.queue.nominator.add(new, happening.node)
    if state.queue.replace_pod(old, new) is not None:
        state.changes.pods.add(new.key)


# --- cycles -----------------------------------------------------------------------------------------------------------


def _cycle_started(state: Simulation, happening: events.CycleStarted) -> None:
    queued = state.queue.start(happening.pod, happening.attempt)
    pod = queued.pod
    state.last_cycle = happening.number
    state.changes.pods.add(happening.pod)
    state.open_cycle = OpenCycle(
        number=happening.number,
        pod=pod,
        attempt=happening.attempt,
        source=happening.source,
        popped_seq=state.seq,
        popped_us=state.now_us,
        profile=state.profiles.get(pod.spec.scheduler_name) or state.profiles.first,
        configuration=state.configuration,
        snapshot=state.cluster.snapshot(),
        nominated=state.nominated_pods(),
        start_index=state.start_index,
    )


def _phase_reached(state: Simulation, happening: events.PhaseReached) -> None:
    if state.open_cycle is not None:
        state.open_cycle.phase = happening.phase


def _cycle_finished(state: Simulation, happening: events.CycleFinished) -> None:
    opened, decision = state.open_cycle, happening.decision
    state.open_cycle = None
    if opened is None:
        raise ValueError(f"cycle {happening.number} ended without having begun")
    state.start_index = decision.get("next_start_index", 0)
    state.queue.done(uid_of(opened.pod))
    state.changes.pods.add(happening.pod)
    if happening.pod in state.pods:
        state.messages[happening.pod] = decision.get("message", "")
        marks.tried(state, happening.pod)
    del opened
    if decision["outcome"] == "bound":
        _bind(state, state.pods[happening.pod], decision["node"])
    if happening.woke:
        state.queue.record(None)


def _bind(state: Simulation, pod: Pod, node: str) -> None:
    """The pod runs on the node, started now."""
    status = _replace(pod.status or PodStatus(), phase="Running", start_time=clock.to_rfc3339(state.now_us))
    state.queue.nominator.remove(pod)
    bound = state.cluster.update_pod(_replace(pod, spec=_replace(pod.spec, node_name=node), status=status))
    state.changes.objects.add(("Pod", pod.namespace or "default", pod.name))
    state.messages.pop(pod.key, None)
    _arrive(state, bound)
    marks.bound(state, bound)


def _clock_advanced(state: Simulation, happening: events.ClockAdvanced) -> None:
    """The clock was set with the event's own time already."""


def _scenario_loaded(state: Simulation, happening: events.ScenarioLoaded) -> None:
    for step in happening.steps:
        state.agenda.add(step)


def _scenario_step_played(state: Simulation, happening: events.ScenarioStepPlayed) -> None:
    state.agenda.played(happening.number)


def _scenario_cancelled(state: Simulation, happening: events.ScenarioCancelled) -> None:
    state.agenda.clear()


def _reconciled(state: Simulation, happening: events.Reconciled) -> None:
    state.work.forget((happening.object_kind, happening.namespace, happening.name))


def _reconcile_planned(state: Simulation, happening: events.ReconcilePlanned) -> None:
    key = (happening.object_kind, happening.namespace, happening.name)
    state.work.reconciles.mark(key, happening.due_us)
    if happening.failures:
        state.work.failures[key] = happening.failures


def _event_recorded(state: Simulation, happening: events.EventRecorded) -> None:
    """Only told, never read."""


def _reset(state: Simulation, happening: events.ResetDone) -> None:
    state.last_cycle = max(state.last_cycle, happening.cycle)


_APPLY: dict[type, Callable[[Simulation, Any], None]] = {
    events.ClusterCreated: _cluster_created,
    events.ObjectAdded: _object_added,
    events.ObjectUpdated: _object_updated,
    events.ObjectPatched: _object_patched,
    events.ObjectDeleted: _object_deleted,
    events.PodMoved: _pod_moved,
    events.PodUnqueued: _pod_unqueued,
    events.CycleStarted: _cycle_started,
    events.PhaseReached: _phase_reached,
    events.CycleFinished: _cycle_finished,
    events.PodNominated: _pod_nominated,
    events.ClusterEventRecorded: _cluster_event_recorded,
    events.ClockAdvanced: _clock_advanced,
    events.ProfileChanged: _profile_changed,
    events.ScenarioLoaded: _scenario_loaded,
    events.ScenarioStepPlayed: _scenario_step_played,
    events.ScenarioCancelled: _scenario_cancelled,
    events.Reconciled: _reconciled,
    events.ReconcilePlanned: _reconcile_planned,
    events.EventRecorded: _event_recorded,
    events.ResetDone: _reset,
}
