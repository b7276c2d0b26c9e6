"""What was made lately and is likely to be asked for again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """The `most` values last used, safe among threads. What it gives is shared: read only."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._mutex = Lock()

    def get(self, key: Key) -> Value | None:
        with self._mutex:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: Key, value: Value) -> Value:
        with self._mutex:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def of(self, key: Key, make: Callable[[], Value]) -> Value:
        """Two who ask for the same new one at a time may both make it: no lock is held meanwhile."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found

    def clear(self) -> None:
        with self._mutex:
            self._values.clear()
