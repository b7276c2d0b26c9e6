"""A new node that others take first: the same with room for them as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scheduler.engine.fixes.change import Clone, Effort, Fix, Put
from scheduler.engine.fixes.manifests import put
from scheduler.engine.fixes.requests import amount_of
from scheduler.engine.fixes.trial import Result, look_up_in, try_out
from scheduler.engine.objects import Node, decode
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.quantity import format_amount, format_compared
from scheduler.engine.values.requests import node_allocatable, pod_requests
from scheduler.engine.words import count, listed

ROUNDS, NAMED = 2, 3


def roomier(simulation: Simulation, key: str, fix: Fix, result: Result) -> Iterator[tuple[Fix, Result]]:
    """Larger nodes in place of the one that `fix` adds, each tried, until the pod fits or nobody else comes first."""
    rivals = set[str]()
    for _ in range(ROUNDS):
        more = _rivals(fix, result) - rivals
        if result.fits or not more or key not in simulation.pods:
            return
        rivals |= more
        fix = _with_room(simulation, key, fix, sorted(rivals))
        result = try_out(simulation, key, fix.edits)
        yield fix, result


def _rivals(fix: Fix, result: Result) -> set[str]:
    """Waiting pods that take the one node that is new."""
    if fix.kind not in ("add-node", "larger-node") or len(fix.edits) != 1:
        return set()
    (edit,) = fix.edits
    return {pod for pod, node in result.rivals if isinstance(edit, Clone) and node == edit.name}


def _with_room(simulation: Simulation, key: str, fix: Fix, rivals: list[str]) -> Fix:
    (edit,) = fix.edits
    assert isinstance(edit, Clone), "room on a node that is not new"
    origin = look_up_in(simulation)(edit.key)
    have = node_allocatable(_node(put(origin, edit.puts)))
    needed: Counter[str] = Counter()
    for pod in (key, *rivals):
        needed.update(pod_requests(simulation.pods[pod]))
    short = {name: amount for name, amount in needed.items() if amount > have.get(name, 0)}
    status = origin.get("status") or {}
    field = "allocatable" if status.get("allocatable") is not None else "capacity"
    larger = tuple(Put(("status", field, name), format_amount(name, amount)) for name, amount in short.items())
    puts = {one.path: one for one in (*edit.puts, *larger)}
    own = pod_requests(simulation.pods[key])
    sizes = {str(path[-1]): amount_of(one.value, str(path[-1])) for path, one in puts.items()}
    told = {name: format_compared(name, amount, own.get(name, amount))[0] for name, amount in sizes.items()}
    with_ = listed([f"**{text}** {name.rpartition('/')[2]}" for name, text in told.items()])
    title = f"Add one node like `{edit.key[2]}`, but with {with_}"
    shown = [f"`{one}`" for one in rivals[:NAMED]]
    shown += [count(len(rivals) - NAMED, "other")] if len(rivals) > NAMED else []
    note = f"{listed(shown)} {'goes' if len(rivals) == 1 else 'go'} first: the node needs room for both."
    if len(rivals) > 1:
        note = note.replace("for both", "for all of them")
    return Fix("larger-node", title, (Clone(edit.key, edit.name, tuple(puts.values())),), Effort.GROW, 1, note=note)


def _node(manifest: dict[str, object]) -> Node:
    node = decode("Node", manifest)
    assert isinstance(node, Node), "a node that is none"
    return node
