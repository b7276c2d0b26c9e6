"""Where a pod stands and why: one sentence, and a line of facts."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import format_html

from dashboard.build.ages import aged, ahead
from dashboard.build.lanes import PLACES, released_us
from dashboard.build.next_pod import before_others
from dashboard.build.records import CycleRecord
from dashboard.build.why.evidence import Evidence
from dashboard.text import count, listed
from scheduler.engine.explain.causes import named
from scheduler.engine.explain.why import Cause
from scheduler.engine.hints.table import events_of
from scheduler.engine.objects import Pod
from scheduler.engine.queue.entry import GATED, IN_FLIGHT, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.time import flushed_us

WORDS = {"active": "ActiveQ", "backoff": "BackoffQ", "unschedulable": "Unschedulable", "gated": "Gated"}
LISTED_EVENTS = 3
SCHEDULING_GATES = "SchedulingGates"


class Standing(NamedTuple):
    """`sign`: tick, cross, wait, lock, run, out; `facts`: short phrases, HTML where they tell a time that passes."""

    sentence: str
    sign: str
    facts: list[str]


class Last(NamedTuple):
    """The pod's newest attempt and what came out of it."""

    record: CycleRecord
    evidence: Evidence


def standing(simulation: Simulation, pod: Pod, last: Last | None, now_us: int) -> Standing:
    """`now_us`: of the page's clock, which may be ahead. To be called while the state is lent."""
    name, queued = f"`{pod.key}`", simulation.queued(pod.key)
    if queued is not None:
        return _queued(simulation, name, queued, last, now_us)
    if pod.is_finished:
        phase = pod.status.phase if pod.status else ""
        return Standing(f"{name} has ended: {phase}.", "tick" if phase == "Succeeded" else "cross", [])
    if pod.is_terminating:
        return _going(simulation, name, pod)
    if pod.node_name:
        return _placed(simulation, name, pod, last, now_us)
    if simulation.profiles.get(pod.spec.scheduler_name) is None:
        other = f"it asks for the scheduler `{pod.spec.scheduler_name}`, and no profile here has that name"
        return Standing(f"{name} waits because {other}.", "wait", [])
    return Standing(f"{name} is new: the next event puts it into a queue.", "wait", [])


def _placed(simulation: Simulation, name: str, pod: Pod, last: Last | None, now_us: int) -> Standing:
    gone = "" if _is_there(simulation, pod.node_name) else " The cluster has no such node now."
    if last is not None and last.record.decision is not None and last.record.decision.node == pod.node_name:
        return Standing(last.evidence.told + gone, "tick", [_tried(last, now_us)])
    return Standing(f"{name} was added with its node already set: it is on `{pod.node_name}`.{gone}", "tick", [])


def _is_there(simulation: Simulation, node: str) -> bool:
    info = simulation.cluster.infos.get(node)
    return info is not None and info.node is not None


def _going(simulation: Simulation, name: str, pod: Pod) -> Standing:
    """Of a pod that is being deleted: that comes before where it runs and how it came there."""
    node = pod.node_name
    if not node:
        return Standing(f"{name} is being deleted, so the scheduler passes it over.", "out", [])
    if not _is_there(simulation, node):
        return Standing(f"{name} is being deleted. The cluster has no node `{node}`, where it was.", "out", [])
    return Standing(f"{name} is being deleted, and holds its room on **`{node}`** until it is gone.", "out", [])


def _tried(last: Last, now_us: int) -> str:
    return format_html("attempt {}, {} ago", last.record.attempt, aged(now_us, last.record.popped_us))


def _queued(simulation: Simulation, name: str, queued: QueuedPod, last: Last | None, now_us: int) -> Standing:
    entry, facts = queued.entry, _facts(queued, last, now_us)
    if queued.place == IN_FLIGHT:
        is_open = last is not None and last.record.decision is None
        return Standing(last.evidence.told if last and is_open else f"{name} is being placed now.", "run", facts)
    lane = next(lane for lane, places in PLACES.items() if queued.place in places)
    facts.append(format_html("in {}, queued {} ago", WORDS[lane], aged(now_us, entry.timestamp_us)))
    if queued.place == GATED:
        return Standing(f"{name} waits because of {_held_by(queued)}.", "lock", facts)
    if queued.place == UNSCHEDULABLE:
        if flush := flushed_us(simulation, entry.timestamp_us):
            facts.append(format_html("flush in {}", ahead(now_us, flush)))
        facts += _wakes([*entry.unschedulable_plugins, *entry.pending_plugins])
    elif lane == "backoff":
        released = released_us(simulation, entry.backoff_expiry_us)
        facts.append(format_html("backs off for {} more", ahead(now_us, released)))
    sign = "cross" if queued.place == UNSCHEDULABLE else "wait"
    if last is not None and last.record.decision is not None and last.record.outcome != "bound":
        return Standing(_again(simulation, name, queued, lane, last), sign, facts)
    return Standing(f"{name} waits in {WORDS[lane]} for its first attempt: {_turn(simulation, queued)}.", "wait", facts)


def _held_by(queued: QueuedPod) -> str:
    gates = [f"`{one.name}`" for one in queued.pod.spec.scheduling_gates or []]
    if not gates or queued.entry.gating_plugin != SCHEDULING_GATES:
        return f"**{queued.entry.gating_plugin}**, which holds it back: it is not tried until that lets it go"
    if len(gates) == 1:
        return f"its gate {gates[0]}: it is not tried until that is removed"
    return f"its gates {listed(gates)}: it is not tried until they are removed"


def _facts(queued: QueuedPod, last: Last | None, now_us: int) -> list[str]:
    priority = queued.pod.priority
    tried = _tried(last, now_us) if last is not None else "not tried yet"
    return [*([f"priority {priority:,}"] if priority else []), tried]


def _wakes(plugins: Sequence[str]) -> list[str]:
    """The events that the plugins which refused it listen to."""
    events = list(dict.fromkeys(event for plugin in plugins for event in events_of(plugin)))
    if not events:
        return ["wakes on no event"]
    more = f" and {len(events) - LISTED_EVENTS} more" if len(events) > LISTED_EVENTS else ""
    first = ", ".join(events[:LISTED_EVENTS]) + more
    told = "; ".join(map(named, events))
    return [format_html('<span title="{}">wakes on {}</span>', told, first)]


def _turn(simulation: Simulation, queued: QueuedPod) -> str:
    before_it = sum(1 for other in simulation.queue.active if other.order < queued.order)
    return (
        f"it is next, as {before_others(simulation)}"
        if not before_it
        else f"{count(before_it, 'pod is', 'pods are')} ahead of it"
    )


def _again(simulation: Simulation, name: str, queued: QueuedPod, lane: str, last: Last) -> str:
    """Of a pod that was tried before: what it waits for now, and what came out of it."""
    why = last.evidence.cause
    if (node := queued.pod.nominated_node_name) and (leaving := _leaving(simulation, last, node)):
        who = listed(leaving) if len(leaving) < 4 else count(len(leaving), "pod")
        have = "has" if len(leaving) == 1 else "have"
        return f"{name} waits until {who} {have} left **`{node}`**, where preemption makes room for it."
    if queued.place == UNSCHEDULABLE:
        return f"{name} waits because{_led(told(why))}" if why else last.evidence.told
    now = "its backoff ends" if lane == "backoff" else f"its turn comes: {_turn(simulation, queued)}"
    kept = f" `{node}` is kept free for it by preemption." if node else ""
    said = f"No node took it at attempt {last.record.attempt}: {told(why)}" if why else last.evidence.told
    return f"{name} is tried again when {now}.{kept} {said}"


def _leaving(simulation: Simulation, last: Last, node: str) -> list[str]:
    """The victims of its preemption that are still on the node."""
    decision = last.record.decision
    pods = [simulation.pod(key) for key in (decision.victims if decision is not None else ())]
    return [f"`{pod.key}`" for pod in pods if pod is not None and pod.node_name == node]


def _led(words: str) -> str:
    """After "because", which would run into an "of": "because, of the 7 nodes, 6 have"."""
    return f", {words}" if words.startswith("of ") else f" {words}"


def told(why: Cause) -> str:
    return " ".join(filter(None, (f"{why.clause}.", why.more)))


def refused_then(name: str, record: CycleRecord, found: Evidence) -> str:
    """An attempt that is not the last: what came out of it."""
    if found.cause is None:
        return found.told
    return f"At attempt {record.attempt} no node took {name}: {told(found.cause)}"
