"""Texts put aside one after the other: in memory while they are few, in a temporary file when they are many."""

import io
import tempfile
import weakref
from typing import IO

Place = tuple[int, int]
"""Offset and length."""

IN_MEMORY_BYTES = 16 << 20


class Texts:
    """Not for several threads. What is on the disk is gone with this object."""

    def __init__(self, in_memory_bytes: int = IN_MEMORY_BYTES) -> None:
        self._file: IO[bytes] = io.BytesIO()
        self._end, self._most = 0, in_memory_bytes

    def put(self, text: bytes) -> Place:
        """Raises OSError where the disk is full."""
        place = self._end, len(text)
        self._end += len(text)
        if self._end > self._most and isinstance(self._file, io.BytesIO):
            self._to_disk(self._file.getvalue())
        self._file.seek(place[0])
        self._file.write(text)
        return place

    def get(self, place: Place) -> bytes:
        self._file.seek(place[0])
        return self._file.read(place[1])

    def _to_disk(self, text: bytes) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (the finalizer closes it)
        weakref.finalize(self, self._file.close)
        self._file.write(text)
