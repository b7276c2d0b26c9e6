"""Commands on scheduling cycles: pop, decide, and what follows from the decision. Source: v1.34.1, schedule_one.go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.commands import FinishCycle, PopPod, ReachPhase, Schedule
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.phases import PHASES, REFUSED_PHASES
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import CycleFinished, CycleStarted, PhaseReached, PodNominated, PodUnqueued
from scheduler.engine.hints.event import ASSIGNED_POD_ADD
from scheduler.engine.objects import Pod
from scheduler.engine.plugins import line_up
from scheduler.engine.queue.entry import IN_FLIGHT, QueuedPod
from scheduler.engine.queue.in_flight import Change
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.simulation import volumes as simulation_volumes
from scheduler.engine.simulation.objects import nomination_gone, pod_updated, remove
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.simulation.time import pass_time

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def pop(state: Simulation, command: PopPod | Schedule) -> None:
    """Open a cycle for the next pod, if there is one and none is open. Pods on their way out are passed over.

    Raises Refused while the pod's profile asks for an algorithm that cannot be had.
    """
    while state.open_cycle is None and (head := state.queue.head()) is not None:
        if fault := line_up(state.profiles.get(head.pod.spec.scheduler_name) or state.profiles.first).fault:
            raise Refused(fault)
        state.emit(CycleStarted(state.last_cycle + 1, head.key, head.entry.attempts + 1, head.place))
        if reason := _reason_to_skip(state):
            _emit_finished(state, Decision("error", message=reason, next_start_index=state.start_index))


def reach_phase(state: Simulation, command: ReachPhase) -> None:
    """Note how far the open cycle is shown. Raises Refused for an unknown phase, or where no cycle is open."""
    opened = _opened(state)
    if command.phase not in PHASES and command.phase not in REFUSED_PHASES:
        raise Refused(f"There is no phase {command.phase!r}.")
    if opened.phase != command.phase:
        state.emit(PhaseReached(opened.number, command.phase))


def finish(state: Simulation, command: FinishCycle) -> None:
    """End the open cycle as somebody else decided it. Raises Refused where none is open, Invalid for bad data."""
    _opened(state)
    try:
        decision = Decision.from_data(command.decision)
    except msgspec.ValidationError as problem:
        raise Invalid(str(problem), "decision") from problem
    _finish(state, decision)


def schedule(state: Simulation, command: Schedule) -> None:
    """One whole attempt; where a cycle is open, that one is finished."""
    pop(state, command)
    if state.open_cycle is not None:
        _finish(state, cycle_for_open(state).run())


def cycle_for_open(state: Simulation) -> Cycle:
    """The open cycle's attempt, from its beginning. Raises Refused where none is open."""
    opened = _opened(state)
    return Cycle(
        opened.snapshot,
        opened.profile,
        opened.pod,
        number=opened.number,
        seed=state.seed,
        start_index=opened.start_index,
        nominated=opened.nominated,
        draws_nomination=state.settings.draw_nominations,
        draws_at_each_tie=state.settings.draw_at_each_tie,
        collects_errors=state.settings.collect_score_errors,
    )


# --- the end of a cycle -----------------------------------------------------------------------------------------------


def _finish(state: Simulation, decision: Decision) -> None:
    opened = _opened(state)
    pass_time(state, max(state.now_us, opened.popped_us + state.settings.cycle_us))
    decision = _possible(state, opened.pod, decision)
    if not state.settings.async_preemption:
        _make_room(state, opened.pod, decision)
    queued = state.queue.in_flight.pods[uid_of(opened.pod)]
    since = state.queue.in_flight.changes_since(uid_of(opened.pod))
    del opened
    _emit_finished(state, decision)
    if decision.outcome == "bound":
        simulation_volumes.bind(state, decision)
        _bound(state, queued.pod)
    else:
        _failed(state, queued, decision, since)


def _bound(state: Simulation, before: Pod) -> None:
    state.control.remove(before.key)
    state.control.move_all(ASSIGNED_POD_ADD, None, state.pods[before.key])
    if state.settings.fulfilled_nominations_wake:
        nomination_gone(state, before)


def _failed(state: Simulation, queued: QueuedPod, decision: Decision, since: list[Change] | None) -> None:
    """The failure handler: back to the queue, then what preemption asked for."""
    pod = _still_pending(state, queued.pod)
    if pod is None:
        state.emit(PodUnqueued(queued.key, IN_FLIGHT))
        return
    if state.control.fail(queued, pod, decision.unschedulable_plugins, decision.pending_plugins, since):
        state.emit(PodUnqueued(queued.key, IN_FLIGHT))
    if state.settings.async_preemption and (victims := _still_running(state, decision)):
        state.preempting.add(uid_of(pod))
        _clear_lower_nominations(state, pod, decision)
        _nominate(state, pod.key, decision.nominated_node)
        _evict(state, pod, victims)
    else:
        _nominate(state, pod.key, decision.nominated_node)


def _make_room(state: Simulation, pod: Pod, decision: Decision) -> None:
    """Preemption as before v1.33: done before the attempt ends, so that the pod sees it while in flight."""
    for key in _still_running(state, decision):
        _evict_one(state, key, pod.key)
    _clear_lower_nominations(state, pod, decision)


def _still_running(state: Simulation, decision: Decision) -> list[str]:
    """Victims to be deleted: one that is terminating already is left to its own end."""
    return [key for key in decision.victims if key not in state.pods or not state.pods[key].is_terminating]


def _evict(state: Simulation, preemptor: Pod, victims: list[str]) -> None:
    """Delete the victims. Until the last one is to go, the preemptor is held by a gate.

    Where all have gone by themselves, no deletion will wake it: it is activated.
    """
    are_gone = not any(key in state.pods for key in victims)
    for key in victims[:-1]:
        _evict_one(state, key, preemptor.key)
    state.preempting.discard(uid_of(preemptor))
    for key in victims[-1:]:
        _evict_one(state, key, preemptor.key)
    if are_gone:
        state.control.activate([state.pods[preemptor.key]])


def _evict_one(state: Simulation, key: str, preemptor: str) -> None:
    if key in state.pods:
        namespace, _, name = key.partition("/")
        remove(state, "Pod", namespace, name, cause="preempted", by=preemptor)


def _clear_lower_nominations(state: Simulation, pod: Pod, decision: Decision) -> None:
    """Pods of lower priority that were to get this node must look anew."""
    if not decision.victims or not decision.nominated_node:
        return
    for key in state.queue.nominator.pods_on(decision.nominated_node):
        other = state.pods.get(key)
        if other is not None and other.priority < pod.priority:
            _nominate(state, key, "")


def _nominate(state: Simulation, key: str, node: str | None) -> None:
    """Change the pod's nomination (None: leave it) and let its update be noticed."""
    old = state.pods.get(key)
    if old is None or node is None or old.nominated_node_name == state.queue.nominator.node_of(old) == node:
        return
    state.emit(PodNominated(key, node))
    pod_updated(state, old, state.pods[key])


# --- inner ------------------------------------------------------------------------------------------------------------


def _emit_finished(state: Simulation, decision: Decision) -> None:
    """Close the open cycle. Nobody may hold it, or a copy of the cluster is kept for its snapshot."""
    number, key = _opened(state).number, _opened(state).pod.key
    woke = decision.outcome == "bound" and state.control.hints.is_of_interest(ASSIGNED_POD_ADD)
    state.emit(CycleFinished(number, key, decision.to_data(), woke))


def _possible(state: Simulation, pod: Pod, decision: Decision) -> Decision:
    """The decision, or an error where the cluster has changed so much meanwhile that it cannot be carried out."""
    reason = ""
    if _still_pending(state, pod) is None:
        reason = f"pod {pod.key} is gone or has been bound meanwhile"
    elif decision.outcome == "bound" and state.cluster.get("Node", "", decision.node) is None:
        reason = f'node "{decision.node}" is gone'
    elif decision.volumes:
        reason = simulation_volumes.fault(state, _opened(state).snapshot, decision)
    if not reason:
        return decision
    return Decision(
        "error",
        message=reason,
        feasible=decision.feasible,
        evaluated=decision.evaluated,
        node_count=decision.node_count,
        next_start_index=decision.next_start_index,
        nominated_node="",
    )


def _still_pending(state: Simulation, popped: Pod) -> Pod | None:
    """The popped pod as it is now, if it is still to be scheduled."""
    pod = state.pods.get(popped.key)
    if pod is None or uid_of(pod) != uid_of(popped) or pod.node_name or pod.is_finished:
        return None
    return pod


def _reason_to_skip(state: Simulation) -> str:
    opened = _opened(state)
    return f"skip schedule deleting pod: {opened.pod.key}" if opened.pod.is_terminating else ""


def _opened(state: Simulation) -> OpenCycle:
    if state.open_cycle is None:
        raise Refused("No cycle is open.")
    return state.open_cycle
