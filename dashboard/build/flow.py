"""The queues as a graph: how many pods are in each place, and how many went from one to another, by event."""

from collections import defaultdict

from dashboard.payloads.queue import Flow, FlowCause, FlowEdge, QueueRules
from scheduler.engine.explain.causes import meaning
from scheduler.engine.hints.table import events_of
from scheduler.engine.queue.entry import NOWHERE, PLACES
from scheduler.engine.simulation.moves import BOUND, Move
from scheduler.engine.simulation.settings import PRESETS, SECOND_US, with_controllers
from scheduler.engine.simulation.simulation import Simulation

NEW = "new"


def flow(simulation: Simulation) -> Flow:
    """Costs what there are kinds of moves, however long the log is."""
    counts = simulation.queue.counts()
    places = [(place, counts[place]) for place in PLACES] + [(BOUND, len(simulation.cluster.pods))]
    return {
        "seq": simulation.seq,
        "places": [{"name": name, "count": count} for name, count in places],
        "edges": _edges(simulation.tally.moves),
    }


def _edges(moves: dict[Move, int]) -> list[FlowEdge]:
    causes: dict[tuple[str, str], list[FlowCause]] = defaultdict(list)
    for move, count in moves.items():
        ends = (move.source if move.source != NOWHERE else NEW, move.target)
        causes[ends].append({"cause": move.cause, "means": meaning(move.cause), "hint": move.hint, "count": count})
    edges: list[FlowEdge] = [
        {
            "source": source,
            "target": target,
            "count": sum(one["count"] for one in told),
            "causes": sorted(told, key=lambda one: (-one["count"], one["cause"], one["hint"])),
        }
        for (source, target), told in causes.items()
    ]
    return sorted(edges, key=lambda edge: (-edge["count"], edge["source"], edge["target"]))


def rules(simulation: Simulation) -> QueueRules:
    settings, profiles = simulation.settings, simulation.profiles
    longest = profiles.max_backoff_seconds
    heard = listens(simulation) if settings.queueing_hints else {}
    return {
        "preset": preset_of(simulation),
        "hints": settings.queueing_hints,
        "pop_from_backoff": settings.pop_from_backoff,
        "initial_backoff_us": profiles.initial_backoff_seconds * SECOND_US,
        "max_backoff_us": longest * SECOND_US,
        "leftover_flush_us": settings.leftover_flush_us,
        "max_unschedulable_us": settings.max_unschedulable_us,
        "listens": heard,
        "words": {event: meaning(event) for events in heard.values() for event in events},
    }


def preset_of(simulation: Simulation) -> str:
    """The preset that settings and backoff bounds are those of; "" for any other combination."""
    longest = simulation.profiles.max_backoff_seconds
    for name, (settings, bounds) in PRESETS.items():
        is_set = simulation.settings == with_controllers(settings, simulation.settings)
        if is_set and longest == bounds.get("podMaxBackoffSeconds", 10):
            return name
    return ""


def listens(simulation: Simulation) -> dict[str, list[str]]:
    """The events that each enabled plugin asked to hear of, as `Node/Add`."""
    names = {name: None for profile in simulation.profiles for names in profile.plugins.values() for name in names}
    return {name: events_of(name) for name in names}
