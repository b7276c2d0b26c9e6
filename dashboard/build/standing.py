"""Where a pod stands and why: one sentence, and a line of facts."""

from typing import NamedTuple

from django.utils.html import format_html

from dashboard.build.ages import aged, ahead
from dashboard.build.lanes import PLACES, gate, released_us
from dashboard.build.records import CycleRecord
from dashboard.text import count
from scheduler.engine.objects import Pod
from scheduler.engine.queue.entry import GATED, IN_FLIGHT, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.simulation import Simulation

WORDS = {"active": "ActiveQ", "backoff": "BackoffQ", "unschedulable": "Unschedulable", "gated": "Gated"}


class Standing(NamedTuple):
    """`sign`: tick, cross, wait, lock, run; `facts`: short phrases."""

    sentence: str
    sign: str
    facts: list[str]


def standing(simulation: Simulation, pod: Pod, last: CycleRecord | None, told: str, now_us: int) -> Standing:
    """`last`: the pod's newest attempt, and `told` its sentence. `now_us`: of the page's clock, which may be ahead.

    To be called while the state is lent.
    """
    name, queued = f"`{pod.key}`", simulation.queued(pod.key)
    if queued is not None:
        return _queued(simulation, name, queued, last, told, now_us)
    if pod.is_finished:
        phase = pod.status.phase if pod.status else ""
        return Standing(f"{name} has ended: {phase}.", "tick" if phase == "Succeeded" else "cross", [])
    if pod.node_name:
        return _placed(simulation, name, pod, last, told)
    if simulation.profiles.get(pod.spec.scheduler_name) is None:
        return Standing(f"{name} waits: no scheduler here is responsible for {pod.spec.scheduler_name!r}.", "wait", [])
    return Standing(f"{name} is in no queue.", "wait", [])


def _placed(simulation: Simulation, name: str, pod: Pod, last: CycleRecord | None, told: str) -> Standing:
    if last is not None and last.decision is not None and last.decision.node == pod.node_name:
        return Standing(told, "tick", [f"attempt {last.attempt}"])
    there = "" if pod.node_name in simulation.cluster.infos else ", a node that does not exist"
    return Standing(f"{name} came with its node: it is on `{pod.node_name}`{there}.", "tick", [])


def _queued(
    simulation: Simulation, name: str, queued: QueuedPod, last: CycleRecord | None, told: str, now_us: int
) -> Standing:
    entry = queued.entry
    facts: list[str] = [f"priority {queued.pod.priority}", count(entry.attempts, "attempt")]
    if queued.place == IN_FLIGHT:
        return Standing(f"{name} is being placed now.", "run", facts)
    if queued.place == GATED:
        return Standing(f"{name} is gated by {gate(queued)}: it is not tried until that is removed.", "lock", facts)
    lane = next(lane for lane, places in PLACES.items() if queued.place in places)
    facts.append(format_html("in {} for {}", WORDS[lane], aged(now_us, entry.timestamp_us)))
    if queued.place == UNSCHEDULABLE:
        flush_us = entry.timestamp_us + simulation.settings.max_unschedulable_us
        facts.append(format_html("tried again by itself in {}", ahead(now_us, flush_us)))
    elif lane == "backoff":
        released = released_us(simulation, entry.backoff_expiry_us)
        facts.append(format_html("backs off for {} more", ahead(now_us, released)))
    if last is not None and last.decision is not None and last.outcome != "bound":
        sign = "cross" if queued.place == UNSCHEDULABLE else "wait"
        return Standing(told, sign, facts)
    before_it = sum(1 for other in simulation.queue.active if other.order < queued.order)
    before = "it is next" if not before_it else f"{count(before_it, 'pod is', 'pods are')} ahead of it"
    return Standing(f"{name} waits in {WORDS[lane]} for its first attempt: {before}.", "wait", facts)
