"""The dice of the simulation: a draw is a hash of where it is made, so a log can be replayed and forked exactly."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from itertools import count

_DIGEST_BITS = 128
_MASK = 2**64 - 1
_pack = struct.Struct("<3Q").pack


def draw(seed: int, cycle: int, number: int, bound: int) -> int:
    """A uniform integer of 0…bound-1: draw `number` of a cycle, in a cluster with this seed.

    The first 128 bits of blake2b over the three numbers (little-endian, 64 bits each, wrapping), scaled down to
    `bound`; the bias is below bound / 2**128. Raises ValueError if bound < 1.
    """
    if bound < 1:
        raise ValueError(f"cannot draw from {bound} possibilities")
    place = _pack(seed & _MASK, cycle & _MASK, number & _MASK)
    digest = hashlib.blake2b(place, digest_size=_DIGEST_BITS // 8).digest()
    return int.from_bytes(digest, "little") * bound >> _DIGEST_BITS


def dice(seed: int, cycle: int, first: int = 0) -> Callable[[int], int]:
    """`intn(n)`: consecutive draws of a cycle, beginning with draw number `first`. The shape of Go's rand.Intn."""
    numbers = count(first)
    return lambda bound: draw(seed, cycle, next(numbers), bound)
