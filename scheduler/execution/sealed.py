"""Pickles that only Podium itself can have written: sealed with a keyed hash, opened only if the seal holds.

A cycle's prepared state travels to the workers through Redis. Unpickling runs code, so nothing is unpickled that
somebody without SECRET_KEY could have put there; the key it lies under is part of the seal.
"""

import hashlib
import hmac
import pickle
from typing import Any

from django.conf import settings

SEAL_BYTES = 32


class SealError(Exception):
    """The bytes were not written by this installation, or not for this key."""


def seal(value: Any, key: str) -> bytes:
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return _digest(body, key) + body


def unseal(blob: bytes, key: str) -> Any:
    """The value sealed for `key`; `SealError` before a single byte of it is unpickled."""
    digest, body = blob[:SEAL_BYTES], memoryview(blob)[SEAL_BYTES:]
    if not hmac.compare_digest(digest, _digest(body, key)):
        raise SealError(f"The blob {key} does not carry this installation's seal.")
    return pickle.loads(body)


def _digest(body: bytes | memoryview, key: str) -> bytes:
    secret = hashlib.blake2b(settings.SECRET_KEY.encode()).digest()
    sealer = hashlib.blake2b(key=secret, digest_size=SEAL_BYTES, person=b"podium-sealed")
    sealer.update(key.encode() + b"\0")
    sealer.update(body)
    return sealer.digest()
