"""Whether an algorithm reads no more than it says: `filter_reads` and `score_reads` against what it read.

Too narrow a promise is not seen in one attempt: it gives wrong answers later, when an answer is kept that has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler.engine.framework.arrays import Reads

OF_NODES = frozenset({"allocatable", "label", "taints", "unschedulable", "image"})
"""Kinds of columns that follow from the Node object alone; pods on the node change the others."""

OF_PODS, OF_SNAPSHOTS = frozenset({"count"}), frozenset({"cloned_at"})
"""Counts of pods are kept only while they are used; copies of rows change without the node or a pod on it."""


def too_narrow(hook: str, reads: Reads, keys: Iterable[tuple[Any, ...]], read_nodes: bool) -> str:
    """A sentence about the first thing that `reads` does not allow, "" if there is none.

    `keys`: of the columns that `hook` read; `read_nodes`: whether it looked at Node objects.
    """
    if reads == "cluster":
        return ""
    for key in keys:
        if key[0] in OF_SNAPSHOTS:
            return _sentence(hook, reads, f"the column {key!r}, which does not follow from the node", "cluster")
        if reads == "node" and key[0] not in OF_NODES:
            wanted: Reads = "pods" if read_nodes or key[0] in OF_PODS else "columns"
            return _sentence(hook, reads, f"the column {key!r}, which pods on the node change", wanted)
        if reads == "columns" and key[0] in OF_PODS:
            return _sentence(hook, reads, f"the count {key!r}", "pods")
    if reads == "columns" and read_nodes:
        return _sentence(hook, reads, "Node objects (nodes.objects)", "pods")
    return ""


def _sentence(hook: str, reads: Reads, what: str, wanted: Reads) -> str:
    return f'reads {what}, but {hook}_reads is "{reads}"; it must be {hook}_reads = "{wanted}"'
