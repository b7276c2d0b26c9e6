"""The nodes' tiles. Of thousands a cycle changes one or two; the others are the very tiles that were made before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import is_not, ne
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.build.kept import Kept
from dashboard.build.node_rows import CLUSTERS_KEPT, NodeRows
from dashboard.build.usage import CPU, MEMORY, Usage
from dashboard.payloads.map import Tile
from scheduler.engine.cluster.pod_info import PodInfo

NONE = -1.0  # the share of a node that offers nothing of the extended resource


@dataclass(frozen=True, slots=True)
class Marks:
    """What the cycle on screen adds to tiles, by node name. `reasons`: "" for a node that passed."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    lead: str = ""
    ties: frozenset[str] = frozenset()

    def of(self, name: str) -> str:
        """One of lead, tie and ""."""
        return "lead" if name == self.lead else "tie" if name in self.ties else ""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """All that tiles show, a column each, parallel to `nodes`; and the tiles."""

    nodes: NodeRows
    extra: str
    cpu: NDArray[np.float64]
    memory: NDArray[np.float64]
    share: NDArray[np.float64]
    pods: list[list[PodInfo]]
    verdicts: list[str | None]
    marks: list[str]
    tiles: list[Tile] = field(default_factory=list)


_kept: Kept[int, Shown] = Kept(CLUSTERS_KEPT)


def tiles(used: Usage, nodes: NodeRows, cluster_id: int, extra: str, marks: Marks) -> list[Tile]:
    """Parallel to `nodes`. Shared: read only."""
    new = _shown(used, nodes, extra, marks)
    old = _kept.get(cluster_id)
    if old is not None and _alike(old, new):
        new.tiles.extend(old.tiles)
        for at in _changed(old, new):
            new.tiles[at] = _tile(new, at)
    else:
        new.tiles.extend(_tile(new, at) for at in range(len(nodes.names)))
    return list(_kept.put(cluster_id, new).tiles)


def some_tiles(used: Usage, nodes: NodeRows, extra: str, rows: Iterable[int]) -> list[Tile]:
    """The tiles of some nodes alone, without what a cycle says of them."""
    shown = _shown(used, nodes, extra, Marks())
    return [_tile(shown, at) for at in rows]


def _shown(used: Usage, nodes: NodeRows, extra: str, marks: Marks) -> Shown:
    cpu, memory = (np.round(used.share(name), 4) for name in (CPU, MEMORY))
    share = np.full(len(nodes.names), NONE)
    if extra:
        share = np.where(used.allocatable[extra] > 0, np.round(used.share(extra), 4), NONE)
    pods = [list(info.pods) for info in used.infos]
    verdicts = list(map(marks.reasons.get, nodes.names))
    words = [marks.of(name) for name in nodes.names] if marks.ties else [""] * len(nodes.names)
    if not marks.ties and marks.lead in nodes.names:
        words[nodes.names.index(marks.lead)] = "lead"
    return Shown(nodes, extra, cpu, memory, share, pods, verdicts, words)


def _alike(old: Shown, new: Shown) -> bool:
    same_nodes = old.nodes is new.nodes or old.nodes.names == new.nodes.names
    return same_nodes and old.extra == new.extra


def _changed(old: Shown, new: Shown) -> list[int]:
    """Rows of which anything differs."""
    differs = (old.cpu != new.cpu) | (old.memory != new.memory) | (old.share != new.share)
    columns: list[tuple[Any, list[Any], list[Any]]] = [
        (ne, old.pods, new.pods),
        (ne, old.verdicts, new.verdicts),
        (ne, old.marks, new.marks),
    ]
    if old.nodes is not new.nodes:
        columns.append((is_not, old.nodes.facts, new.nodes.facts))
    for differ, before, after in columns:
        differs |= np.fromiter(map(differ, before, after), bool, len(after))
    rows: list[int] = np.flatnonzero(differs).tolist()
    return rows


def _tile(shown: Shown, at: int) -> Tile:
    nodes, name, pods = shown.nodes, shown.nodes.names[at], shown.pods[at]
    offers, verdict, mark = shown.share[at] != NONE, shown.verdicts[at], shown.marks[at]
    tile: Tile = {
        "name": name,
        "short": name[nodes.prefix : len(name) - nodes.suffix],
        "cpu": float(shown.cpu[at]),
        "memory": float(shown.memory[at]),
        "extra": float(shown.share[at]) if offers else None,
        "extra_name": shown.extra if offers else "",
        "pods": nodes.looks.squares(pods),
        "pod_count": len(pods),
        "state": nodes.facts[at].state,
        "taints": nodes.facts[at].taints,
    }
    if verdict is not None:
        tile["verdict"] = verdict
    if mark:
        tile[mark] = True  # type: ignore[literal-required]
    return tile
