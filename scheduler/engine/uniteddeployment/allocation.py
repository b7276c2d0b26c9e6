"""What an allocator answers: a number for each subset, and the steps that led there."""

from __future__ import annotations

import msgspec

from scheduler.engine.errors import PodiumError

UNLIMITED = 2**31 - 1
"""The maximum of a subset that names none."""


class AllocationError(PodiumError):
    """The numbers contradict one another. Its text is the controller's."""


class AllocationStep(msgspec.Struct, frozen=True, gc=False):
    """`subset` got `given` more by `rule` (in reservation mode perhaps less than none); `left` are to be handed out."""

    subset: str
    rule: str
    given: int
    left: int


class Allocation(msgspec.Struct, frozen=True):
    """`replicas` by subset, in the order of the topology."""

    allocator: str
    replicas: dict[str, int]
    steps: tuple[AllocationStep, ...]
