"""What the map draws: the nodes in the order of their groups, a list a fact, groups as counts."""

from typing import TypedDict

import numpy as np

from dashboard.build.nodes.fleet import Fleet
from dashboard.build.nodes.groups import Group
from dashboard.build.tile_rows import some_tiles
from dashboard.build.usage import extra_resource
from dashboard.payloads.map import Tile
from dashboard.text import percent

TILES = 600  # more are a map


class Block(TypedDict):
    """A group: so many of the nodes that follow; `percent` of the shaded resource, "" where none is offered."""

    name: str
    count: int
    percent: str
    blocks: list["Block"]


class Picture(TypedDict):
    """`share`: requested/allocatable in thousandths, -1 where a node offers none; `state`: a digit a node."""

    shade: str
    names: list[str]
    share: list[int]
    state: str
    pods: list[int]
    blocks: list[Block]


def picture(fleet: Fleet, groups: list[Group], shade: str) -> Picture:
    rows = in_order(groups)
    share = np.where(fleet.used.allocatable[shade] > 0, np.round(fleet.used.share(shade) * 1000), -1)
    return {
        "shade": shade,
        "names": [fleet.names[row] for row in rows.tolist()],
        "share": share[rows].astype(np.int64).tolist(),
        "state": "".join(map(str, fleet.states[rows].tolist())),
        "pods": fleet.used.requested["pods"][rows].tolist(),
        "blocks": [_block(one) for one in groups],
    }


def in_order(groups: list[Group]) -> np.ndarray:
    """All rows, group after group, inner group after inner group."""
    parts = [part.rows for one in groups for part in (one.inner or [one])]
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)


def _block(group: Group) -> Block:
    return {
        "name": group.name,
        "count": len(group.rows),
        "percent": percent(group.requested, group.allocatable),
        "blocks": [_block(one) for one in group.inner],
    }


class TilePicture(TypedDict):
    blocks: list[Block]
    tiles: list[Tile]
    left_out: int


def tile_picture(fleet: Fleet, groups: list[Group]) -> TilePicture:
    """The same as the Board's tiles, of so many nodes as a page can hold."""
    rows = in_order(groups)
    made = some_tiles(fleet.used, fleet.rows, extra_resource(fleet.used), rows[:TILES].tolist())
    return {"blocks": [_block(one) for one in groups], "tiles": made, "left_out": max(0, len(rows) - TILES)}
