"""The keys of columns: which facts of nodes there are, and what an array of each holds."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Key: TypeAlias = tuple[Any, ...]
"""("allocatable", resource), ("requested", resource), ("nonzero", resource) in milli for cpu and whole units for the
rest, with resource "pods" counting pods; ("unschedulable",); ("taints",) and ("label", key): numbers in a vocabulary;
("image", name): whether the node has it; ("cloned_at",): the snapshot that last copied the row; ("ports",): how many
host ports are in use; ("volumes",): how many pods have volumes; ("count", …): pods that a counter counts."""

PODS, CPU, MEMORY, EPHEMERAL_STORAGE = "pods", "cpu", "memory", "ephemeral-storage"
BASIC_RESOURCES = (CPU, MEMORY, EPHEMERAL_STORAGE)
TYPES: dict[str, type] = {"unschedulable": np.bool_, "image": np.bool_, "taints": np.int32, "label": np.int32}
FIXED: tuple[Key, ...] = (
    *(("allocatable", name) for name in (*BASIC_RESOURCES, PODS)),
    *(("requested", name) for name in (*BASIC_RESOURCES, PODS)),
    ("nonzero", CPU),
    ("nonzero", MEMORY),
    ("unschedulable",),
    ("taints",),
    ("cloned_at",),
    ("ports",),
    ("volumes",),
)


_KINDS = {"allocatable": "resource", "requested": "resource", "nonzero": "resource", "label": "key", "image": "name"}
_SINGLE = tuple(key[0] for key in FIXED if len(key) == 1)


def checked(key: Any) -> Key:
    """A key that a column can have. Raises KeyError with those that there are."""
    if isinstance(key, tuple) and key and (key[0] == "count" or (key[0] in _KINDS and len(key) == 2)):
        return key
    known = [*(f'("{kind}", {what})' for kind, what in _KINDS.items()), *(f'("{kind}",)' for kind in _SINGLE)]
    raise KeyError(f"there is no column {key!r}; there are {', '.join(known)}")
