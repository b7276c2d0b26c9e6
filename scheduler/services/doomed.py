"""What goes along when objects are deleted, found out before: what they own, and what is in a namespace."""

from collections import Counter
from collections.abc import Iterable

from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.objects import contents
from scheduler.engine.simulation.simulation import Simulation


def going_with(simulation: Simulation, keys: Iterable[ObjectKey]) -> list[ObjectKey]:
    """Everything else that the deletion of these objects deletes, in no order that matters."""
    chosen = list(keys)
    seen, open_ends = set(chosen), list(chosen)
    found: list[ObjectKey] = []
    while open_ends:
        key = open_ends.pop()
        for one in _next(simulation, key):
            if one not in seen:
                seen.add(one)
                found.append(one)
                open_ends.append(one)
    return found


def counts(keys: Iterable[ObjectKey]) -> list[tuple[str, int]]:
    """How many of each kind, the most first."""
    return Counter(key[0] for key in keys).most_common()


def _next(simulation: Simulation, key: ObjectKey) -> Iterable[ObjectKey]:
    owned = simulation.owners.of(key) if simulation.owners is not None else ()
    return [*owned, *(contents(simulation, key[2]) if key[0] == "Namespace" else ())]
