"""Go's container/heap with a key → index map: the exact order of equal elements, and O(1) look-up.

Python's heapq sifts in another way, so equal elements come out of it in another order than they do in kube-scheduler.
Source: container/heap and kube-scheduler v1.34.1, backend/heap/heap.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Heap(Generic[T]):
    """`less` orders the elements, `key` names each. O(log n) to add, update, remove; O(1) to find and peek."""

    def __init__(self, less: Callable[[T, T], bool], key: Callable[[T], str]) -> None:
        self._less = less
        self._key = key
        self._items: list[T] = []
        self._index: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._index

    def __iter__(self) -> Iterator[T]:
        """The elements in heap order (not sorted): the array as it lies."""
        return iter(self._items)

    def get(self, key: str) -> T | None:
        index = self._index.get(key)
        return None if index is None else self._items[index]

    def peek(self) -> T | None:
        return self._items[0] if self._items else None

    def add_or_update(self, item: T) -> None:
        key = self._key(item)
        index = self._index.get(key)
        if index is None:
            self._items.append(item)
            self._index[key] = len(self._items) - 1
            self._up(len(self._items) - 1)
        else:
            self._items[index] = item
            self.fix(key)

    def fix(self, key: str) -> None:
        """Restore the order after the element of this key has changed."""
        index = self._index[key]
        if not self._down(index, len(self._items)):
            self._up(index)

    def pop(self) -> T:
        """Remove and return the least element. Raises IndexError on an empty heap."""
        return self._remove_at(0)

    def remove(self, key: str) -> T | None:
        """Remove and return the element of this key, None where there is none."""
        index = self._index.get(key)
        return None if index is None else self._remove_at(index)

    def heapify(self, items: list[T]) -> None:
        """Take over elements in any order, as heap.Init does. O(n)."""
        self.load(items)
        for index in range(len(items) // 2 - 1, -1, -1):
            self._down(index, len(items))

    def load(self, items: list[T]) -> None:
        """Take over an array that lay in heap order already, as it is."""
        self._items = items
        self._index = {self._key(item): index for index, item in enumerate(items)}

    def in_order(self, first: int | None = None) -> list[T]:
        """The elements (the `first` few) in the order in which they would be popped; the heap stays as it is.

        O(n + first · log n).
        """
        copy: Heap[T] = Heap(self._less, self._key)
        copy.load(list(self._items))
        return [copy.pop() for _ in range(len(copy) if first is None else min(first, len(copy)))]

    def orders_by(self, less: Callable[[T, T], bool]) -> bool:
        return self._less is less

    def validate(self) -> None:
        """Raise AssertionError unless every parent is not greater than its children and the index is right."""
        assert len(self._index) == len(self._items), "heap index and array differ in length"
        for index, item in enumerate(self._items):
            assert self._index[self._key(item)] == index, f"heap index of {self._key(item)} is wrong"
            parent = (index - 1) // 2
            assert index == 0 or not self._less(item, self._items[parent]), f"heap order broken at {self._key(item)}"

    def _remove_at(self, index: int) -> T:
        last = len(self._items) - 1
        if index < 0 or last < 0:
            raise IndexError("the heap is empty")
        if index != last:
            self._swap(index, last)
            if not self._down(index, last):
                self._up(index)
        item = self._items.pop()
        del self._index[self._key(item)]
        return item

    def _swap(self, a: int, b: int) -> None:
        items = self._items
        items[a], items[b] = items[b], items[a]
        self._index[self._key(items[a])] = a
        self._index[self._key(items[b])] = b

    def _up(self, child: int) -> None:
        while child > 0:
            parent = (child - 1) // 2
            if not self._less(self._items[child], self._items[parent]):
                return
            self._swap(parent, child)
            child = parent

    def _down(self, start: int, size: int) -> bool:
        """Sift down within the first `size` elements; whether it moved."""
        parent = start
        while (child := 2 * parent + 1) < size:
            right = child + 1
            if right < size and self._less(self._items[right], self._items[child]):
                child = right
            if not self._less(self._items[child], self._items[parent]):
                break
            self._swap(parent, child)
            parent = child
        return parent > start
