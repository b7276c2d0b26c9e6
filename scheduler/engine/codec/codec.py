"""The storage format of events and of whole states: nobody else knows it.

An event's row holds JSON-safe data. A checkpoint is msgpack, compressed; `CHECKPOINT_FORMAT` counts its changes, and
one of another format is to be ignored (the log has it all).
"""

from __future__ import annotations

import zlib
from typing import Any, get_args

import msgspec

from scheduler.engine import events
from scheduler.engine.codec.state import CHECKPOINT_FORMAT, Checkpoint, restore, take
from scheduler.engine.events import Event, Happening
from scheduler.engine.simulation.simulation import Simulation

__all__ = [
    "CHECKPOINT_FORMAT",
    "decode_checkpoint",
    "encode_checkpoint",
    "encode_log",
    "event_from_row",
    "event_head",
    "event_to_row",
    "payload_text",
]

_KINDS: dict[str, type[Happening]] = {one.__struct_config__.tag: one for one in get_args(Happening)}
_OF_A_CYCLE = (events.CycleStarted, events.PhaseReached, events.CycleFinished)
_KIND_ENDS = {one: len(f'{{"kind":"{kind}"') for kind, one in _KINDS.items()}
_to_json = msgspec.json.Encoder().encode
_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Checkpoint)


def event_to_row(event: Event) -> dict[str, Any]:
    """Columns of the log: seq, at_us, kind, version, payload, object_key ("Kind/namespace/name" or ""), cycle."""
    payload = msgspec.to_builtins(event.happening)
    del payload["kind"]
    return {**event_head(event), "payload": payload}


def payload_text(event: Event) -> str:
    """The payload as JSON text. The kind stands first in the encoding of a happening, and is left out."""
    encoded = _to_json(event.happening).decode()
    return "{" + encoded[_KIND_ENDS[type(event.happening)] :].removeprefix(",")


def event_head(event: Event) -> dict[str, Any]:
    """The same columns without the payload."""
    return {
        "seq": event.seq,
        "at_us": event.at_us,
        "kind": event.kind,
        "version": event.version,
        "object_key": events.about(event.happening),
        "cycle": event.happening.number if isinstance(event.happening, _OF_A_CYCLE) else None,
    }


def event_from_row(seq: int, at_us: int, version: int, kind: str, payload: dict[str, Any]) -> Event:
    """Raises ValueError for a kind or version that this code does not know, msgspec.ValidationError for bad payload."""
    if kind not in _KINDS or version != 1:
        raise ValueError(f"event {seq}: {kind!r} version {version} is not known here")
    return Event(seq, at_us, msgspec.convert(payload, _KINDS[kind]), version)


def encode_log(log: list[Event]) -> bytes:
    """The log as bytes: equal logs have equal bytes."""
    return msgspec.json.encode([event_to_row(event) for event in log], order="deterministic")


def encode_checkpoint(simulation: Simulation) -> bytes:
    return zlib.compress(_encoder.encode(take(simulation)), 1)


def decode_checkpoint(blob: bytes) -> Simulation:
    """Raises ValueError for a blob that is no checkpoint of this format."""
    try:
        checkpoint = _decoder.decode(zlib.decompress(blob))
    except (zlib.error, msgspec.DecodeError) as problem:
        raise ValueError(f"not a checkpoint of format {CHECKPOINT_FORMAT}: {problem}") from problem
    return restore(checkpoint)
