"""What became of a waiting pod at an event, in one or two sentences."""

from typing import Any

from dashboard.build.lanes import gate, released_us
from dashboard.build.marks import QUEUES
from dashboard.text import age, clock, count, listed
from scheduler.engine.hints.event import BACKOFF_COMPLETE, FORCE_ACTIVATE, UNSCHEDULABLE_TIMEOUT
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, GATED, IN_FLIGHT, UNSCHEDULABLE, QueuedPod
from scheduler.engine.simulation.moves import POP_FROM_BACKOFF
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.story_hints import Reasoned
from scheduler.engine.simulation.time import flushed_us


def conclusion(before: Simulation, key: str, told: list[Reasoned], move: dict[str, Any] | None) -> str:
    """`before`: the state just before the event; `move`: the PodMoved that it caused, if it did."""
    queued = before.queued(key)
    if move is not None and move["cause"] in UNASKED and queued is not None:
        return _by_timer(before, queued, move)
    if move is not None:
        return _moved(before, queued, told, move)
    if queued is None:
        return _nowhere(before, key)
    if queued.place in (UNSCHEDULABLE, GATED):
        return _stayed(before, queued, told)
    return _elsewhere(before, queued)


UNASKED = (UNSCHEDULABLE_TIMEOUT.label, BACKOFF_COMPLETE, POP_FROM_BACKOFF, FORCE_ACTIVATE.label)
"""Causes of moves for which no plugin is asked."""


def _by_timer(before: Simulation, queued: QueuedPod, move: dict[str, Any]) -> str:
    """Of a retry that time or somebody's wish caused."""
    settings, cause = before.settings, move["cause"]
    backoff = _clock(before, released_us(before, queued.entry.backoff_expiry_us))
    if cause == POP_FROM_BACKOFF:
        return f"ActiveQ was empty, so it was taken from BackoffQ before its backoff ended at {backoff}, and tried."
    waited, tick = age(settings.max_unschedulable_us), age(settings.leftover_flush_us)
    why = {
        UNSCHEDULABLE_TIMEOUT.label: f"It had waited in Unschedulable for more than {waited}: the flush, every {tick}, "
        "takes such pods and asks no plugin.",
        BACKOFF_COMPLETE: f"Its backoff was over at {backoff}.",
        FORCE_ACTIVATE.label: "Somebody asked for it; no plugin is asked.",
    }[cause]
    if move["target"] == GATED:
        return f"{why} But {gate(queued)} holds it: it went to Gated."
    return f"{why} It was retried: it went to {QUEUES.get(move['target'], move['target'])}."


def _moved(before: Simulation, queued: QueuedPod | None, told: list[Reasoned], move: dict[str, Any]) -> str:
    target = QUEUES.get(move["target"], move["target"])
    hint = move.get("hint", "")
    who = f"{_decided(hint, told, move)}, so it was" if hint else "It was"
    if move["target"] != BACKOFF or queued is None:
        return f"{who} retried: it went to {target}{_at_once(queued, move)}."
    end = released_us(before, queued.entry.backoff_expiry_us)
    early = " Pop may take it earlier, while ActiveQ is empty." if before.settings.pop_from_backoff else ""
    return f"{who} to be retried: it went to {target}, where its backoff ran until {_clock(before, end)}.{early}"


def _decided(hint: str, told: list[Reasoned], move: dict[str, Any]) -> str:
    own = [one for one in told if (one.answer.plugin, one.answer.event) == (hint, move["cause"])]
    if own and not any(one.is_asked for one in own):
        return f"`{hint}` refused it and hears of new nodes, which is enough at a change of taints"
    return f"`{hint}` sees help"


def _at_once(queued: QueuedPod | None, move: dict[str, Any]) -> str:
    if move["target"] == ACTIVE and queued is not None and queued.place == UNSCHEDULABLE:
        return " at once, for its backoff was over"
    return ""


def _nowhere(before: Simulation, key: str) -> str:
    pod = before.pod(key)
    if pod is None:
        return "The pod did not exist then."
    return f"It was on `{pod.node_name}` then and did not wait." if pod.node_name else "It was in no queue then."


def _stayed(before: Simulation, queued: QueuedPod, told: list[Reasoned]) -> str:
    where = QUEUES[queued.place]
    if not told:
        return f"Nobody was asked: such a change cannot help a pod that waits. It stayed in {where}."
    if queued.place == GATED and not any(one.answer.helps for one in told if one.answer.plugin == _keeper(queued)):
        return f"It was not retried: it stayed held by {gate(queued)}, whatever others say."
    if any(one.answer.helps for one in told):
        return f"A plugin sees help, but the pod was stopped by a gate and stayed in {where}."
    refusing = listed([f"`{name}`" for name in dict.fromkeys(one.answer.plugin for one in told)])
    return f"It was not retried: {_none(refusing, told)}, so it stayed in {where}.{_flush(before, queued)}"


def _keeper(queued: QueuedPod) -> str:
    return queued.entry.gating_plugin


def _none(refusing: str, told: list[Reasoned]) -> str:
    heard = any(one.answer.helps is not None for one in told)
    if len({one.answer.plugin for one in told}) == 1:
        return f"{refusing}, which refused it, {'sees no help' if heard else 'does not listen to such events'}"
    return f"none of {refusing}, which refused it, {'sees help' if heard else 'listens to such events'}"


def _flush(before: Simulation, queued: QueuedPod) -> str:
    at = flushed_us(before, queued.entry.timestamp_us)
    if queued.place == GATED or at is None:
        return ""
    return f" Without another event the flush takes it at {_clock(before, at)}."


def _elsewhere(before: Simulation, queued: QueuedPod) -> str:
    if queued.place == IN_FLIGHT:
        return "It was being scheduled. The event was kept, to be weighed in case the attempt fails."
    if queued.place == ACTIVE:
        ahead = sum(1 for other in before.queue.active if other.order < queued.order)
        turn = f"{count(ahead, 'pod')} ahead of it" if ahead else "as the next"
        return f"It was in ActiveQ already, {turn}: events do not change the order there."
    end = _clock(before, released_us(before, queued.entry.backoff_expiry_us))
    early = ", or earlier if ActiveQ is empty" if queued.place == BACKOFF and before.settings.pop_from_backoff else ""
    return f"It was in BackoffQ: events move nobody out of there. It goes when its backoff ends, at {end}{early}."


def _clock(before: Simulation, at_us: int) -> str:
    return clock(at_us, before.start_us)
