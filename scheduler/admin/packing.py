"""Manifests in hidden fields of forms."""

import base64
import binascii
import zlib
from typing import Any

import msgspec

Manifest = dict[str, Any]
MOST_BYTES = 8 << 20


def packed(manifest: Manifest) -> str:
    """A manifest for a hidden field of a form."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(manifest))).decode() if manifest else ""


def unpacked(text: str) -> Manifest | None:
    """What `packed` made; None where the text is none of its making."""
    try:
        whole = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        value = msgspec.json.decode(whole)
    except (binascii.Error, ValueError, zlib.error, msgspec.DecodeError):
        return None
    return value if isinstance(value, dict) else None
