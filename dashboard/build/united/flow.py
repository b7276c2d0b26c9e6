"""Where the pods of each subset are: subset, zone, node, as bands whose height counts pods."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.build.united.colours import subset_colour
from dashboard.build.united.names import apart, fitted
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.simulation.simulation import Simulation

NODES = 14
WIDTH, LEFT, MIDDLE, RIGHT, THICK, GAP, PER_POD, LEAST = 900, 150, 450, 740, 10, 14, 16, 14
NO_ZONE, PENDING, OTHERS = "no zone", "Pending", "other nodes"


@dataclass(frozen=True)
class Where:
    """A pod: of the subset with this number, in this zone on this node ("" while it waits)."""

    subset: int
    zone: str
    node: str


def places(simulation: Simulation, subsets: Sequence[Iterable[str]]) -> list[Where]:
    """`subsets`: of each, the nodes of its pods, "" for one that waits."""
    found = []
    for index, nodes in enumerate(subsets):
        for node in nodes:
            info = simulation.cluster.infos.get(node) if node else None
            zone = zone_of(info.node) if info is not None and info.node is not None else ""
            found.append(Where(index, (zone or NO_ZONE) if node else PENDING, node or PENDING))
    return found


def flow(names: Sequence[str], pods: Sequence[Where]) -> dict[str, Any]:
    """Blocks, bands and labels in units of the drawing; the same as a table. Without pods there is none."""
    moved = _gathered(pods)
    unit = PER_POD if len(pods) <= 20 else max(1.0, 20 * PER_POD / len(pods))
    placed = [pod for pod in moved if pod.node != PENDING]
    left = _blocks(Counter(pod.subset for pod in moved), unit, LEFT)
    middle = _blocks(Counter(pod.zone for pod in moved), unit, MIDDLE)
    right = _blocks(Counter((pod.zone, pod.node) for pod in placed), unit, RIGHT)
    first = Counter((pod.subset, pod.zone) for pod in moved)
    second = Counter((pod.zone, (pod.zone, pod.node), pod.subset) for pod in placed)
    out = [(subset, zone, subset, number) for (subset, zone), number in first.items()]
    on = [(zone, node, subset, number) for (zone, node, subset), number in second.items()]
    height = max([one["bottom"] for column in (left, middle, right) for one in column.values()], default=0) + 10
    return {
        "width": WIDTH,
        "height": round(height, 1),
        "bands": [*_bands(out, left, middle, unit), *_bands(on, middle, right, unit)],
        "subsets": _named(left, names),
        "zones": [{**one, "text": key, "waits": key == PENDING} for key, one in middle.items()],
        "nodes": [{**one, "name": key[1], "text": fitted(key[1])} for key, one in right.items()],
        "rows": _rows(names, pods),
    }


def _gathered(pods: Sequence[Where]) -> list[Where]:
    """On the nodes that have most of them, and on the others together."""
    often = Counter(pod.node for pod in pods if pod.node != PENDING)
    shown = {PENDING, *(node for node, _ in often.most_common(NODES))}
    return [pod if pod.node in shown else Where(pod.subset, pod.zone, OTHERS) for pod in pods]


def _named(blocks: Mapping[int, dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    short = apart(names)
    return [
        {**one, "colour": subset_colour(key), "name": names[key], "text": f"{short[key]} {one['count']}"}
        for key, one in blocks.items()
    ]


def _rows(names: Sequence[str], pods: Sequence[Where]) -> list[dict[str, Any]]:
    """The table, in the order of the subsets; on every node of its own."""
    counts = Counter((pod.subset, pod.zone, pod.node) for pod in pods)
    return [
        {"subset": names[subset], "colour": subset_colour(subset), "zone": zone, "node": node, "count": number}
        for (subset, zone, node), number in sorted(counts.items())
    ]


def _blocks(counts: Counter[Any], unit: float, x: int) -> dict[Any, dict[str, Any]]:
    """From the top down, those that wait last."""
    found, y = {}, 10.0
    for key in sorted(counts, key=lambda key: (key == PENDING, key)):
        high = max(counts[key] * unit, 2)
        middle = round(y + high / 2 + 4, 1)
        found[key] = {
            "count": counts[key], "x": x, "y": round(y, 1), "height": round(high, 1), "middle": middle,
            "bottom": y + high, "used": {"in": y, "out": y},
        }  # fmt: skip
        y += max(high, LEAST) + GAP
    return found


def _bands(links: list[tuple[Any, Any, int, int]], sources: Any, targets: Any, unit: float) -> list[dict[str, Any]]:
    """(source, target, subset, number) each as a path; blocks remember how much of their side is taken."""
    found = []
    order = {key: place for place, key in enumerate(targets)}
    for source, target, subset, number in sorted(links, key=lambda one: (order[one[1]], one[2])):
        high, start, end = number * unit, sources[source], targets[target]
        top, to = start["used"]["out"], end["used"]["in"]
        start["used"]["out"], end["used"]["in"] = top + high, to + high
        left, right = start["x"] + THICK, end["x"]
        middle = (left + right) / 2
        path = (
            f"M{left} {top:.1f}C{middle} {top:.1f} {middle} {to:.1f} {right} {to:.1f}V{to + high:.1f}"
            f"C{middle} {to + high:.1f} {middle} {top + high:.1f} {left} {top + high:.1f}Z"
        )
        found.append({"path": path, "colour": subset_colour(subset), "waits": target == PENDING})
    return found
