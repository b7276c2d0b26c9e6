"""What a controller wants done."""

from __future__ import annotations

import msgspec


class NewPod(msgspec.Struct, frozen=True):
    """`name`: "" where it is to be drawn. `revision`: of which template. `node`: the only node it may be on, if any."""

    revision: str = ""
    name: str = ""
    node: str = ""


class OldPod(msgspec.Struct, frozen=True):
    """A pod to delete, and why: "scaled down", "replaced", "node gone", …"""

    name: str
    why: str


class Wanted(msgspec.Struct, frozen=True):
    """`again_us`: come back after that long even if nothing changes; 0: no need. `status`: the workload's new one."""

    creates: tuple[NewPod, ...] = ()
    deletes: tuple[OldPod, ...] = ()
    status: dict[str, int | str] = {}
    again_us: int = 0
