"""Go's sort.Slice, step by step: pattern-defeating quicksort, whose order of equal elements is part of an outcome.

Source: Go 1.24, sort/zsortfunc.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_MAX_INSERTION, _SHORTEST_SHIFTING, _SHORTEST_NINTHER = 12, 50, 50
_MAX_STEPS, _MAX_SWAPS, _WORD = 5, 4 * 3, 2**64 - 1
_UNKNOWN, _INCREASING, _DECREASING = range(3)


def sort_slice(items: list[T], less: Callable[[T, T], bool]) -> None:
    """Sort in place as Go does. Up to 12 elements this is insertion sort; `less` need not be consistent."""
    _Sorter(items, less).sort(0, len(items), len(items).bit_length())


class _Sorter(Generic[T]):
    """Works on ranges `a` up to `b`, the latter left out."""

    def __init__(self, items: list[T], less: Callable[[T, T], bool]) -> None:
        self.items = items
        self._less = less
        self._swaps = 0

    def less(self, i: int, j: int) -> bool:
        return self._less(self.items[i], self.items[j])

    def swap(self, i: int, j: int) -> None:
        self.items[i], self.items[j] = self.items[j], self.items[i]

    def sort(self, a: int, b: int, limit: int) -> None:
        """`limit`: how many more bad pivots are put up with before heapsort takes over."""
        was_balanced = was_partitioned = True
        while (length := b - a) > _MAX_INSERTION:
            if limit == 0:
                self._heap_sort(a, b)
                return
            if not was_balanced:
                self._break_patterns(a, b)
                limit -= 1
            pivot, hint = self._choose_pivot(a, b)
            if hint == _DECREASING:
                self.items[a:b] = self.items[a:b][::-1]
                pivot, hint = (b - 1) - (pivot - a), _INCREASING
            if was_balanced and was_partitioned and hint == _INCREASING and self._nearly_sorted(a, b):
                return
            if a > 0 and not self.less(a - 1, pivot):
                a = self._partition_equal(a, b, pivot)
                continue
            middle, was_partitioned = self._partition(a, b, pivot)
            left, right = middle - a, b - middle
            was_balanced = min(left, right) >= length // 8
            if left < right:
                self.sort(a, middle, limit)
                a = middle + 1
            else:
                self.sort(middle + 1, b, limit)
                b = middle
        self._insertion_sort(a, b)

    def _insertion_sort(self, a: int, b: int) -> None:
        for i in range(a + 1, b):
            j = i
            while j > a and self.less(j, j - 1):
                self.swap(j, j - 1)
                j -= 1

    # --- heapsort -----------------------------------------------------------------------------------------------------

    def _heap_sort(self, a: int, b: int) -> None:
        size = b - a
        for i in range((size - 1) // 2, -1, -1):
            self._sift_down(i, size, a)
        for i in range(size - 1, -1, -1):
            self.swap(a, a + i)
            self._sift_down(0, i, a)

    def _sift_down(self, root: int, size: int, first: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self.less(first + child, first + child + 1):
                child += 1
            if not self.less(first + root, first + child):
                return
            self.swap(first + root, first + child)
            root = child

    # --- partitions ---------------------------------------------------------------------------------------------------

    def _partition(self, a: int, b: int, pivot: int) -> tuple[int, bool]:
        """Smaller elements to the left of the pivot; its new place, and whether nothing had to move."""
        self.swap(a, pivot)
        i, j = self._close_in(a + 1, b - 1, a)
        untouched = i > j
        while i <= j:
            self.swap(i, j)
            i, j = self._close_in(i + 1, j - 1, a)
        self.swap(j, a)
        return j, untouched

    def _close_in(self, i: int, j: int, pivot: int) -> tuple[int, int]:
        while i <= j and self.less(i, pivot):
            i += 1
        while i <= j and not self.less(j, pivot):
            j -= 1
        return i, j

    def _partition_equal(self, a: int, b: int, pivot: int) -> int:
        """Elements equal to the pivot first; where the greater ones begin."""
        self.swap(a, pivot)
        i, j = a + 1, b - 1
        while True:
            while i <= j and not self.less(a, i):
                i += 1
            while i <= j and self.less(a, j):
                j -= 1
            if i > j:
                return i
            self.swap(i, j)
            i, j = i + 1, j - 1

    def _nearly_sorted(self, a: int, b: int) -> bool:
        """Put a few neighbours right; True if the range is sorted then."""
        i = a + 1
        for _ in range(_MAX_STEPS):
            while i < b and not self.less(i, i - 1):
                i += 1
            if i == b:
                return True
            if b - a < _SHORTEST_SHIFTING:
                return False
            self.swap(i, i - 1)
            if i - a >= 2:
                self._shift(range(i - 1, 0, -1))
            if b - i >= 2:
                self._shift(range(i + 1, b))
        return False

    def _shift(self, places: range) -> None:
        for place in places:
            if not self.less(place, place - 1):
                return
            self.swap(place, place - 1)

    def _break_patterns(self, a: int, b: int) -> None:
        """Scatter three elements by an xorshift generator that begins with the length."""
        length = random = b - a
        mask, middle = (1 << length.bit_length()) - 1, a + length // 4 * 2
        for place in (middle - 1, middle, middle + 1):
            random ^= random << 13 & _WORD
            random ^= random >> 7
            random ^= random << 17 & _WORD
            other = random & mask
            self.swap(place, a + (other - length if other >= length else other))

    # --- pivots -------------------------------------------------------------------------------------------------------

    def _choose_pivot(self, a: int, b: int) -> tuple[int, int]:
        quarter, self._swaps = (b - a) // 4, 0
        i, j, k = a + quarter, a + quarter * 2, a + quarter * 3
        if b - a >= _SHORTEST_NINTHER:
            i, j, k = (self._median(one - 1, one, one + 1) for one in (i, j, k))
        pivot = self._median(i, j, k)
        return pivot, {0: _INCREASING, _MAX_SWAPS: _DECREASING}.get(self._swaps, _UNKNOWN)

    def _median(self, a: int, b: int, c: int) -> int:
        a, b = self._order(a, b)
        b, c = self._order(b, c)
        return self._order(a, b)[1]

    def _order(self, a: int, b: int) -> tuple[int, int]:
        if self.less(b, a):
            self._swaps += 1
            return b, a
        return a, b
