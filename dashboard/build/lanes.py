"""The queues as lanes of cards, each card with the move that brought it where it is."""

from collections.abc import Mapping
from itertools import chain, islice
from typing import cast

from dashboard.build.latest import Told, latest
from dashboard.build.refusers import last_refusers
from dashboard.payloads.queue import Card, Lane, LaneName
from scheduler.engine.explain.causes import meaning_for, unasked
from scheduler.engine.queue.entry import (
    ACTIVE,
    BACKOFF,
    ERROR_BACKOFF,
    GATED,
    IN_FLIGHT,
    UNSCHEDULABLE,
    Entry,
    QueuedPod,
)
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.time import flushed_us

LANE_LIMIT = 100
Moves = dict[str, Told]
MOVED = "PodMoved"

# ActiveQ and BackoffQ have an order; the two backoff heaps are one lane, the one that Pop may take from first.
PLACES: dict[LaneName, tuple[str, ...]] = {
    "in_flight": (IN_FLIGHT,),
    "active": (ACTIVE,),
    "backoff": (BACKOFF, ERROR_BACKOFF),
    "unschedulable": (UNSCHEDULABLE,),
    "gated": (GATED,),
}


def lanes(simulation: Simulation, cluster_id: int) -> list[Lane]:
    """All lanes, the first cards of each."""
    shown = {name: pods_of(simulation, name, 0, LANE_LIMIT) for name in PLACES}
    moves = latest(cluster_id, MOVED, [queued.key for pods in shown.values() for queued in pods], simulation.seq)
    made = [_lane(simulation, name, pods, moves, 0) for name, pods in shown.items()]
    _say_reasons(made, cluster_id, simulation)
    return made


def lane(simulation: Simulation, cluster_id: int, name: LaneName, offset: int = 0, limit: int = LANE_LIMIT) -> Lane:
    """One lane, its cards from `offset` on."""
    shown = pods_of(simulation, name, offset, limit)
    moves = latest(cluster_id, MOVED, [queued.key for queued in shown], simulation.seq)
    made = _lane(simulation, name, shown, moves, offset)
    _say_reasons([made], cluster_id, simulation)
    return made


def pods_of(simulation: Simulation, name: LaneName, offset: int, limit: int) -> list[QueuedPod]:
    last = offset + limit
    pods = chain.from_iterable(simulation.queue.lane(place, last) for place in PLACES[name])
    return list(islice(pods, offset, last))


def _lane(simulation: Simulation, name: LaneName, shown: list[QueuedPod], moves: Moves, offset: int) -> Lane:
    counts = simulation.queue.counts()
    cards = [card(simulation, queued, moves.get(queued.key)) for queued in shown]
    if name in ("active", "backoff"):
        for rank, one in enumerate(cards, offset + 1):
            one["rank"] = rank
    return {"name": name, "count": sum(counts[place] for place in PLACES[name]), "cards": cards}


def _say_reasons(made: list[Lane], cluster_id: int, simulation: Simulation) -> None:
    """The decisive plugin first, and its reason in words: it is what a card has room for."""
    refused = {one["key"]: one for one in chain.from_iterable(lane["cards"] for lane in made) if one.get("plugins")}
    for key, found in last_refusers(cluster_id, refused, simulation.seq).items():
        refused[key]["plugins"] = found.ordered(refused[key]["plugins"])
        if (pod := simulation.pod(key)) and (words := found.words(pod)):
            refused[key]["reason"] = words


def card(simulation: Simulation, queued: QueuedPod, move: Told | None) -> Card:
    entry, pod = queued.entry, queued.pod
    made: Card = {
        "key": queued.key,
        "priority": pod.priority,
        "attempts": entry.attempts,
        "since_us": entry.timestamp_us,
    }
    if move:
        made["moved_seq"], made["moved_us"] = move.seq, move.at_us
        if move.payload["source"]:
            made["why"], made["means"] = why(move.payload), _means(move.payload)
    if plugins := [*entry.unschedulable_plugins, *entry.pending_plugins]:
        made["plugins"] = plugins
    if queued.place in (BACKOFF, ERROR_BACKOFF):
        made["backoff_start_us"] = entry.timestamp_us
        made["backoff_end_us"] = released_us(simulation, entry.backoff_expiry_us)
    if queued.place == UNSCHEDULABLE and (flush := flushed_us(simulation, entry.timestamp_us)):
        made["flush_us"] = flush
    if entry.gating_plugin:
        made["gate"], made["gate_plugin"] = gate(queued), entry.gating_plugin
    if pod.nominated_node_name:
        made["nominated_node"] = pod.nominated_node_name
    if queued.place == IN_FLIGHT and (opened := simulation.open_cycle) is not None and opened.pod.key == queued.key:
        made["cycle"], made["phase"] = opened.number, opened.phase or "Pop"
    made |= _counted(entry)
    return made


def _counted(entry: Entry) -> Card:
    """What the next backoff depends on; absent where there is nothing to say."""
    told = {
        "pending": list(entry.pending_plugins),
        "errors": entry.consecutive_errors,
        "refusals": entry.unschedulable_count,
        "first_us": entry.initial_attempt_us,
    }
    return cast(Card, {name: value for name, value in told.items() if value})


def released_us(simulation: Simulation, expiry_us: int) -> int:
    """When the flush lets it go: the whole second after its expiry, as long as Pop may take from backoffQ."""
    settings = simulation.settings
    return expiry_us + settings.backoff_flush_us if settings.pop_from_backoff and expiry_us else expiry_us


def gate(queued: QueuedPod) -> str:
    """The scheduling gates that hold it, else the plugin that does."""
    gates = [gate.name for gate in queued.pod.spec.scheduling_gates or []]
    return ", ".join(gates) if gates and queued.entry.gating_plugin == "SchedulingGates" else queued.entry.gating_plugin


def _means(move: Mapping[str, str]) -> str:
    return meaning_for(move["cause"], move.get("hint", ""))


def why(move: Mapping[str, str]) -> str:
    """`NodeAdd · NodeResourcesFit`: the event and the hint that decided; of one that was not asked, its refusal."""
    cause, hint = move["cause"], move.get("hint", "")
    return " · ".join(filter(None, (cause, f"{hint} refused it" if unasked(cause, hint) else hint)))
